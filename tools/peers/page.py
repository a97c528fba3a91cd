#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Table, plots and page of the comparison of simulators.
usage: page.py OUT PEERS.json...   (writes OUT/peers.json, peers.html, peers.md and peers_*.svg)"""
import html
import json
import pathlib
import sys

# Rows of the table: problem, figure, and what is shown as 0
ROWS = [("hold", "creep, wrist at 0.9 F_S, 1 ms", 1e-12), ("hold", "creep, worst of 36 cases", 1e-12),
        ("disturbed", "creep under dither", 1e-12), ("disturbed", "creep on a moving base", 1e-12),
        ("ramp", "break-away torque, error", 0), ("reversals", "drift of the return point", 1e-12),
        ("stick-slip", "period, error", 0), ("wrist", "stop angle, error", 0),
        ("wrist", "sawtooth period, error", 0), ("double pendulum", "pose at rest, error", 0),
        ("double pendulum", "order of convergence", 0), ("7-joint arm, coasting", "pose at rest, error", 0),
        ("cost", "7 joints that stick", 0), ("cost", "7 joints that slip", 0),
        ("cost", "53 joints that stick", 0), ("cost", "53 joints that slip", 0)]
HIGHER_IS_BETTER = {"order of convergence"}
PLOTS = [("hold", "hold", "creep, worst of 36 cases", "creep (rad/s), held at 0.3 to 0.99 of the static torque"),
         ("wrist", "wrist", "stop angle, error", "error of the wrist's stop angle (deg)"),
         ("cost", "cost", "53 joints that slip", "time of a step with friction on 53 joints over one without")]
COLOURS = {"stiction": "#0072b2"}


def read(paths):
    merged = None
    for path in paths:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        if merged is None:
            merged = data
            continue
        merged["contestants"] += data["contestants"]
        merged["figures"] += [f for f in data["figures"] if f["contestant"] != "reference"]
    return merged


def shown(figure, nothing):
    if figure is None:
        return ""
    if figure["value"] is None:
        return figure["why"]
    value = figure["value"]
    return "0" if abs(value) <= nothing else f"{value:.2g}"


def rank_of(figures, name, figure_name):
    """Places by value, 1 is best; those that fail come last. Values within 1 % share a place."""
    def key(f):
        if f["value"] is None:
            return float("inf")
        return -f["value"] if figure_name in HIGHER_IS_BETTER else abs(f["value"])
    own = key(figures[name])
    return 1 + sum(key(f) < own - 0.01 * abs(own) - 1e-12 for f in figures.values())


def table(data):
    names = [c["name"] for c in data["contestants"]]
    by_row = {}
    for f in data["figures"]:
        by_row.setdefault((f["problem"], f["figure"]), {})[f["contestant"]] = f
    rows = []
    for problem, figure, nothing in ROWS:
        figures = by_row.get((problem, figure), {})
        unit = next((f["unit"] for f in figures.values()), "")
        cells = []
        for name in names:
            f = figures.get(name)
            best = f is not None and f["value"] is not None and rank_of(figures, name, figure) == 1
            cells.append((shown(f, nothing), best and figure != "order of convergence"))
        rows.append((f"{problem}: {figure}" + (f" ({unit})" if unit not in ("", "1") else ""), cells))
    return names, rows


def write_markdown(path, data):
    """Contestants as rows, which fit a page."""
    names, rows = table(data)
    lines = ["| contestant | " + " | ".join(head for head, _ in rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for k, name in enumerate(names):
        cells = [f"**{cells[k][0]}**" if cells[k][1] else cells[k][0] for _, cells in rows]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(out, data):
    try:
        import matplotlib
    except ImportError:
        print("peers: no plots, because matplotlib is missing (Debian package python3-matplotlib)")
        return []
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "peers"
    from matplotlib import pyplot
    made = []
    for name, problem, figure, label in PLOTS:
        values = [(f["contestant"], f["value"]) for f in data["figures"]
                  if (f["problem"], f["figure"]) == (problem, figure) and f["contestant"] != "reference"
                  and not str(f.get("why", "")).startswith("one joint")]
        axes = pyplot.figure(figsize=(7, 0.32 * len(values) + 1)).gca()
        least = min([v for _, v in values if v and v > 0] + [1e-3]) if name == "cost" else 1e-18
        for k, (contestant, value) in enumerate(reversed(values)):
            colour = COLOURS.get(contestant.split()[0], "#999999")
            if value is None:
                axes.text(least, k, " diverges or slips", va="center", color="#b00020")
            else:
                axes.barh(k, max(abs(value), least) - (least if name == "cost" else 0), left=least if name == "cost" else 0,
                          color=colour)
                if abs(value) <= least:
                    axes.text(least, k, " 0", va="center")
        axes.set_yticks(range(len(values)), [c for c, _ in reversed(values)])
        axes.set_xlabel(label)
        axes.set_xscale("log")
        axes.set_xlim(left=least / 2)
        axes.spines[["top", "right"]].set_visible(False)
        path = out / f"peers_{name}.svg"
        pyplot.savefig(path, bbox_inches="tight", metadata={"Date": None})
        pyplot.close()
        made.append(path)
    return made


def write_page(path, data, plots):
    names, rows = table(data)
    text = ["<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Sticking, side by side</title>",
            "<style>body{font:15px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:90rem}"
            "table{border-collapse:collapse;font-size:.85rem}td,th{padding:.25rem .5rem;border-bottom:1px solid #ddd;"
            "text-align:right}td:first-child,th:first-child{text-align:left;position:sticky;left:0;background:#fff}"
            "td.best{font-weight:700;background:#e3f0f8}.wide{overflow:auto}</style>",
            "<h1>Sticking, side by side</h1>",
            f"<p>Processor: {html.escape(data['processor'])}. The best value of a row is bold. "
            + ("Reduced set: shorter runs." if data["reduced"] else "") + "</p><div class='wide'><table><tr><th>figure"]
    text += [f"<th title='{html.escape(c['settings'])}'>{html.escape(c['name'])}<br><small>"
             f"{html.escape(c['version'])}</small>" for c in data["contestants"]]
    for head, cells in rows:
        text.append(f"<tr><td>{html.escape(head)}" + "".join(
            f"<td{' class=best' if best else ''}>{html.escape(cell)}" for cell, best in cells))
    text.append("</table></div><h2>Settings</h2><ul>")
    text += [f"<li>{html.escape(c['name'])} {html.escape(c['version'])}: {html.escape(c['settings'])}"
             for c in data["contestants"]]
    text.append("</ul>")
    text += [p.read_text(encoding="utf-8") for p in plots]
    path.write_text("\n".join(text), encoding="utf-8")


def print_table(data):
    names, rows = table(data)
    for k, name in enumerate(names):
        print(name)
        for head, cells in rows:
            if cells[k][0]:
                print(f"  {head:58s} {cells[k][0]}{' *' if cells[k][1] else ''}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    data = read(sys.argv[2:])
    (out / "peers.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    write_markdown(out / "peers.md", data)
    write_page(out / "peers.html", data, draw(out, data))
    print_table(data)


main()
