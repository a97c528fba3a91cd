#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where stiction hurts a compliant whole-body controller, and what helps: all runs of README.md.

usage: study.py STICTION OUT

Runs the projects of this folder with the command STICTION into OUT, prints the tables of README.md,
and writes its pictures into OUT. Complete runs are not repeated. Takes minutes.
"""
import csv
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LEGS = [side + joint for side in "RL" for joint in ("CY", "CR", "CP", "KP", "AP", "AR")]
# joints that stick are bristles, as in Choreonoid: both engines then show the same
BRISTLES = {"element": "bristle"}
OFF = {"friction": "none"}
DESIRED = {"controller.compensation": "desired"}
REFERENCE = {"controller.compensation": "reference"}


def gains(kp, kv):
    return {"controller.kp": kp, "controller.kv": kv}


def share(value):
    return {**DESIRED, "controller.compensation_share": value}


# row: name, settings
SQUATS = [
    ("no friction", OFF),
    ("gains 20/2", gains(20, 2)),
    ("gains 50/14", {}),
    ("gains 100/20", gains(100, 20)),
    ("integral, lambda 1", {"controller.lambda": 1}),
    ("compensation desired", DESIRED),
    ("desired, 30 % too little", share(0.7)),
    ("desired, 30 % too much", share(1.3)),
    ("compensation reference", REFERENCE),
]
PULLS = [
    ("no friction", OFF),
    ("gains 20/2", gains(20, 2)),
    ("gains 50/14", {}),
    ("gains 100/20", gains(100, 20)),
    ("compensation desired", DESIRED),
    ("compensation reference", REFERENCE),
]
PUSHES = [
    ("no friction", OFF),
    ("gains 20/2", gains(20, 2)),
    ("gains 50/14", {}),
    ("gains 100/20", gains(100, 20)),
    ("integral, lambda 1", {"controller.lambda": 1}),
    ("lambda 1, leak 0.5", {"controller.lambda": 1, "controller.leak": 0.5}),
]


class Run:
    def __init__(self, stiction, out, project, name, settings, duration=None):
        self.name = name
        words = "_".join(f"{k.split('.')[-1]}-{v}" for k, v in settings.items())
        label = "".join(c if c.isalnum() or c in "-_." else "-" for c in words) or "plain"
        folder = os.path.join(out, label)
        if not os.path.exists(os.path.join(folder, project, "summary.json")):
            command = [stiction, "run", os.path.join(HERE, project + ".cnoid"), "--out", folder]
            command += ["--no-report", "--interval", "0.01"]
            for key, value in {**BRISTLES, **settings}.items():
                command += ["--set", f"{key}={value}"]
            if duration:
                command += ["--duration", str(duration)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, project, "summary.json"), encoding="utf-8") as file:
            self.summary = json.load(file)
        self.figures = self.summary["bodies"]["HRP5P"]
        with open(os.path.join(folder, project, "joints.csv"), encoding="utf-8") as file:
            rows = csv.reader(file)
            self.columns = {name: k for k, name in enumerate(next(rows))}
            self.rows = list(rows)

    def series(self, column):
        k = self.columns[column]
        return [float(row[k]) if row[k] else math.nan for row in self.rows]

    def millimetres(self, figure):
        return "%.1f" % (1e3 * self.figures[figure])

    def legs_rms(self):
        """The rms error of the joints of the legs, deg."""
        total = count = 0
        for leg in LEGS:
            for at, goal in zip(self.series(leg + ".position"), self.series(leg + ".target")):
                total += (at - goal) ** 2
                count += 1
        return "%.2f" % math.degrees(math.sqrt(total / count))


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


# ---- pictures ----

COLOURS = ["#888888", "#c0392b", "#2166ac", "#1b7837", "#e08214", "#762a83"]


def picture(path, title, unit, lines, end):
    """Lines (name, times, values) of one quantity over time as an SVG."""
    width, height, left, top, right, bottom = 720, 300, 60, 36, 190, 40
    inner, tall = width - left - right, height - top - bottom
    values = [v for _, _, vs in lines for v in vs if not math.isnan(v)]
    low, high = min(values + [0]), max(values + [0])
    room = 0.05 * (high - low)
    low, high = low - room, high + room

    def x(t):
        return left + inner * t / end

    def y(v):
        return top + tall * (high - v) / (high - low)

    step = 10 ** math.floor(math.log10((high - low) / 3))
    step = next(step * f for f in (1, 2, 5, 10) if (high - low) / (step * f) <= 6)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="20" font-size="14">{title}</text>',
    ]
    tick = math.ceil(low / step) * step
    while tick <= high:
        out.append(
            f'<line x1="{left}" x2="{left + inner}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
            f'stroke="{"#666" if abs(tick) < step / 2 else "#ddd"}"/>'
            f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        )
        tick = round(tick / step + 1) * step
    for k in range(5):
        t = end * k / 4
        out.append(
            f'<text x="{x(t):.1f}" y="{height - bottom + 16}" text-anchor="middle">{t:g}</text>'
        )
    out.append(f'<text x="{left + inner / 2}" y="{height - 8}" text-anchor="middle">time (s)</text>')
    out.append(f'<text x="6" y="{top - 2}">{unit}</text>')
    for k, (name, times, vs) in enumerate(lines):
        points = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in zip(times, vs) if t <= end)
        colour = COLOURS[k % len(COLOURS)]
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out.append(
            f'<rect x="{left + inner + 12}" y="{top + 18 * k}" width="14" height="4" fill="{colour}"/>'
            f'<text x="{left + inner + 32}" y="{top + 6 + 18 * k}">{name}</text>'
        )
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def lines_of(runs, names, column):
    """Some 600 points each."""
    lines = []
    for run in runs:
        if run.name in names:
            stride = max(1, len(run.rows) // 600)
            values = [1e3 * v for v in run.series(column)]
            lines.append((run.name, run.series("time")[::stride], values[::stride]))
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    stiction, out = sys.argv[1:]

    squats = [Run(stiction, out, "humanoid_squat", *row) for row in SQUATS]
    table(
        ["squat", "CoM z max (mm)", "end (mm)", "legs rms (deg)", "acceleration error (m/s^2)"],
        [
            [
                run.name,
                run.millimetres("com_error_max_z"),
                run.millimetres("com_error_end_z"),
                run.legs_rms(),
                "%.2g" % run.figures["com_acceleration_error"],
            ]
            for run in squats
        ],
    )

    rows = []
    for name, settings in PULLS:
        row = [name]
        for force in (30, 100):
            pull = {**settings, "push": f"link=PELVIS force={force},0,0 time=0.5 ramp=0.5"}
            row.append("%.2f" % Run(stiction, out, "humanoid_balance", name, pull).figures["yield_ratio"])
        rows.append(row)
    table(["pull at the pelvis", "yield ratio at 30 N", "at 100 N"], rows)

    pushes = [Run(stiction, out, "humanoid_push", *row, duration=60) for row in PUSHES]
    table(
        ["push of 20 N s", "CoM x max (mm)", "residual (mm)", "hunts by (mm)", "reversals", "falls"],
        [
            [
                run.name,
                run.millimetres("com_error_max_x"),
                run.millimetres("com_residual"),
                run.millimetres("com_hunting"),
                "%d" % run.figures["com_reversals"],
                "%d" % run.figures["falls"],
            ]
            for run in pushes
        ],
    )

    def draw(file, title, runs, names, column, end):
        picture(os.path.join(out, file), title, "mm", lines_of(runs, names, column), end)

    z, x = "controller.com_error_z", "controller.com_error_x"
    draw(
        "whole_body_gains.svg",
        "Squat: height of the centre of mass less its way",
        squats,
        ["no friction", "gains 20/2", "gains 50/14", "gains 100/20"],
        z,
        8,
    )
    draw(
        "whole_body_compensation.svg",
        "The same, what helps",
        squats,
        [
            "no friction",
            "gains 50/14",
            "compensation desired",
            "desired, 30 % too little",
            "desired, 30 % too much",
            "compensation reference",
        ],
        z,
        8,
    )
    draw(
        "whole_body_push.svg",
        "A push of 20 N s forward at 1 s: the centre of mass",
        pushes,
        ["no friction", "gains 50/14", "integral, lambda 1", "lambda 1, leak 0.5"],
        x,
        60,
    )


if __name__ == "__main__":
    main()
