# SPDX-License-Identifier: MIT
"""Which robots load, hold, keep their posture and stand, as a table.

    PYTHONPATH=plugin/python python3 tools/robots_table.py ROBOT|FOLDER...

Of a folder all .urdf, .body and MJCF files that move and are not scenes. Friction is what `stiction init`
writes. On a fixed base, 1 s each: a robot runs that falls without a controller; it holds whose joints move by
less than 1e-9 rad under brakes that have settled for 1 s, `coupling: auto`, the brakes being twice the largest
weight that a joint of its kind carries, at least 10 N m; it keeps its posture under `--controller posture` within 2 deg (5 mm). It stands that is on a
floor with that controller for 3 s. "absurd": speeds above 200 rad/s or links below the floor, and yet called
stable. The time is that of holding, s of processor time for each simulated one; a robot has 300 s of it.
"""
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

import numpy as np
import stiction
from stiction.command import find_command

LOST_MESH = re.compile(r"(open STL file|parse OBJ file|opening file|cannot (read|open))", re.IGNORECASE)
MOST_SECONDS = 300
COLUMNS = ("joints", "loads", "runs", "holds", "posture", "stands", "s per s")


def is_robot(path):
    name = os.path.basename(path)
    if name.startswith("."):
        return False
    if name.endswith((".urdf", ".body")):
        return True
    if not name.endswith(".xml") or name.startswith("scene"):
        return False
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError):
        return False
    parts = {part.tag for part in root}
    moves = root.find(".//worldbody//joint") is not None or root.find(".//worldbody//freejoint") is not None
    return root.tag == "mujoco" and not parts & {"body", "geom"} and (moves or "include" in parts)


def robots_in(folders):
    for folder in folders:
        if not os.path.isdir(folder):
            yield folder
        for place, _, names in sorted(os.walk(folder)):
            yield from (path for path in (os.path.join(place, name) for name in sorted(names)) if is_robot(path))


