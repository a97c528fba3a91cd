#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the logs of a folder that is not part of the project (shared/fit) and prints how close the
results come to what a trial reached. acceptance.py COMMAND FOLDER; nothing to do without it."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

COMMAND, FOLDER = sys.argv[1:3]
ONLY = sys.argv[3:]
# our keys, those of truth.json, and the relative error that counts as found
KEYS = {"coulomb_torque": ("F_C", 0.03), "static_torque": ("F_S", 0.06), "viscous": ("D", 0.06),
        "stribeck_velocity": ("v_S", 0.20), "stiffness": ("K", 0.25),
        "reverse_factor": ("reverse_factor", 0.03), "load_motor": ("load_motor", 0.20),
        "load_external": ("load_external", 0.20),
        "temperature_level": ("temperature_level", 0.25),
        "temperature_viscous": ("temperature_viscous", 0.25), "ripple": ("ripple", 0.15)}


def fit(files, *options, joint="joint"):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "fit.json")
        log = os.path.join(folder, "log")
        with open(log, "w", encoding="utf-8") as to:
            run = subprocess.Popen([COMMAND, "fit", *files, "--joint", joint, "--json", out, *options],
                                   stdout=to, stderr=to)
            _, status, used = os.wait4(run.pid, 0)
        if status:
            with open(log, encoding="utf-8") as file:
                return {"error": file.read().strip().splitlines()[-1]}
        with open(out, encoding="utf-8") as file:
            result = json.load(file)
        result["seconds"] = used.ru_utime + used.ru_stime  # of one core
        return result


def real(name):
    return os.path.join(FOLDER, "real", name + ".csv")


def current(*names):
    return [real(name) for name in names], "--columns", \
        "time=time,position=q,velocity=dq,torque=current"


def real_cases():
    """name, files and options, error to reach or None, reach as a factor of the baseline."""
    ur = "--columns", "time=time,position=q,velocity=dq,torque=current"
    emps = "--columns", "time=time,position=q,torque=force"
    yield "UR10e J6 half", [real("ur10e_j6_single")], [*ur, "--hold-out", "0.5"], 0.033, 1.02
    yield "UR10e J4 half", [real("ur10e_j4_single")], [*ur, "--hold-out", "0.5"], 0.042, 1.02
    for other, reach in (("ex50", 0.039), ("ex30", 0.046)):
        yield (f"UR10e J6 single -> {other}", [real("ur10e_j6_single")],
               [*ur, "--hold-out", real("ur10e_j6_" + other)], reach, 1.02)
    yield "EMPS train -> test, torque", [real("emps_train")], \
        [*emps, "--hold-out", real("emps_test")], None, 1.02
    yield "EMPS train -> test, motion", [real("emps_train")], \
        [*emps, "--simulate", "--hold-out", real("emps_test")], 0.006, 1.02
    for test, reach in (("middle", 0.050), ("slow", 0.042)):
        others = [real("franka_j7_" + n) for n in ("high", "middle", "slow") if n != test]
        yield (f"Franka J7 others -> {test}", others,
               ["--hold-out", real("franka_j7_" + test)], reach, 1.02)
    for k, reach in ((1, 0.160), (2, 0.155), (3, 0.250)):
        yield f"go2 J{k} blocks", [real(f"go2_j{k}")], ["--hold-out", "0.5"], reach, 1.02
    for k in (1, 3, 5):
        yield (f"Damiao m{k} a,b -> c,d", [real(f"damiao_m{k}{n}") for n in "ab"],
               ["--hold-out", real(f"damiao_m{k}c"), real(f"damiao_m{k}d")], None, 1.05)
    yield "servo J_1 -> J_2", [real("servo_J_1")], ["--hold-out", real("servo_J_2")], None, 1.02


