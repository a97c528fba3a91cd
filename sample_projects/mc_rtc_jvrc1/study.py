#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What stiction does to controllers of mc_rtc: all runs of README.md.

usage: study.py STICTION JVRC_MJ_DESCRIPTION OUT [--choreonoid] [--part NAME]...

STICTION is the command, built where CMake found mc_rtc; JVRC_MJ_DESCRIPTION the folder of the robot's
files (xml/jvrc1.xml, pdgains/PDgains_sim.dat). Runs into OUT, with --choreonoid also in Choreonoid's
AIST simulator with both of its integrators, prints the tables of README.md and exits with 1 if a
figure differs from EXPECTED by more than 15 %. What is there already is not run again. Parts: table,
compensation, joints, standing, tvm.
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
CONFIGURATION = os.path.join(HERE, "mc_rtc.yaml")
FRICTION = os.path.join(HERE, "jvrc1.yaml")
TOLERANCE, LEAST = 0.15, 0.05  # relative, and absolute where a figure is about 0
PULL, SOFT = 20, 20  # N; s^-2: the stiffness of a robot that should yield
# As in README.md: mm rms of the centre of mass, or the yield; friction off and on
EXPECTED = {
    "Posture": (11.1, 10.2),
    "CoM": (11.1, 11.2),
    "squat, embedded engine": (5.5, 22.2),
    "squat, AIST": (5.5, 20.8),
    "squat, AIST with Runge-Kutta": (5.5, 20.8),
    "squat, compensated": (5.5, 10.1),
    "yield": (1.02, 0.01),
}
HOSTS = {  # --engine, project
    "embedded engine": ("mujoco", "mc_rtc_jvrc1"),
    "AIST": ("choreonoid", "mc_rtc_jvrc1"),
    "AIST with Runge-Kutta": ("choreonoid", "mc_rtc_jvrc1_runge_kutta"),
}


