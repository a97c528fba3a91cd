# SPDX-License-Identifier: MIT
"""What Python adds to the calls of the library, as ratios that one run measures side by side.

usage: python3 plugin/python/bench.py [--check] [--robots 4096] [--joints 37] [--threads 1,2]

C and Python take turns, so that both see the same machine; a figure is that of the fastest turn, which
others disturbed least. "C" is the bare call, its arguments made before. --check ends with 1 where a bound
of docs/python.md does not hold.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time

import numpy as np

import stiction
from stiction._abi import lib
from stiction._arrays import address

ROOT = pathlib.Path(__file__).resolve().parents[2]


def turns(calls, count, repeat):
    """The time of a call of each function, ns."""
    times = [[] for _ in calls]
    for _ in range(repeat):
        for k, call in enumerate(calls):
            start = time.perf_counter_ns()
            call(count)
            times[k].append((time.perf_counter_ns() - start) / count)
    return [min(each) for each in times]


def batch_part(robots, joints, threads):
    config = stiction.Config.parse(
        "stiction: 1\njoints: {'J*': {law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, "
        "stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000, damping: 50}}"
    )
    model = config.model([f"J{k}" for k in range(joints)], timestep=1e-3)
    worst = 0.0
    for joint_major in (False, True):
        batch = stiction.Batch(model, robots, threads, joint_major=joint_major)
        velocity = np.random.default_rng(1).normal(scale=0.1, size=batch.shape)
        torque = np.empty(batch.shape)
        step, pointer = lib.step_batch, batch._pointer
        arguments = (pointer, 1e-3, address(velocity), address(torque), None)

        def in_c(count):
            for _ in range(count):
                step(*arguments)

        def in_python(count):
            for _ in range(count):
                batch.step(velocity, out=torque)

        c, python = turns([in_c, in_python], 1, 200)
        ratio = python / c
        order = "joint by joint" if joint_major else "robot by robot"
        print(
            f"batch.step, {robots} x {joints}, {threads} thread(s), {order}: {python / 1000:.1f} us, "
            f"{c / (robots * joints):.2f} ns a joint in C; {ratio:.3f} of the C call"
        )
        worst = max(worst, ratio)
    return worst


def simulation_part():
    """sim.step of the wrist against the same steps in one call of C."""
    from stiction import _engine

    project = ROOT / "sample_projects" / "wrist" / "wrist.cnoid"
    c, python = (stiction.Simulation(project, controller="none", interval=None) for _ in range(2))
    torque = np.array([1.0])
    api, step_time = _engine.engine(), c.timestep

    def in_c(count):
        error = stiction.errors.new_error()
        api.run(c._pointer, c.time + count * step_time, error)

    def in_python(count):
        for _ in range(count):
            python.step(torque)

    own, ours = turns([in_c, in_python], 100, 400)
    print(f"sim.step of the wrist: {ours / 1000:.2f} us, {own / 1000:.2f} us in C: {(ours - own) / 1000:.2f} us above")
    return (ours - own) / 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--robots", type=int, default=4096)
    parser.add_argument("--joints", type=int, default=37)
    parser.add_argument("--threads", default=f"1,{os.cpu_count() or 1}")
    given = parser.parse_args()
    failed = False
    for threads in sorted({int(number) for number in given.threads.split(",")}):
        failed |= batch_part(given.robots, given.joints, threads) > 1.1
    try:
        failed |= simulation_part() > 5
    except ImportError as problem:
        print(f"sim.step: not measured: {problem}")
    return int(given.check and failed)


if __name__ == "__main__":
    sys.exit(main())
