#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which gains survive which friction: all runs, the page and the figures of README.md.

usage: study.py STICTION OUT [--few | --twice] [--jobs N]

Sweeps the arm and the humanoid's arms with the command STICTION into OUT, sorts the runs into those that
work, stop short, hunt or chatter, prints the share of each class and the smallest gains that work, and
writes OUT/robustness.html and its pictures. Complete runs are not repeated. Takes minutes, see README.md.

--few    eight runs of the arm, compared with expected.yaml; exit code 1 if a class differs
--twice  all runs, and again for twice as long: how many then have another class
"""
import argparse
import collections
import csv
import html
import math
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOTS = {"arm": "the arm of seven joints", "humanoid": "the humanoid's arms"}

# A joint that rests more than 1 deg from its target has stopped short: 17 mm at the end of a forearm and hand.
TOLERANCE = math.radians(1)
# It hunts if it moves back and forth by 0.001 rad, the threshold of the figure `reversals`; the amplitude is half.
HUNTING = 0.0005
# It chatters if it moves at the end and was never at rest for a second.
STANDS = 1.0

# class: colour (Okabe and Ito, safe for colour-blind readers), sign, description
CLASSES = {
    "works": ("#009e73", "", "every joint rests within 1 deg of its target"),
    "stops short": ("#f0c452", "-", "every joint rests, one more than 1 deg from its target"),
    "hunts": ("#d55e00", "~", "a joint repeatedly breaks away back and forth around its target, by 0.001 rad or more"),
    "chatters": ("#7b5ea7", "x", "a joint moves at the end and was never at rest for a second"),
    "falls apart": ("#000000", "!", "the run failed, or its figures are not finite"),
}

# labels of the axes, by the settings of a run
INTEGRALS = {
    ("0", "0"): "no integral",
    ("4", "0"): "lambda 4",
    ("16", "0"): "lambda 16",
    ("16", "2"): "lambda 16, leak 2",
}
COMPENSATIONS = {
    ("none", "0"): "none",
    ("desired", "0.4"): "desired, share 0.4",
    ("desired", "0.8"): "desired, share 0.8",
    ("reference", "0.8"): "reference, share 0.8",
}


# ---- runs ----


class Run:
    """A row of sweep.csv: its settings, and the class of its worst joint."""

    def __init__(self, row):
        self.name = row["name"]
        self.kp = float(row["controller.kp"])
        self.static = float(row["scale.static_torque"])
        self.integral = (row["controller.lambda"], row["controller.leak"])
        self.compensation = (row["controller.compensation"], row["controller.compensation_share"])
        self.failed = row["status"] != "done"
        self.reason = row["reason"]
        self.figures = collections.defaultdict(dict)
        for column, text in row.items():
            joint, _, figure = column.rpartition(".")
            if figure in ("tracking_error", "hunting_amplitude", "hunting_period", "stop_time", "longest_stick"):
                self.figures[joint][figure] = float(text) if text else None
        self.error, self.error_joint = self.worst("tracking_error")
        self.hunting, self.hunting_joint = self.worst("hunting_amplitude")
        self.kind = self.judge()

    def worst(self, figure):
        values = [(abs(f[figure]), joint) for joint, f in self.figures.items() if f[figure] is not None]
        return max(values, default=(0.0, ""))

    def judge(self):
        figures = self.figures.values()
        if self.failed or not math.isfinite(self.error):
            return "falls apart"
        if self.hunting >= HUNTING:
            return "hunts"
        if any(f["stop_time"] is None and (f["longest_stick"] or 0) < STANDS for f in figures):
            return "chatters"
        return "stops short" if self.error > TOLERANCE else "works"

    def key(self):
        return self.kp, self.static, self.integral, self.compensation

    def tip(self):
        lines = [
            f"run {self.name}: {self.kind}",
            f"kp {self.kp:g}, static friction x {self.static:g}",
            f"{INTEGRALS.get(self.integral, self.integral)}; compensation {COMPENSATIONS.get(self.compensation)}",
        ]
        if self.failed:
            return "\n".join(lines + [self.reason])
        lines.append(f"worst error {math.degrees(self.error):.3g} deg, {self.error_joint}")
        if self.hunting:
            period = self.figures[self.hunting_joint]["hunting_period"] or math.nan
            lines.append(f"hunts by {math.degrees(self.hunting):.3g} deg every {period:.3g} s, {self.hunting_joint}")
        return "\n".join(lines)


def sweep(options, file, folder):
    """Runs a sweep; returns its runs and the time in s."""
    command = [options.stiction, "sweep", file, "--out", folder, "--no-reports", "--figures-only"]
    if options.jobs:
        command += ["--jobs", options.jobs]
    since = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    runs = []
    if os.path.exists(os.path.join(folder, "sweep.csv")):
        with open(os.path.join(folder, "sweep.csv"), encoding="utf-8") as file_of_runs:
            runs = [Run(row) for row in csv.DictReader(file_of_runs)]
    if done.returncode and not any(run.failed for run in runs):  # refused or stopped
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return runs, time.monotonic() - since


def changed(file, path, changes):
    """Writes a copy of a sweep file with changed values; paths of projects stay valid."""
    with open(file, encoding="utf-8") as source:
        text = source.read()
    text = re.sub(r"^projects: \[(.*)\]$", lambda m: f"projects: [{os.path.join(HERE, m[1])}]", text, flags=re.M)
    for key, value in changes.items():
        text, count = re.subn(rf"^(\s*{re.escape(key)}:) [^#\n]*", lambda m: f"{m[1]} {value} ", text, flags=re.M)
        assert count == 1, f"{file} has {count} times {key}"
    with open(path, "w", encoding="utf-8") as target:
        target.write(text)
    return path


# ---- tables ----


def rows_of(runs):
    """The integral terms of these runs, with their names."""
    return {key: name for key, name in INTEGRALS.items() if any(r.integral == key for r in runs)}


def columns_of(runs):
    return {key: name for key, name in COMPENSATIONS.items() if any(r.compensation == key for r in runs)}


def shares(runs):
    count = collections.Counter(run.kind for run in runs)
    return {kind: count[kind] / len(runs) for kind in CLASSES}


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


# ranges of the static friction, relative to that of the file
SURVIVORS = "The smallest gain kp (s^-2) that works with every static friction from ... to ..."
RANGES = ((1, 1), (0.7, 1.4), (0.5, 2), (0.25, 4))


def survivor(runs, integral, compensation, least, most):
    """The smallest gain that works with every friction in a range, or None."""
    chosen = [r for r in runs if (r.integral, r.compensation) == (integral, compensation) and least <= r.static <= most]
    fails = {r.kp for r in chosen if r.kind != "works"}
    return min({r.kp for r in chosen} - fails, default=None)


def gains_table(*studies):
    """Gains of one robot, or of several side by side."""
    rows = []
    frictions = {run.static for run in studies[0]}
    ranges = [(least, most) for least, most in RANGES if {least, most} <= frictions]
    for integral, of_integral in rows_of(studies[0]).items():
        for compensation, of_compensation in columns_of(studies[0]).items():
            row = [of_integral, of_compensation]
            for friction in ranges:
                gains = [survivor(runs, integral, compensation, *friction) for runs in studies]
                row.append(" / ".join("none" if gain is None else f"{gain:g}" for gain in gains))
            rows.append(row)
    names = [f"F_S x {least:g} to {most:g}" if least < most else f"F_S x {least:g}" for least, most in ranges]
    return ["integral term", "compensation", *names], rows


def print_shares(robot, runs, seconds):
    print(f"{ROBOTS[robot]}: {len(runs)} runs, {seconds:.0f} s\n")
    rows = []
    for integral, name in rows_of(runs).items():
        for compensation, feed in columns_of(runs).items():
            chosen = [r for r in runs if (r.integral, r.compensation) == (integral, compensation)]
            rows.append([name, feed] + ["%.0f %%" % (100 * s) for s in shares(chosen).values()])
    rows.append(["all", ""] + ["%.1f %%" % (100 * s) for s in shares(runs).values()])
    table(["integral term", "compensation", *CLASSES], rows)


# ---- pictures ----

CELL, GAP, LEFT, TOP = 15, 22, 132, 64


def shade(value):
    """The colour of an error in deg, from pale to dark over four decades."""
    share = min(1.0, max(0.0, (math.log10(max(value, 1e-9)) + 2) / 4))
    stops = [(255, 255, 217), (161, 218, 180), (65, 182, 196), (34, 94, 168), (8, 29, 88)]
    place = share * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    mixed = [round(a + (b - a) * (place - k)) for a, b in zip(stops[k], stops[k + 1])]
    return "#%02x%02x%02x" % tuple(mixed)


def text(x, y, words, more=""):
    return f'<text x="{x:g}" y="{y:g}" {more}>{html.escape(words)}</text>'


def panel(runs, x, y, gains, frictions, paint, tips):
    """One map of gain by friction. Without tips, neighbours of one colour share a rectangle."""
    by_place = {(r.static, r.kp): r for r in runs}
    out = []
    for row, static in enumerate(reversed(frictions)):
        column = 0
        while column < len(gains):
            run = by_place.get((static, gains[column]))
            colour, sign = paint(run) if run else ("#eeeeee", "")
            width = 1
            while not tips and column + width < len(gains):
                other = by_place.get((static, gains[column + width]))
                if not other or paint(other)[0] != colour:
                    break
                width += 1
            at_x, at_y = x + column * CELL, y + row * CELL
            tip = f"<title>{html.escape(run.tip())}</title>" if tips and run else ""
            size = f'width="{width * CELL}" height="{CELL}"'
            out.append(f'<rect x="{at_x}" y="{at_y}" {size} fill="{colour}">{tip}</rect>')
            for k in range(width if sign else 0):
                out.append(text(at_x + (k + 0.5) * CELL, at_y + 11, sign, 'class="s"'))
            column += width
    out.append(f'<rect x="{x}" y="{y}" width="{len(gains) * CELL}" height="{len(frictions) * CELL}" class="f"/>')
    return out


def class_legend(x, y):
    out = []
    for name, (colour, sign, _) in CLASSES.items():
        out.append(f'<rect x="{x}" y="{y - 11}" width="14" height="14" fill="{colour}"/>')
        out.append(text(x + 7, y, sign, 'class="s"'))
        out.append(text(x + 20, y, name))
        x += 120
    return out


def error_legend(x, y):
    out = []
    for k in range(41):
        out.append(f'<rect x="{x + 6 * k}" y="{y - 11}" width="6.5" height="14" fill="{shade(10 ** (k / 10 - 2))}"/>')
    for k, words in enumerate(("0.01 deg", "0.1", "1", "10", "100")):
        out.append(text(x + 3 + 60 * k, y + 16, words, 'class="m"'))
    return out


def maps(title, runs, paint, legend, tips):
    """Small multiples over integral term (rows) and compensation (columns), as SVG."""
    gains = sorted({r.kp for r in runs})
    frictions = sorted({r.static for r in runs})
    integrals, compensations = rows_of(runs), columns_of(runs)
    wide, tall = max(9, len(gains)) * CELL, len(frictions) * CELL  # a column has room for its name
    width = LEFT + max(4, len(compensations)) * (wide + GAP)
    height = TOP + len(integrals) * (tall + GAP) + 58
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        "<style>.s{font-size:10px;text-anchor:middle;fill:#fff;pointer-events:none}"
        ".m{text-anchor:middle}.e{text-anchor:end}.t{font-size:9px}.f{fill:none;stroke:#444}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(8, 20, title, 'font-size="15"'),
    ]
    for column, compensation in enumerate(compensations):
        x = LEFT + column * (wide + GAP)
        out.append(text(x + wide / 2, TOP - 24, "compensation", 'class="m t"') if column == 0 else "")
        out.append(text(x + wide / 2, TOP - 8, COMPENSATIONS[compensation], 'class="m"'))
        for row, integral in enumerate(integrals):
            y = TOP + row * (tall + GAP)
            chosen = [r for r in runs if (r.integral, r.compensation) == (integral, compensation)]
            out += panel(chosen, x, y, gains, frictions, paint, tips)
            if column == 0:
                out.append(text(6, y + tall / 2 + 4, INTEGRALS[integral]))
                for k in range(0, len(frictions), 2):
                    out.append(text(x - 4, y + tall - k * CELL - 4, f"{frictions[k]:g}", 'class="e t"'))
            for k in range(0, len(gains), 2):
                out.append(text(x + (k + 0.5) * CELL, y + tall + 11, f"{gains[k]:g}", 'class="m t"'))
    bottom = TOP + len(integrals) * (tall + GAP)
    axes = "in each: to the right the gain kp (s^-2), upwards static friction over that of the file"
    out.append(text(LEFT, bottom + 12, axes))
    out += legend(LEFT, bottom + 36)
    return "\n".join(line for line in out if line) + "\n</svg>\n"


def paint_class(run):
    return CLASSES[run.kind][:2]


def paint_error(run):
    return ("#000000", "!") if run.failed else (shade(math.degrees(run.error)), "")


# ---- typical runs ----

# class: a typical run of the arm: kp, static friction, integral, compensation
TYPICAL = {
    "works": (100, 1, ("16", "2"), ("none", "0")),
    "stops short": (100, 1, ("0", "0"), ("none", "0")),
    "hunts": (100, 1, ("16", "0"), ("none", "0")),
    "chatters": (100, 0.5, ("0", "0"), ("reference", "0.8")),
}
SHOWN = "J3"  # the joint of the arm with the least inertia relative to its friction


def typical(options, name):
    """Repeats one run with its series; returns times, targets and positions (deg)."""
    kp, static, (gain, leak), (compensation, share) = TYPICAL[name]
    folder = os.path.join(options.out, "typical", name.replace(" ", "_"))
    settings = {
        "controller.kp": kp,
        "controller.kv": 2 * math.sqrt(kp),
        "controller.lambda": gain,
        "controller.leak": leak,
        "controller.compensation": compensation,
        "controller.compensation_share": share,
        "scale.static_torque": static,
        "scale.stiffness": 4,
        "scale.damping": 4,
        "coupling": "implicit",
        "timestep": 0.005,
        "control_period": 0.005,
        "duration": 30,
    }
    command = [options.stiction, "run", os.path.join(HERE, "../compensation/arm7_compensated.cnoid"), "--out", folder]
    command += ["--force", "--no-report", "--interval", "0.01"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "arm7_compensated", "joints.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    times = [float(row["time"]) for row in rows]
    return times, *([math.degrees(float(row[f"{SHOWN}.{c}"])) for row in rows] for c in ("target", "position"))


def reduced(times, values, columns, end):
    """The lowest and the highest value of each pixel column, so that chatter is visible."""
    inside = collections.defaultdict(list)
    for t, v in zip(times, values):
        inside[int(columns * t / end)].append((t, v))
    points = []
    for column in inside.values():
        points += sorted({min(column, key=lambda p: p[1]), max(column, key=lambda p: p[1])})
    return points


def curves(options):
    """A picture of the typical runs: the error of one joint over time."""
    wide, tall, left, top = 330, 130, 52, 40
    width, height = 2 * (left + wide) + 30, top + 2 * (tall + 58)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        "<style>.m{text-anchor:middle}.e{text-anchor:end}.t{font-size:9px}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(8, 18, f"The arm, {SHOWN}: position less target (deg) over time (s)", 'font-size="15"'),
    ]
    for k, name in enumerate(TYPICAL):
        kp, static, integral, compensation = TYPICAL[name]
        times, targets, positions = typical(options, name)
        errors = [p - t for p, t in zip(positions, targets)]
        x, y = left + (k % 2) * (left + wide + 10), top + 22 + (k // 2) * (tall + 58)
        high = {"works": 20, "stops short": 20, "hunts": 3, "chatters": 0.5}[name]
        colour = "#b8860b" if name == "stops short" else CLASSES[name][0]  # darker, for text
        out.append(text(x, y - 20, name, f'font-weight="bold" fill="{colour}"'))
        out.append(
            text(
                x,
                y - 6,
                f"kp {kp:g}, F_S x {static:g}, {INTEGRALS[integral]}, compensation {COMPENSATIONS[compensation]}",
                'font-size="10"',
            )
        )
        for tick in (-high, -high / 2, 0, high / 2, high):
            at = y + tall / 2 - tick / high * tall / 2
            grey = "#ddd" if tick else "#666"
            out.append(f'<line x1="{x}" x2="{x + wide}" y1="{at:g}" y2="{at:g}" stroke="{grey}"/>')
            out.append(text(x - 4, at + 4, f"{tick:g}", 'class="e t"'))
        end = 30
        for tick in range(0, end + 1, 5):
            out.append(text(x + wide * tick / end, y + tall + 12, f"{tick}", 'class="m t"'))
        points = reduced(times, errors, wide * 2, end)
        path = " ".join(
            f"{x + wide * t / end:.1f},{y + tall / 2 - max(-1, min(1, v / high)) * tall / 2:.1f}" for t, v in points
        )
        out.append(f'<polyline points="{path}" fill="none" stroke="#2166ac" stroke-width="1"/>')
    return "\n".join(out) + "\n</svg>\n"


# ---- the page ----

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Which gains survive which friction</title>
<style>body{{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;line-height:1.4}}
table{{border-collapse:collapse;margin:1em 0}}td,th{{border:1px solid #ccc;padding:.2em .6em;text-align:right}}
td:nth-child(1),td:nth-child(2),th:nth-child(1),th:nth-child(2){{text-align:left}}
svg{{display:block;max-width:100%;height:auto}}.c{{display:inline-block;width:.9em;height:.9em;margin-right:.4em}}</style></head>
<body>
<h1>Which gains survive which friction</h1>
<p>{count} runs of 30 s: the robot goes to a posture in 2 s under the compliant posture controller and should stay
there. In each map the gain kp grows to the right (kv = 2 sqrt(kp)) and the static friction of all joints upwards, from a
quarter to four times that of the file. Compensation always expects the friction of the file. Point at a cell for its
figures.</p>
<ul>{classes}</ul>
{robots}
</body></html>
"""