class Study:
    def __init__(self, arguments):
        self.stiction = arguments.stiction
        self.files = arguments.files
        self.out = os.path.abspath(arguments.out)
        self.hosts = list(HOSTS) if arguments.choreonoid else ["embedded engine"]
        self.differences = []
        self.robot = os.path.join(self.out, "robot")
        os.makedirs(self.out, exist_ok=True)
        if not os.path.exists(self.robot):
            xml = os.path.join(self.files, "xml", "jvrc1.xml")
            done = self.call([self.stiction, "new", xml, "--out", self.robot])
            if done.returncode:
                sys.exit(done.stderr)
        self.write_projects()

    @staticmethod
    def call(command):
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def write_projects(self):
        """Those of HOSTS, which Choreonoid's window opens as well."""
        with open(os.path.join(self.robot, "jvrc1.cnoid"), encoding="utf-8") as file:
            text = file.read()
        for key, value in (
            ("controllerOptions", "mc_rtc:config=" + CONFIGURATION),
            ("configuration_file", FRICTION),
        ):
            text = replace(text, rf"(?m)^( +{key}: ).*$", f'"{value}"')
        integrated = replace(text, r"(?m)^( +integrationMode: ).*$", "runge-kutta")
        for name, content in (("", text), ("_runge_kutta", integrated)):
            write(os.path.join(self.robot, f"mc_rtc_jvrc1{name}.cnoid"), content)

    def configuration(self, name, **squat):
        """mc_rtc.yaml with other values below `squat`."""
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = file.read()
        for key, value in squat.items():
            text = replace(text, rf"(?m)^(  {key}: )\S+", value)
        return write(os.path.join(self.out, name + ".yaml"), text)

    def run(self, name, duration, friction, options, settings=(), host="embedded engine"):
        """summary.json and the rows of the series, every 10 ms, also of a run that failed."""
        engine, project = HOSTS[host]
        folder = os.path.join(self.out, "runs", re.sub(r"\W+", "_", f"{host} {name}"))
        results = os.path.join(folder, project)
        if not os.path.exists(os.path.join(results, "summary.json")):
            command = [self.stiction, "run", os.path.join(self.robot, project + ".cnoid")]
            command += ["--out", folder, "--no-report", "--force", "--engine", engine]
            command += ["--interval", "0.01", "--duration", str(duration)]
            command += ["--controller", "jvrc1=mc_rtc:" + ",".join([*options, "times=1"])]
            file = FRICTION if friction is True else friction
            command += ["--config", file] if friction else ["--set", "friction=none"]
            for setting in settings:
                command += ["--set", setting]
            done = self.call(command)
            if not os.path.exists(os.path.join(results, "summary.json")):
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
        with open(os.path.join(results, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        with open(os.path.join(results, "joints.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return summary, rows

    def compare(self, what, values):
        for value, wanted in zip(values, EXPECTED[what]):
            if not abs(value - wanted) <= max(TOLERANCE * wanted, LEAST):
                self.differences.append(f"{what}: {value:.3g} instead of {wanted:g}")


def replace(text, pattern, value):
    """Keeps the pattern's group and replaces what follows."""
    text, count = re.subn(pattern, lambda found: f"{found[1]}{value}", text)
    assert count >= 1, pattern
    return text


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def column(rows, name):
    """Of the controller: its name in the series has a prefix."""
    key = next(k for k in rows[0] if k == name or k.endswith("." + name))
    return [float(row[key]) for row in rows]


def error(rows, begin=0.0):
    """mm: rms and largest of the centre of mass."""
    times = column(rows, "time")
    errors = [1e3 * e for t, e in zip(times, column(rows, "com_error")) if t >= begin]
    return math.sqrt(sum(e * e for e in errors) / len(errors)), max(errors)


def give(rows, mass):
    """The displacement of the centre of mass under PULL, over that of the spring of its task."""
    x = column(rows, "com_x")
    before = x[next(k for k, t in enumerate(column(rows, "time")) if t >= 2.9)]
    return (x[-1] - before) / (PULL / (mass * SOFT))


def print_table(title, head, rows):
    print(f"## {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def off_and_on(study, name, duration, options, begin=0.0, **given):
    """mm: (rms, largest) without and with friction."""
    return [
        error(study.run(f"{name} {friction}", duration, friction, options, **given)[1], begin)
        for friction in (False, True)
    ]


def table(study):
    config = "config=" + CONFIGURATION
    gains = "gains=" + os.path.join(study.files, "pdgains", "PDgains_sim.dat")
    found = {}
    for name in ("Posture", "CoM"):
        options = [config, gains, "mode=position", "controller=" + name]
        found[name] = off_and_on(study, name, 5, options)
    for host in study.hosts:
        found["squat, " + host] = off_and_on(study, "squat", 9, [config], 1, host=host)
    rows = []
    for name, errors in found.items():
        study.compare(name, [rms for rms, _ in errors])
        rows.append([name] + [f"{rms:.1f} ({largest:.1f})" for rms, largest in errors])
    print_table(
        "Error of the centre of mass, rms (largest), mm", ["", "friction off", "on"], rows
    )
    yields = []
    soft = ["config=" + study.configuration("soft", depth=0, stiffness=SOFT)]
    push = [f"push=link=PELVIS_S force={PULL},0,0 time=3 duration=6"]
    for friction in (False, True):
        summary, series = study.run(f"pulled {friction}", 8, friction, soft, push)
        yields.append(give(series, next(iter(summary["bodies"].values()))["mass"]))
    study.compare("yield", yields)
    print_table(
        f"Displacement under a pull of {PULL} N, over that of a task of {SOFT} s^-2",
        ["friction off", "on"],
        [[f"{y:.2f}" for y in yields]],
    )


def compensation(study):
    cases = (("no friction", False, None), ("none", True, None), ("exact", True, 1.0))
    cases += (("30 % too small", True, 0.7), ("30 % too large", True, 1.3))
    rows, errors = [], {}
    for name, friction, factor in cases:
        options, label = ["config=" + CONFIGURATION], f"squat {friction}"
        if factor:
            options += ["compensation=desired", "compensation_share=1"]
            options += ["friction=" + scaled_friction(study, factor)]
            label += f" compensated {factor}"
        found = error(study.run(label, 9, friction, options)[1], 1)
        errors[name] = found[0]
        rows.append([name, f"{found[0]:.1f}", f"{found[1]:.1f}"])
    study.compare("squat, compensated", [errors["no friction"], errors["exact"]])
    print_table("Squat with friction fed forward, mm", ["", "rms", "largest"], rows)


def scaled_friction(study, factor):
    """jvrc1.yaml with its torques times a factor."""
    with open(FRICTION, encoding="utf-8") as file:
        text = file.read()
    keys = "static_torque|coulomb_torque|viscous"
    text = re.sub(
        rf"(?m)^(    (?:{keys}): )([\d.]+)",
        lambda m: f"{m[1]}{float(m[2]) * factor:.6g}",
        text,
    )
    return write(os.path.join(study.out, f"friction_{factor}.yaml"), text)


def joints(study):
    """Whose friction matters to the squat."""
    with open(FRICTION, encoding="utf-8") as file:
        text = file.read()
    head, lines = text.split("\njoints:\n")
    rows = []
    for name, wanted in (("legs", True), ("all others", False)):
        kept = [
            line
            for line in lines.splitlines()
            if bool(re.search("HIP|KNEE|ANKLE", line)) == wanted
        ]
        path = os.path.join(study.out, f"friction_{name}.yaml".replace(" ", "_"))
        write(path, head + "\njoints:\n" + "\n".join(kept) + "\n")
        found = error(study.run(f"squat {name}", 9, path, ["config=" + CONFIGURATION])[1], 1)
        rows.append([name, f"{found[0]:.1f}", f"{found[1]:.1f}"])
    print_table("Squat with friction in some joints, mm", ["", "rms", "largest"], rows)


def standing(study):
    still = ["config=" + study.configuration("still", depth=0)]
    rows = []
    for host in study.hosts:
        summary, series = study.run("standing", 30, True, still, host=host)
        falls = next(iter(summary["bodies"].values()))["falls"]
        own = summary["controllers"][0]
        rows.append(
            [host, f"{falls:g}", f"{error(series)[1]:.1f} mm"]
            + [f"{own[key]:.2f} ms" for key in ("mc_rtc_ms", "bridge_ms")]
        )
        if falls or not summary["complete"]:
            study.differences.append("the robot does not stand for 30 s")
    head = ["30 s", "falls", "largest CoM error", "step of mc_rtc", "of the bridge"]
    print_table("Standing under friction with QP torques", head, rows)


def tvm(study):
    rows = []
    for first in ("robot", "ground"):
        path = study.configuration(f"{first}_first", ground_first=str(first == "ground").lower())
        row = [f"contacts name the {first} first"]
        for friction in (False, True):
            options = ["config=" + path, "controller=Squat_TVM"]
            summary, series = study.run(f"tvm {first} {friction}", 9, friction, options)
            if summary["complete"]:
                row.append("{:.1f} ({:.1f})".format(*error(series, 1)))
            else:
                row.append(f"stops after {column(series, 'time')[-1]:.2f} s")
        rows.append(row)
    print_table("The squat with the backend TVM, mm", ["", "friction off", "on"], rows)


PARTS = {
    "table": table,
    "compensation": compensation,
    "joints": joints,
    "standing": standing,
    "tvm": tvm,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("stiction")
    parser.add_argument("files")
    parser.add_argument("out")
    parser.add_argument("--choreonoid", action="store_true")
    parser.add_argument("--part", action="append", choices=list(PARTS))
    arguments = parser.parse_args()
    study = Study(arguments)
    for name in arguments.part or PARTS:
        PARTS[name](study)
    for line in study.differences:
        print("differs from README.md:", line, file=sys.stderr)
    return bool(study.differences)


if __name__ == "__main__":
    sys.exit(main())