def friction_of(robot, folder):
    """The configuration that init begins; an error where it cannot."""
    path = os.path.join(folder, "friction.yaml")
    with open(path, "w") as out:
        done = subprocess.run([find_command(), "init", robot], stdout=out, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return path
    lines = [line for line in done.stderr.splitlines() if "warning: " not in line]
    raise RuntimeError(lines[0] if lines else f"init ends with {done.returncode}")


def weight_of(sim):
    """What carries every joint where it is: N m."""
    weight = np.zeros(len(sim.q))
    for k, body in enumerate(sim.bodies):
        if body.joints:
            weight[body.joints.start:body.joints.stop] = sim.bias(k)[body.dof - len(body.joints):]
    return weight


def brakes_for(sim, friction):
    config = stiction.Config.load(friction)
    weight = np.abs(weight_of(sim))
    for slides in (False, True):
        kind = [k for k, joint in enumerate(sim.joints) if joint.prismatic == slides]
        most = max(2 * max(weight[kind], default=0), 10)
        for k in kind:
            name, own = sim.joints[k].name, sim.parameter(sim.joints[k].name, "coulomb_torque")
            if own < most:
                config.set(name, coulomb_torque=float(most))
    return config


def falls_freely(sim):
    """Whether the base falls freely: the robot touches nothing; warnings of the run give the reason."""
    return sim.base.position[2] < -0.4 * 9.8 * sim.time**2


def simulate(robot, seconds, folder, **options):
    """The simulation, and whether it was absurd and called stable."""
    sim = stiction.Simulation(robot, duration=seconds, interval=0.01, **options)
    fastest, start = 0.0, sim.base.position[2]
    for k in range(round(50 * seconds)):
        sim.run(0.02 * (k + 1))
        fastest = max(fastest, np.abs(sim.dq).max(initial=0))
    results = sim.write(os.path.join(folder, f"out{time.monotonic_ns()}"))
    # the origin of a base may be below what touches
    deep = options.get("floor") and not falls_freely(sim) and sim.base.position[2] < min(start, 0) - 0.05
    return sim, results.summary["stable"], (fastest > 200 or deep) and results.summary["stable"]


def runs(robot, friction, folder):
    _, stable, absurd = simulate(robot, 1.0, folder, config=friction, fixed_base=True)
    return "absurd" if absurd else "yes" if stable else "not stable"


def holds(robot, friction, folder, spent):
    with stiction.Simulation(robot, config=friction, fixed_base=True) as sim:
        brakes = brakes_for(sim, friction)
    with stiction.Simulation(robot, config=brakes, fixed_base=True, interval=None, duration=10) as sim:
        sim.run(1)
        before, start = sim.q.copy(), time.process_time()
        sim.run(2)
        spent.append(time.process_time() - start)
        moved = np.abs(sim.q - before)
        if moved.max(initial=0) < 1e-9:
            return "yes"
        worst = int(np.argmax(moved))
        return f"no: '{sim.joints[worst].name}' by {moved[worst]:.2g}"


def posture(robot, friction, folder):
    with stiction.Simulation(robot, config=friction, fixed_base=True, duration=1) as sim:
        before = sim.q.copy()
        bounds = np.array([0.005 if joint.prismatic else np.radians(2) for joint in sim.joints])
    sim, stable, absurd = simulate(robot, 1.0, folder, config=friction, fixed_base=True, controller="posture")
    moved = np.abs(sim.q - before) / bounds
    if absurd:
        return "absurd"
    if moved.max(initial=0) > 1:
        worst = int(np.argmax(moved))
        return f"no: '{sim.joints[worst].name}' by {abs(sim.q[worst] - before[worst]):.2g}"
    return "yes" if stable else "not stable"


def stands(robot, friction, folder):
    with stiction.Simulation(robot, floor=True, duration=1) as sim:
        if sim.bodies[0].dof == len(sim.q):
            return "fixed"
        height = sim.base.position[2]
    sim, stable, absurd = simulate(robot, 3.0, folder, config=friction, floor=True, controller="posture")
    if absurd:
        return "absurd"
    if falls_freely(sim):
        return "nothing touches"
    return "falls" if height - sim.base.position[2] > 0.2 * abs(height) else "yes" if stable else "not stable"


def judge(what, *arguments):
    try:
        return what(*arguments)
    except stiction.Error as error:
        return "no: " + error.message


def row(robot):
    cells = dict.fromkeys(COLUMNS, "")
    with tempfile.TemporaryDirectory() as folder:
        try:
            friction, spent = friction_of(robot, folder), []
            with stiction.Simulation(robot, config=friction, fixed_base=True) as sim:
                cells["joints"] = str(len(sim.q))
        except (stiction.Error, RuntimeError) as error:
            message = str(error).replace(robot, "")
            cells["loads"] = ("lacks a mesh: " if LOST_MESH.search(message) else "no: ") + message.split(": ", 1)[-1]
            return cells
        cells["loads"] = "yes"
        cells["runs"] = judge(runs, robot, friction, folder)
        cells["holds"] = judge(holds, robot, friction, folder, spent)
        cells["posture"] = judge(posture, robot, friction, folder)
        cells["stands"] = judge(stands, robot, friction, folder)
        cells["s per s"] = f"{spent[0]:.2g}" if spent else ""
    return cells


def guarded_row(robot):
    """In a process of its own: a robot may end or stop it."""
    command = [sys.executable, __file__, "--row", robot]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5)),
    )
    if done.returncode == -signal.SIGXCPU:
        return dict.fromkeys(COLUMNS, "") | {"loads": f"no: takes more than {MOST_SECONDS} s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("row\t")]
    if not lines:
        return dict.fromkeys(COLUMNS, "") | {"loads": f"no: ends with {done.returncode}: {done.stderr[-200:]!r}"}
    return dict(zip(COLUMNS, lines[-1].split("\t")[1:]))


def main(arguments):
    if arguments[:1] == ["--row"]:
        print("row", *(cell.replace("\n", " ") for cell in row(arguments[1]).values()), sep="\t")
        return
    if not arguments:
        sys.exit(__doc__)
    print("| robot | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (1 + len(COLUMNS)))
    rows = []
    for robot in robots_in(arguments):
        rows.append(guarded_row(robot))
        name = "/".join(robot.split(os.sep)[-2:])
        print(f"| `{name}` | " + " | ".join(rows[-1].values()) + " |", flush=True)
    without = [cells for cells in rows if "has no joints" in cells["loads"]]
    lacking = [cells for cells in rows if cells["loads"].startswith("lacks")]
    whole = [cells for cells in rows if cells not in without and cells not in lacking]
    loaded = [cells for cells in whole if cells["loads"] == "yes"]
    held = [cells for cells in loaded if cells["holds"] == "yes" and not cells["runs"].startswith("no:")]
    absurd = sum("absurd" in cells.values() for cells in rows)
    print(f"\n{len(rows)} files, {len(lacking)} lack meshes, {len(without)} have no joints; of the other {len(whole)} "
          f"load {len(loaded)}, run and hold {len(held)}; absurd and called stable: {absurd}")


if __name__ == "__main__":
    main(sys.argv[1:])
