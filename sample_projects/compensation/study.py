#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Friction compensation with exact parameters, and with errors of 30 %: all runs of README.md.

usage: study.py STICTION OUT [--short] [--engine choreonoid]

Runs the wrist and the arm with the command STICTION into OUT, prints the tables of README.md and draws
its pictures into OUT. --short: only the runs behind "no limit cycle at share 0.8", for less time.
The exit code is 1 if one of those has a limit cycle. Takes ten seconds; --short two.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys

SAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SAMPLES, "whole_body"))  # for its pictures and tables
from study import picture, table  # noqa: E402  pylint: disable=wrong-import-position

WRONG = {"right": 1.0, "30 % too little": 0.7, "30 % too much": 1.3}
# parameters that compensation uses; stiffness and damping of the bristle are not among them
PARAMETERS = ("static_torque", "coulomb_torque", "stribeck_velocity", "viscous")

# name: project, configuration of its friction, settings, joint of the picture, seconds
TASKS = {
    "wrist, target at once": ("wrist/wrist.cnoid", "../config/wrist.yaml", {}, "RWRR", 12),
    "wrist, smooth way in 3 s": (
        "wrist/wrist.cnoid",
        "../config/wrist.yaml",
        {"shape": "smooth", "duration": 3},
        "RWRR",
        12,
    ),
    "wrist, sine": (
        "wrist/wrist.cnoid",
        "../config/wrist.yaml",
        {"shape": "sine", "target": 0, "amplitude": 30, "frequency": 0.5, "kp": 50, "kv": 14},
        "RWRR",
        8,
    ),
    "arm7, ramp in 2 s": ("arm7/arm7.cnoid", "arm7/arm7.yaml", {}, "J3", 8),
}
# name: compensation, share, friction that the controller assumes
CASES = {
    "none": ("none", None, "right"),
    "right": ("desired", None, "right"),
    "30 % too little": ("desired", None, "30 % too little"),
    "30 % too much": ("desired", None, "30 % too much"),
    "share 1": ("desired", 1, "right"),
    "share 1, 30 % too much": ("desired", 1, "30 % too much"),
    "reference": ("reference", None, "right"),
    "reference, 30 % too little": ("reference", None, "30 % too little"),
    "reference, 30 % too much": ("reference", None, "30 % too much"),
}
DRAWN = ("none", "right", "30 % too little", "30 % too much", "reference")
PROMISED = [case for case, (compensation, share, _) in CASES.items() if compensation != "none" and not share]


def folder_name(words):
    return "_".join(re.findall(r"[a-z0-9]+", words))


def friction_file(out, source, factor):
    """Writes the configuration that the controller assumes: its parameters times a factor."""
    path = os.path.join(out, f"{os.path.basename(source)[:-5]}_{factor:g}.yaml")
    pattern = re.compile(r"^(\s*(?:%s):\s*)([0-9.]+)" % "|".join(PARAMETERS), re.MULTILINE)
    with open(os.path.join(SAMPLES, source), encoding="utf-8") as file:
        text, count = pattern.subn(lambda m: f"{m[1]}{float(m[2]) * factor:.12g}", file.read())
    assert count, f"{source} has none of {PARAMETERS}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def call(command):
    """Runs a command; ends with its messages if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")


class Run:
    def __init__(self, options, task, case):
        project, friction, settings, self.joint, seconds = TASKS[task]
        compensation, share, known = CASES[case]
        self.folder = os.path.join(options.out, folder_name(task), folder_name(case))
        command = [options.stiction, "run", os.path.join(SAMPLES, project), "--out", self.folder]
        command += ["--no-report", "--force", "--engine", options.engine]
        command += ["--duration", str(min(seconds, 5) if options.short else seconds)]
        options_of = {**settings, "compensation": compensation}
        options_of["friction"] = friction_file(options.out, friction, WRONG[known])
        if share is not None:
            options_of["compensation_share"] = share
        for key, value in options_of.items():
            command += ["--set", f"controller.{key}={value}"]
        call(command)
        self.folder = os.path.join(self.folder, os.path.basename(project)[:-6])
        with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
            self.joints = list(json.load(file)["joints"].values())

    def series(self, column):
        """Times (s) and angles (deg), about 600 points."""
        with open(os.path.join(self.folder, "joints.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        rows = rows[:: max(1, len(rows) // 600)]
        times = [float(row["time"]) for row in rows]
        return times, [math.degrees(float(row[column] or "nan")) for row in rows]

    def largest(self, figure):
        values = [abs(joint[figure]) for joint in self.joints if joint[figure] is not None]
        return max(values) if values else None

    def total(self, figure):
        return sum(joint[figure] or 0 for joint in self.joints)

    def rests_since(self):
        """When the last joint stopped (s), or None if one did not."""
        times = [joint["stop_time"] for joint in self.joints]
        return None if None in times else max(times)

    def has_limit_cycle(self):
        return self.largest("hunting_amplitude") is not None or self.rests_since() is None

    def row(self, name, moves_on):
        def degrees(value):
            return "" if value is None else "%.2f" % math.degrees(value)

        rest = self.rests_since()
        return [
            name,
            degrees(self.largest("rms_tracking_error")),
            degrees(self.largest("tracking_error")),
            "" if moves_on else "never" if rest is None else "%.2f" % rest,
            "" if moves_on else "%d" % self.total("reversals"),
            "" if moves_on else degrees(self.largest("hunting_amplitude")) or "none",
            "%.2f" % self.total("compensation_energy"),
            "%.2f" % self.total("dissipated_energy"),
        ]


def draw(path, task, runs):
    joint = TASKS[task][3]
    lines = [("desired", *runs["none"].series(joint + ".target"))]
    lines += [(case, *runs[case].series(joint + ".position")) for case in DRAWN]
    picture(path, f"{task}: {joint}", "deg", lines, min(round(lines[0][1][-1]), 8))


HEAD = ["rms error (deg)", "error at the end (deg)", "rests since (s)", "reversals", "hunts by (deg)"]
HEAD += ["energy put in (J)", "heat (J)"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("stiction")
    parser.add_argument("out")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--engine", default="mujoco")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    cycles = []
    for task in TASKS:
        moves_on = "sine" in task
        if options.short and moves_on:
            continue
        runs = {case: Run(options, task, case) for case in (PROMISED if options.short else CASES)}
        table([task] + HEAD, [run.row(case, moves_on) for case, run in runs.items()])
        cycles += [f"{task}, {case}" for case in PROMISED if not moves_on and runs[case].has_limit_cycle()]
        if not options.short:
            draw(os.path.join(options.out, folder_name(task) + ".svg"), task, runs)
    for cycle in cycles:
        print(f"a limit cycle: {cycle}", file=sys.stderr)
    return 1 if cycles else 0


if __name__ == "__main__":
    sys.exit(main())