def html_table(head, rows):
    def cells(tag, row):
        return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)

    return f"<table><tr>{cells('th', head)}</tr>" + "".join(f"<tr>{cells('td', row)}</tr>" for row in rows) + "</table>"


def write(path, words):
    with open(path, "w", encoding="utf-8") as file:
        file.write(words)


def page(options, studied):
    """robustness.html, and the pictures of README.md beside it."""
    classes = "".join(
        f'<li><span class="c" style="background:{colour}"></span><b>{name}</b>: {html.escape(sentence)}</li>'
        for name, (colour, _, sentence) in CLASSES.items()
    )
    robots = []
    for robot, runs in studied.items():
        heading = ROBOTS[robot][0].upper() + ROBOTS[robot][1:]
        pictures = {}
        for kind, paint, legend in (("classes", paint_class, class_legend), ("errors", paint_error, error_legend)):
            what = "classes" if kind == "classes" else "error of the worst joint at the end"
            title = f"{heading}: {what}"
            pictures[kind] = maps(title, runs, paint, legend, True)
            write(os.path.join(options.out, f"robustness_{robot}_{kind}.svg"), maps(title, runs, paint, legend, False))
        percent = [[name, f"{100 * share:.1f} %"] for name, share in shares(runs).items()]
        robots.append(
            f"<h2>{html.escape(heading)}</h2><p>{len(runs)} runs; any figure over any setting: "
            f'<a href="{robot}/sweep.html">{robot}/sweep.html</a>.</p>'
            f"{html_table(['class', 'share of the runs'], percent)}{pictures['classes']}{pictures['errors']}"
            f"<h3>{SURVIVORS}</h3>{html_table(*gains_table(runs))}"
        )
    drawn = curves(options)
    write(os.path.join(options.out, "robustness_curves.svg"), drawn)
    robots.append(f"<h2>A run of each kind</h2>{drawn}")
    count = sum(len(runs) for runs in studied.values())
    filled = PAGE.format(count=count, classes=classes, robots="".join(robots))
    write(os.path.join(options.out, "robustness.html"), filled)