def show_real(pool):
    cases = [c for c in real_cases() if not ONLY or any(o in c[0] for o in ONLY)]
    results = list(pool.map(lambda c: fit(c[1], *c[2]), cases))
    print(f"{'real set':30} {'error':>8} {'reach':>8} {'plain':>8} {'ratio':>6} {'law':9} verdict")
    for (name, _, _, reach, factor), r in zip(cases, results):
        if "error" in r:
            print(f"{name:30} {r['error']}")
            continue
        rms, plain = r["held_out"]["rms"], r["held_out"]["baseline_rms"]
        good = (reach is None or rms <= reach) and rms <= factor * plain
        known = [k for k in ("static_torque", "stribeck_velocity", "stiffness")
                 if r["parameters"][k]["identifiable"]]
        warned = " warns of speeds" if any("faster" in w for w in r["warnings"]) else ""
        fs = r["parameters"]["static_torque"]["value"]
        print(f"{name:30} {rms:8.4g} {reach or '':>8} {plain:8.4g} {rms / plain:6.3f} "
              f"{r['law']:9} {'good' if good else 'MISSED'}; F_S {fs:.3g}; identified: "
              f"{', '.join(known) or 'none of F_S, v_S, K'}{warned}; averaged "
              f"{r['held_out'].get('averaged_rms', 0):.4g}; {r['seconds']:.0f} s")


def show_synthetic(pool):
    with open(os.path.join(FOLDER, "truth.json"), encoding="utf-8") as file:
        truth = {n: c for n, c in json.load(file).items()
                 if not ONLY or any(o in n for o in ONLY)}

    def one(name):
        case = truth[name]
        files = [os.path.join(FOLDER, "synthetic", f) for f in case["files"]]
        return fit(files, *(["--gravity"] if case["log"]["G"] else []))

    results = dict(zip(truth, pool.map(one, truth)))
    found = total = inside = covered = due = due_total = laws = 0
    for name, r in results.items():
        if "error" in r:
            print(f"{name:24} {r['error']}")
            continue
        case, line = truth[name], []
        law_right = (r["law"] == "coulomb") == (case["law"] == "coulomb")
        laws += law_right
        for key, (symbol, tolerance) in KEYS.items():
            bound = case["bounds"].get(symbol)
            if not bound:
                continue
            p, true = r["parameters"][key], case["parameters"][symbol]
            value = p["value"]
            error = abs(value / true - 1) if value is not None else float("inf")
            mark = ""
            if bound["cls"] == "identifiable":
                total += 1
                good = error <= tolerance
                found += good
                mark = "" if good else "*"
                if p["low"] is not None:
                    covered += 1
                    within = p["low"] <= true <= p["high"]
                    inside += within
                    mark += "" if within else "o"
            elif bound["cls"] == "not":
                due_total += 1
                good = not p["identifiable"] or error < 0.3
                due += good
                mark = "N" if good else "N*"
            else:
                mark = "g"
            if not p["identifiable"]:
                mark += "?"
            line.append(f"{symbol} {100 * error:.1f}{mark}")
        print(f"{name:24} {r['law']:9}{'' if law_right else '!'} {r['seconds']:3.0f} s  "
              f"{', '.join(line)}")
    print("errors in %; * outside the tolerance, o true value outside the 95 % interval, "
          "? said to be not identifiable, N not identifiable by truth.json, g neither")
    print(f"identifiable parameters within the tolerance: {found} of {total} (reach 71 of 82)")
    print(f"not identifiable where due, or error below 30 %: {due} of {due_total} (reach all)")
    print(f"Coulomb against stiction: {laws} of {len(results)} (reach all)")
    print(f"true value inside the 95 % interval: {inside} of {covered}, "
          f"{100 * inside / max(covered, 1):.0f} % (reach 80 %)")


if not os.path.isdir(FOLDER):
    print(f"{FOLDER} does not exist: nothing to fit")
    sys.exit(0)
with concurrent.futures.ThreadPoolExecutor(2) as workers:
    if not ONLY or ONLY[0] != "synthetic":
        show_real(workers)
    if ONLY and ONLY[0] == "synthetic":
        ONLY = ONLY[1:]
    show_synthetic(workers)
