#!/bin/sh
# SPDX-License-Identifier: MIT
# peers.sh SOURCES WORK: the reduced comparison with the simulators that are installed. Ours must hold
# without creep, break away at the static torque and stop where the independent reference does.
set -u
sources=$1
work=$2
mkdir -p "$work"
sh "$sources/tools/peers/run.sh" --reduced --out "$work" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q 'MuJoCo 3 was not given' "$work/log" || [ -n "${MUJOCO3_ROOT:-}" ] ||
    { echo "no word about a contestant that is not there"; exit 1; }
[ -s "$work/peers.html" ] && [ -s "$work/peers.md" ] || { echo "no page"; exit 1; }
python3 - "$work/peers.json" <<'END'
import json
import sys

data = json.load(open(sys.argv[1], encoding="utf-8"))
value = {(f["problem"], f["contestant"], f["figure"]): f["value"] for f in data["figures"]}
problems = []


def within(problem, contestant, figure, least, most):
    is_now = value[problem, contestant, figure]
    print(f"{problem}, {contestant}, {figure}: {is_now}")
    if is_now is None or not least <= is_now <= most:
        problems.append(f"{problem}, {contestant}: {figure} is {is_now}, not from {least} to {most}")


for reference in [f for f in data["figures"] if f["contestant"] == "reference"]:
    # two methods agree: 1e-4 of the values, which is less than any figure that is shown
    if not reference["error"] <= 1e-4 * max(1, abs(reference["value"])):
        problems.append(f"the reference of {reference['problem']} is known to {reference['error']} only")
rigid, bristle = "stiction implicit, rigid", "stiction implicit, bristle"
for name in (rigid, bristle):
    within("hold", name, "creep, worst of 36 cases", 0, 1e-12)
    within("disturbed", name, "creep under dither", 0, 1e-12)
    # the load rises by 1 N m/s, and is read a few milliseconds after the break-away
    within("ramp", name, "break-away torque, error", 0, 1)
    # explicit and implicit coupling differ by a step: 1 ms of a motion of some 20 deg/s
    within("wrist", name, "stop angle, error", 0, 0.03)
    within("stick-slip", name, "period, error", 0, 1)
within("7-joint arm, coasting", rigid, "pose at rest, error", 0, 2e-3)
# a contestant that is known to creep does, so that the suite sees creep
within("hold", "MuJoCo 2 frictionloss", "creep, wrist at 0.9 F_S, 1 ms", 1e-3, 1)
print("\n".join(problems))
sys.exit(bool(problems))
END
