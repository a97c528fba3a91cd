#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What stiction does to controllers of mc_rtc: all runs of README.md.

usage: study.py STICTION JVRC_MJ_DESCRIPTION OUT [--engine choreonoid] [--part NAME]...

STICTION is the command, built where CMake found mc_rtc; JVRC_MJ_DESCRIPTION the folder of the robot's
files (xml/jvrc1.xml, pdgains/PDgains_sim.dat). Runs into OUT, prints the tables of README.md and
exits with 1 if a figure differs from that of README.md by more than 15 %. What is there already is
not run again. Parts: stock, squat, yield, compensation, standing.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FRICTION = os.path.join(HERE, "jvrc1.yaml")
TOLERANCE = 0.15
PARTS = ["stock", "squat", "yield", "compensation", "standing"]
PULL = 20  # N
# mm, mm, -, mm: what README.md says; friction off, on
EXPECTED = {
    "mujoco": {
        "Posture": (12, 12),
        "CoM": (12, 12),
        "squat": (6.2, 23.6),
        "yield": (1.02, 0.05),
    },
    "choreonoid": {"squat": (7.5, 21.5)},
}


class Study:
    def __init__(self, arguments):
        self.stiction = arguments.stiction
        self.files = arguments.files
        self.out = os.path.abspath(arguments.out)
        self.engine = arguments.engine
        self.worst = []
        os.makedirs(self.out, exist_ok=True)
        robot = os.path.join(self.out, "robot")
        self.project = os.path.join(robot, "jvrc1.cnoid")
        if not os.path.exists(self.project):
            xml = os.path.join(self.files, "xml", "jvrc1.xml")
            self.call([self.stiction, "new", xml, "--out", robot])

    @staticmethod
    def call(command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    def configuration(self, name, **squat):
        """mc_rtc.yaml with other values below `squat`."""
        with open(os.path.join(HERE, "mc_rtc.yaml"), encoding="utf-8") as file:
            text = file.read()
        for key, value in squat.items():
            text, count = re.subn(rf"(?m)^  {key}: \S+", f"  {key}: {value}", text)
            assert count == 1, key
        path = os.path.join(self.out, name + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, name, duration, friction, options, settings=()):
        """summary.json and the rows of the series, every 10 ms."""
        folder = os.path.join(self.out, self.engine, name)
        if not os.path.exists(os.path.join(folder, "jvrc1", "summary.json")):
            command = [self.stiction, "run", self.project, "--out", folder, "--no-report", "--force"]
            command += ["--engine", self.engine, "--interval", "0.01", "--duration", str(duration)]
            command += ["--controller", "jvrc1=mc_rtc:" + ",".join(options)]
            command += ["--config", FRICTION] if friction else ["--set", "friction=none"]
            for setting in settings:
                command += ["--set", setting]
            self.call(command)
        with open(os.path.join(folder, "jvrc1", "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        with open(os.path.join(folder, "jvrc1", "joints.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return summary, rows

    def compare(self, what, values):
        expected = EXPECTED[self.engine].get(what)
        for value, wanted in zip(values, expected or ()):
            if not abs(value - wanted) <= TOLERANCE * wanted:
                self.worst.append(f"{what}: {value:.3g} instead of {wanted:g}")


def column(rows, name):
    """Of the controller: its name in the series has a prefix."""
    key = next(k for k in rows[0] if k == name or k.endswith("." + name))
    return [float(row[key]) for row in rows]


def error(rows, begin=0.0):
    """mm: rms and largest of the centre of mass."""
    times = column(rows, "time")
    errors = [1e3 * e for t, e in zip(times, column(rows, "com_error")) if t >= begin]
    return math.sqrt(sum(e * e for e in errors) / len(errors)), max(errors)


def off_and_on(run):
    return [run(friction) for friction in (False, True)]


def stock(study):
    print("| controller, position references | friction off | on |\n|---|---|---|")
    gains = "gains=" + os.path.join(study.files, "pdgains", "PDgains_sim.dat")
    path = study.configuration("stock")
    for name in ("Posture", "CoM"):
        found = off_and_on(
            lambda friction: error(
                study.run(
                    f"{name}_{friction}",
                    5,
                    friction,
                    ["config=" + path, gains, "mode=position", "controller=" + name],
                )[1]
            )[0]
        )
        print(f"| {name} | {found[0]:.1f} mm | {found[1]:.1f} mm |")
        study.compare(name, found)
    print()


def squat(study):
    path = study.configuration("squat")
    found = off_and_on(
        lambda friction: error(
            study.run(f"squat_{friction}", 9, friction, ["config=" + path, "mode=auto"])[1], 1
        )
    )
    print("| squat 50 mm, QP torques | friction off | on |\n|---|---|---|")
    print(f"| CoM error rms | {found[0][0]:.1f} mm | {found[1][0]:.1f} mm |")
    print(f"| largest | {found[0][1]:.1f} mm | {found[1][1]:.1f} mm |\n")
    study.compare("squat", [f[0] for f in found])


def yields(study):
    """The displacement of the centre of mass under a pull at the pelvis, over that of the spring
    that its task is: force / (mass stiffness)."""
    path = study.configuration("pulled", depth=0)
    stiffness = 20
    push = f"push=link=PELVIS_S force={PULL},0,0 time=3 duration=6"

    def give(friction):
        summary, rows = study.run(
            f"yield_{friction}", 8, friction, ["config=" + path, "mode=auto"], [push]
        )
        x = column(rows, "com_x")
        times = column(rows, "time")
        before = x[next(k for k, t in enumerate(times) if t >= 2.9)]
        mass = next(iter(summary["bodies"].values()))["mass"]
        return (x[-1] - before) / (PULL / (mass * stiffness))

    found = off_and_on(give)
    print(f"| pull of {PULL} N at the pelvis | friction off | on |\n|---|---|---|")
    print(f"| displacement over that of its spring | {found[0]:.2f} | {found[1]:.2f} |\n")
    study.compare("yield", found)


def compensation(study):
    path = study.configuration("squat")
    rows = [
        ("no friction", False, 0, 1),
        ("none", True, 0, 1),
        ("exact", True, 1, 1),
        ("30 % too small", True, 1, 0.7),
        ("30 % too large", True, 1, 1.3),
    ]
    print("| compensation | CoM error rms | largest |\n|---|---|---|")
    for name, friction, share, factor in rows:
        options = ["config=" + path, "mode=auto"]
        if share:
            scaled = os.path.join(study.out, f"friction_{factor}.yaml")
            scale(FRICTION, scaled, factor)
            options += ["compensation=desired", "friction=" + scaled, f"compensation_share={share}"]
        label = "squat_" + str(friction) + (f"_compensated_{factor}" if share else "")
        found = error(study.run(label, 9, friction, options)[1], 1)
        print(f"| {name} | {found[0]:.1f} mm | {found[1]:.1f} mm |")
    print()


def scale(source, target, factor):
    """The torques of a friction file, times a factor."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    keys = "static_torque|coulomb_torque|viscous"
    text = re.sub(
        rf"(?m)^(    (?:{keys}): )([\d.]+)",
        lambda m: f"{m[1]}{float(m[2]) * factor:.6g}",
        text,
    )
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


def standing(study):
    path = study.configuration("pulled", depth=0)
    summary, rows = study.run("standing", 30, True, ["config=" + path, "mode=auto"])
    falls = next(iter(summary["bodies"].values()))["falls"]
    print("| 30 s of standing, QP torques, friction | |\n|---|---|")
    print(f"| falls | {falls:g} |\n| CoM error, largest | {error(rows)[1]:.1f} mm |\n")
    if falls or not summary["complete"]:
        study.worst.append("the robot falls while it stands")


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("stiction")
    parser.add_argument("files")
    parser.add_argument("out")
    parser.add_argument("--engine", default="mujoco", choices=["mujoco", "choreonoid"])
    parser.add_argument("--part", action="append", choices=PARTS)
    arguments = parser.parse_args()
    study = Study(arguments)
    parts = dict(zip(PARTS, (stock, squat, yields, compensation, standing)))
    for name in arguments.part or PARTS:
        parts[name](study)
    for line in study.worst:
        print("differs from README.md:", line, file=sys.stderr)
    return bool(study.worst)


if __name__ == "__main__":
    sys.exit(main())