# ---- options ----


def study(options):
    studied, total = {}, 0
    for robot in ROBOTS:
        runs, seconds = sweep(options, os.path.join(HERE, f"{robot}.yaml"), os.path.join(options.out, robot))
        studied[robot] = runs
        total += seconds
        print_shares(robot, runs, seconds)
    print(f"{SURVIVORS}: {' / '.join(ROBOTS.values())}\n")
    table(*gains_table(*studied.values()))
    page(options, studied)
    print(f"{sum(map(len, studied.values()))} runs in {total:.0f} s: {os.path.join(options.out, 'robustness.html')}")
    return 0


def twice(options):
    """Are 30 s enough? Compares with runs of 60 s."""
    for robot in ROBOTS:
        file = os.path.join(HERE, f"{robot}.yaml")
        first, _ = sweep(options, file, os.path.join(options.out, robot))
        longer = changed(file, os.path.join(options.out, f"{robot}_60s.yaml"), {"duration": 60})
        second, _ = sweep(options, longer, os.path.join(options.out, f"{robot}_60s"))
        kinds = {run.key(): run.kind for run in first}
        pairs = collections.Counter((kinds[r.key()], r.kind) for r in second)
        others = sum(count for (was, now), count in pairs.items() if was != now)
        share = f"{100 * others / len(second):.1f} %"
        print(f"{ROBOTS[robot]}: {others} of {len(second)} runs ({share}) have another class")
        for (was, now), count in sorted(pairs.items()):
            if was != now:
                print(f"  {count}: {was} after 30 s, {now} after 60 s")
    return 0


def few(options):
    """Compares the classes of eight runs with expected.yaml, a line `- { ... }` each, and writes their page."""
    runs, _ = sweep(options, os.path.join(HERE, "few.yaml"), os.path.join(options.out, "arm"))
    with open(os.path.join(HERE, "expected.yaml"), encoding="utf-8") as file:
        lines = re.findall(r"^ *- (\{.*\})", file.read(), flags=re.M)
    expected = [dict(re.findall(r"(\w+): ([^,}]*[^,} ])", line)) for line in lines]
    found = []
    for run in runs:
        settings = {"static": f"{run.static:g}", "lambda": run.integral[0], "compensation": run.compensation[0]}
        found.append({**settings, "class": run.kind})
        print(found[-1], f"error {math.degrees(run.error):.3g} deg, hunts by {math.degrees(run.hunting):.3g} deg")
    for line in expected:
        if line not in found:
            print(f"expected but not found: {line}", file=sys.stderr)
    page(options, {"arm": runs})
    return 1 if len(found) != len(expected) or any(line not in found for line in expected) else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("stiction")
    parser.add_argument("out")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--jobs")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    return few(options) if options.few else twice(options) if options.twice else study(options)


if __name__ == "__main__":
    sys.exit(main())
