# SPDX-License-Identifier: MIT
"""Which robots load, run and hold, each alone on a fixed base, as a table.

    PYTHONPATH=plugin/python python3 tools/robots_table.py ROBOT...

Friction is what `stiction init` estimates. A robot runs that falls for 1 s, without a controller, to the
end of it. It holds whose joints, with their weight carried and 0.8 of the friction torque besides, ramped up
in 0.2 s, move less than 1e-9 rad in the second that comes then.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import stiction
from stiction.command import find_command

TIMESTEP = 1e-3


def friction_of(robot, folder):
    """The configuration that init begins, as a file; None and an error message where it cannot."""
    path = os.path.join(folder, "friction.yaml")
    with open(path, "w") as out:
        done = subprocess.run([find_command(), "init", robot, "--fixed-base"], stdout=out, stderr=subprocess.PIPE,
                              text=True)
    if done.returncode == 0:
        return path, ""
    lines = [line for line in done.stderr.splitlines() if "warning: " not in line]
    return None, lines[0] if lines else "no word"


def simulation(robot, friction):
    return stiction.Simulation(robot, config=friction, timestep=TIMESTEP, fixed_base=True,
                               settings={"element": "rigid", "coupling": "implicit"})


def weight_of(sim):
    """What carries every joint where it is: N m."""
    weight = np.zeros(len(sim.q))
    for k, body in enumerate(sim.bodies):
        if body.joints:
            weight[body.joints.start:body.joints.stop] = sim.bias(k)[body.dof - len(body.joints):]
    return weight


def runs(robot, friction):
    with simulation(robot, friction) as sim:
        sim.run(1.0)
    return "yes"


def holds(robot, friction):
    with simulation(robot, friction) as sim:
        level = np.nan_to_num([sim.parameter(joint.name, "coulomb_torque") for joint in sim.joints])
        while sim.time < 0.2:
            sim.step(weight_of(sim) + 0.8 * sim.time / 0.2 * level)
        before = sim.q.copy()
        while sim.time < 1.2:
            sim.step(weight_of(sim) + 0.8 * level)
        moved = np.abs(sim.q - before)
        worst = int(np.argmax(moved))
        name = sim.joints[worst].name
    return "yes" if moved[worst] < 1e-9 else f"no: '{name}' moves by {moved[worst]:.2g}"


def judge(what, robot, friction):
    try:
        return what(robot, friction)
    except stiction.Error as error:
        return "no: " + error.message


def row(robot):
    name = os.path.basename(robot)
    with tempfile.TemporaryDirectory() as folder:
        friction, why = friction_of(robot, folder)
        if not friction:
            return f"| `{name}` | | no: {why.split(': ', 1)[-1]} | | |"
        try:
            with simulation(robot, friction) as sim:
                joints = len(sim.q)
        except stiction.Error as error:
            return f"| `{name}` | | no: {error.message} | | |"
        return f"| `{name}` | {joints} | yes | {judge(runs, robot, friction)} | {judge(holds, robot, friction)} |"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| robot | joints | loads | runs | holds |\n|---|---|---|---|---|")
    for robot in sys.argv[1:]:
        print(row(robot), flush=True)
