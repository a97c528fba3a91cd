#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Table, plots and page of the comparison of simulators.
usage: page.py OUT PEERS.json...   (writes OUT/peers.json, peers.html, peers.md and peers_*.svg)"""
import html
import json
import pathlib
import re
import sys

# Rows: problem, figure, what counts as 0, and a short head for peers.md, which has only those rows
ROWS = [("hold", "creep, wrist at 0.9 F_S, 1 ms", 1e-12, None),
        ("hold", "creep, worst of 36 cases", 1e-12, "hold: worst creep (rad/s)"),
        ("disturbed", "creep under dither, worst of 24 cases", 1e-12, "under dither (rad/s)"),
        ("disturbed", "creep on a moving base, worst of 24 cases", 1e-12, None),
        ("ramp", "break-away torque, error", 0, "break-away (%)"),
        ("stick-slip", "slips in 60 s, error", 0, None),
        ("stick-slip", "period, error", 0, "stick-slip period (%)"),
        ("stick-slip", "amplitude, error", 0, None),
        ("reversals", "drift of the return point", 1e-12, None),
        ("reversals", "energy of a loop, error", 0, "energy of a loop (%)"),
        ("wrist", "stop angle, error", 0, "wrist stops (deg)"),
        ("wrist", "sawtooth period, error", 0, None),
        ("double pendulum", "pose at rest, error", 0, None),
        ("double pendulum", "time at rest, error", 0, None),
        ("double pendulum", "order of convergence", 0, None),
        ("double pendulum", "1 s without friction, error", 0, None),
        ("7-joint arm, coasting", "pose at rest, error", 0, "7 joints at rest (rad)"),
        ("7-joint arm, coasting", "time at rest, error", 0, None),
        ("7-joint arm, coasting", "order of convergence", 0, None),
        ("7-joint arm, coasting", "1 s without friction, error", 0, None),
        ("contact", "20 kg on a rope, creep", 1e-12, "20 kg on a rope (rad/s)"),
        ("contact", "standing on two feet, creep", 1e-12, "standing (rad/s)"),
        ("load", "energy created in a cycle", 1e-15, "energy created (J)"),
        ("cost", "7 joints that stick", 0, None), ("cost", "7 joints that slip", 0, None),
        ("cost", "53 joints that stick", 0, "cost, 53 stick"), ("cost", "53 joints that slip", 0, "cost, 53 slip"),
        ("cost", "53 joints in a row that stick", 0, None), ("cost", "53 joints in a row that slip", 0, None)]
NOT_RANKED = {"order of convergence", "1 s without friction, error"}
ABSENT = {"one joint only", "not built", "not measured", "friction without load"}  # no failures
# Why ours is not the best of a row, where it is not
NOTES = {
    ("double pendulum", "pose at rest, error"):
        "The integrator, not friction: ours, DART, Bullet and MuJoCo's stiff frictionloss integrate joint coordinates by "
        "semi-implicit Euler and have the same error. ODE integrates bodies; it is ahead without friction, too.",
    ("double pendulum", "time at rest, error"): "As the pose.",
    ("7-joint arm, coasting", "time at rest, error"): "As the pose: the time is read in steps of 1 ms.",
    ("ramp", "break-away torque, error"): "Equal to those that solve friction as a constraint.",
}
PLOTS = [("hold", "hold", "creep, worst of 36 cases", "creep (rad/s), worst of 36 cases of a held load"),
         ("wrist", "wrist", "stop angle, error", "error of the wrist's stop angle (deg)"),
         ("cost", "cost", "53 joints that slip", "time of a step with friction on 53 slipping joints over one without")]
OURS = "stiction"


def read(paths):
    """One comparison of all; what a later program measures again is left out."""
    merged = None
    for path in paths:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        if merged is None:
            merged = data
            continue
        known = {c["name"] for c in merged["contestants"]} | {"reference"}
        merged["contestants"] += [c for c in data["contestants"] if c["name"] not in known]
        merged["figures"] += [f for f in data["figures"] if f["contestant"] not in known]
    return merged


def family(contestant):
    """Sorts ours first, and the versions of a simulator next to each other."""
    names = [OURS, "MuJoCo", "DART", "ODE", "Bullet", "Simbody"]
    first = contestant["name"].split()[0]
    return names.index(first) if first in names else len(names)


def add_ranks(data):
    """Places by value, 1 is best; values within 1 % share a place, and failures come last."""
    for problem, figure, nothing, _ in ROWS:
        own = [f for f in data["figures"] if (f["problem"], f["figure"]) == (problem, figure)
               and f["contestant"] != "reference" and figure not in NOT_RANKED and f.get("why") not in ABSENT]
        for f in own:
            f["rank"] = 1 + sum(size(o, nothing) < 0.99 * size(f, nothing) for o in own)
    data["ranks"] = {}
    for problem in dict.fromkeys(row[0] for row in ROWS):
        means = {}
        for c in data["contestants"]:
            ranks = [f["rank"] for f in data["figures"]
                     if (f["problem"], f["contestant"]) == (problem, c["name"]) and "rank" in f]
            if ranks:
                means[c["name"]] = sum(ranks) / len(ranks)
        data["ranks"][problem] = {name: 1 + sum(o < mean for o in means.values()) for name, mean in means.items()}


def size(figure, nothing):
    if figure["value"] is None:
        return sys.float_info.max
    return 0 if abs(figure["value"]) <= nothing else abs(figure["value"])


def shown(figure, nothing):
    if figure is None:
        return ""
    if figure["value"] is None:
        return figure["why"]
    return "0" if abs(figure["value"]) <= nothing else f"{figure['value']:.2g}"


def table(data):
    """Rows of (problem, figure, head, unit, cells); a cell is its text and its rank."""
    by_row = {}
    for f in data["figures"]:
        by_row.setdefault((f["problem"], f["figure"]), {})[f["contestant"]] = f
    for problem, figure, nothing, head in ROWS:
        own = by_row.get((problem, figure), {})
        unit = next((f["unit"] for f in own.values()), "")
        yield problem, figure, head, unit, [(shown(own.get(c["name"]), nothing), own.get(c["name"], {}).get("rank"))
                                            for c in data["contestants"]]


def note_of(data, problem, figure, cells):
    best = min((rank for c, (_, rank) in zip(data["contestants"], cells) if rank and c["name"].startswith(OURS)), default=1)
    return NOTES.get((problem, figure)) if best > 1 else None


def write_markdown(path, data):
    """Contestants as rows, which fit a page, and the rows with a short head."""
    rows = [row for row in table(data) if row[2]]
    lines = ["| | " + " | ".join(row[2] for row in rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for k, c in enumerate(data["contestants"]):
        cells = ["" if cell in ABSENT else f"**{cell}**" if rank == 1 else cell for cell, rank in (row[4][k] for row in rows)]
        lines.append(f"| {c['name']} | " + " | ".join(cells) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(out, data):
    try:
        import matplotlib
    except ImportError:
        print("peers: no plots, because matplotlib is missing (Debian package python3-matplotlib)")
        return []
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "peers"
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["font.family"] = "sans-serif"
    from matplotlib import pyplot
    made = []
    for name, problem, figure, label in PLOTS:
        own = [f for f in data["figures"] if (f["problem"], f["figure"]) == (problem, figure) and f["contestant"] != "reference"
               and f.get("why") not in ABSENT]
        values = [abs(f["value"]) for f in own if f["value"]]
        start = 0 if name == "cost" else 10 ** -13 if name == "hold" else min(values) / 3
        axes = pyplot.figure(figsize=(7, 0.27 * len(own) + 0.8)).gca()
        for k, f in enumerate(reversed(own)):
            ours = f["contestant"].startswith(OURS)
            if f["value"] is None or abs(f["value"]) < start:
                axes.annotate(f.get("why", "0"), (start, k), xytext=(4, 0), textcoords="offset points", va="center",
                              color="#b00020" if f["value"] is None else "#0072b2" if ours else "#444444")
            else:
                axes.barh(k, abs(f["value"]) - start, left=start, color="#0072b2" if ours else "#999999")
        if name == "cost":
            axes.axvline(1, color="#444444", linewidth=0.8)
        else:
            axes.set_xscale("log")
            axes.set_xlim(left=start, right=max(values) * 2)
        axes.set_ylim(-0.6, len(own) - 0.4)
        axes.set_yticks(range(len(own)), [f["contestant"] for f in reversed(own)])
        axes.set_xlabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        path = out / f"peers_{name}.svg"
        pyplot.savefig(path, bbox_inches="tight", metadata={"Date": None})
        pyplot.close()
        made.append(path)
    return made


def page_of(problem):
    """The definition of a problem, as a paragraph per block of its file."""
    path = pathlib.Path(__file__).parent / "problems" / (problem + ".md")
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    text = []
    for block in blocks:
        inner = html.escape(block.strip(), quote=False)
        if inner.startswith("# "):
            text.append(f"<h3 id='{problem}'>{inner[2:]}</h3>")
        elif inner.startswith("```"):
            text.append("<pre>" + inner.strip("`\n") + "</pre>")
        elif inner.startswith("|"):
            rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in inner.splitlines() if not line.startswith("|---")]
            text.append("<table>" + "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows) + "</table>")
        else:
            text.append("<p>" + re.sub(r"`([^`]*)`", r"<code>\1</code>", inner))
    return "\n".join(text)


PAGE_OF = {"double pendulum": "coasting", "7-joint arm, coasting": "coasting"}


def write_page(path, data, plots):
    text = ["<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Sticking, side by side</title>",
            "<style>body{font:15px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:100rem}p{max-width:50rem}"
            "table{border-collapse:collapse;font-size:.85rem}td,th{padding:.25rem .5rem;border-bottom:1px solid #ddd;"
            "text-align:right}td:first-child,th:first-child{text-align:left;position:sticky;left:0;background:#fff}"
            "td.best{font-weight:700;background:#e3f0f8}.wide{overflow:auto}small{color:#666}</style>",
            "<h1>Sticking, side by side</h1>",
            f"<p>Processor: {html.escape(data['processor'])}. Small numbers are places; the best values of a row are bold; "
            "values within 1 % share a place. " + ("Reduced set: shorter runs." if data["reduced"] else "") + "</p>"]
    head = "".join(f"<th title='{html.escape(c['settings'], quote=True)}'>{html.escape(c['name'])}<br><small>"
                   f"{html.escape(c['version'])}</small>" for c in data["contestants"])
    text.append("<div class='wide'><table><tr><th>figure" + head)
    notes = []
    for problem, figure, _, unit, cells in table(data):
        note = note_of(data, problem, figure, cells)
        if note:
            notes.append(note)
        text.append(f"<tr><td><a href='#{PAGE_OF.get(problem, problem)}'>{html.escape(problem)}</a>: {html.escape(figure)}"
                    + (f" ({unit})" if unit not in ("", "1") else "") + (f" <sup>{len(notes)}</sup>" if note else "")
                    + "".join(f"<td{' class=best' if rank == 1 else ''}>{html.escape(cell)}"
                              + (f" <small>{rank}</small>" if rank else "") for cell, rank in cells))
    text.append("</table></div>")
    text += [f"<p><sup>{k + 1}</sup> {html.escape(note)}</p>" for k, note in enumerate(notes)]
    text += ["<h2>Places per problem</h2><p>By the mean place in its rows.</p><div class='wide'><table><tr><th>problem" + head]
    for problem, ranks in data["ranks"].items():
        text.append(f"<tr><td>{html.escape(problem)}" + "".join(
            f"<td{' class=best' if ranks.get(c['name']) == 1 else ''}>{ranks.get(c['name'], '')}" for c in data["contestants"]))
    text.append("</table></div>")
    text += [p.read_text(encoding="utf-8") for p in plots]
    text.append("<h2>Contestants and their settings</h2><ul>")
    text += [f"<li>{html.escape(c['name'])} {html.escape(c['version'])}: {html.escape(c['settings'])}" for c in data["contestants"]]
    text += ["</ul><p>tools/peers/README.md says where the settings come from, and how to add a contestant.</p>",
             "<h2>References</h2><table><tr><th>figure<th>value<th>distance of a second method"]
    text += [f"<tr><td>{f['problem']}: {f['figure']} ({f['unit']})<td>{f['value']:.9g}<td>{f['error']:.2g}"
             for f in data["figures"] if f["contestant"] == "reference"]
    text.append("</table><h2>Problems</h2>")
    text += [page_of(problem) for problem in dict.fromkeys(PAGE_OF.get(row[0], row[0]) for row in ROWS)]
    path.write_text("\n".join(text), encoding="utf-8")


def print_table(data):
    for k, c in enumerate(data["contestants"]):
        print(f"{c['name']} {c['version']}: {c['settings']}")
        for problem, figure, _, unit, cells in table(data):
            cell, rank = cells[k]
            if cell:
                print(f"  {problem + ': ' + figure + (' (' + unit + ')' if unit != '1' else ''):64s} {cell:16s}"
                      + (f" place {rank}" if rank else ""))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    data = read(sys.argv[2:])
    data["contestants"].sort(key=family)
    add_ranks(data)
    for problem, figure, _, _, cells in table(data):
        note = note_of(data, problem, figure, cells)
        if note:
            data.setdefault("notes", []).append({"problem": problem, "figure": figure, "note": note})
    (out / "peers.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    write_markdown(out / "peers.md", data)
    write_page(out / "peers.html", data, draw(out, data))
    print_table(data)
    print("processor: " + data["processor"])


main()
