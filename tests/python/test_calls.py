# SPDX-License-Identifier: MIT
"""Random sequences of calls: objects are closed in the middle, views outlive them, threads share them, and a
child goes on after a fork. Nothing crashes or hangs; what goes wrong is an exception of ours.

    CALLS_SEED=1 CALLS_CASES=500 python3 tests/python/test_calls.py   # as CTest runs python.calls, longer
"""
import copy
import gc
import logging
import math
import os
import pickle
import random
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import helpers
import stiction

SEED = int(os.environ.get("CALLS_SEED", "1"))
# the allocator of the address sanitizer hangs in a child that is made while other threads allocate
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
CASES = int(os.environ.get("CALLS_CASES", "6" if SANITIZED else "60"))
WRIST = helpers.SOURCES / "sample_projects/wrist/wrist.cnoid"
PROJECTS = [
    (WRIST, {}),
    (WRIST, {"settings": {"coupling": "implicit"}}),
    (helpers.SOURCES / "sample_projects/two_link/two_link.cnoid", {"settings": {"coupling": "auto"}}),
    (helpers.SOURCES / "tests/robots/floater.urdf", {"floor": True}),
]
logging.disable()  # what is odd is reported, and here most is odd
REFUSALS = (stiction.Error, ValueError, TypeError, KeyError, IndexError, RuntimeError, OverflowError)


def in_child(work, seconds=100):
    """True: work() came to its end in a forked child."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(seconds)  # ends a child that hangs
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


class Caller:
    """Objects of all kinds, and random calls of them."""

    def __init__(self, seed, forks=False):
        self.random = random.Random(seed)
        self.forks = forks
        self.config = stiction.Config.parse(helpers.WRIST)
        self.objects = []
        self.views = []
        self.saved = {}
        self.kinds = {
            stiction.Simulation: self.call_simulation,
            stiction.State: self.call_state,
            stiction.Batch: self.call_batch,
            stiction.Config: self.call_config,
        }

    def number(self):
        odd = [math.nan, math.inf, -1e308, 1e300, -0.0]
        return self.random.choice(odd) if self.random.random() < 0.03 else self.random.uniform(-3, 3)

    def numbers(self, count):
        return [self.number() for _ in range(count)]

    def call(self):
        if len(self.objects) < 3 or self.random.random() < 0.1:
            self.create()
        target = self.random.choice(self.objects)
        if self.random.random() < 0.05:
            self.objects.remove(target)
        try:
            self.kinds[type(target)](target)
        except REFUSALS as refusal:
            if not str(refusal):
                raise AssertionError("an exception without a message") from refusal
        for view in self.random.sample(self.views, min(3, len(self.views))):
            np.array(view)
        if len(self.views) > 30:
            del self.views[: self.random.randrange(30)]

    def create(self):
        choice = self.random.randrange(4)
        model = self.config.model(["RWRR"], timestep=1e-3)
        if choice == 0:
            path, options = self.random.choice(PROJECTS)
            self.objects.append(stiction.Simulation(path, **options))
        elif choice == 1:
            self.objects.append(model.state())
        elif choice == 2:
            self.objects.append(stiction.Batch(model, self.random.randrange(1, 5), self.random.randrange(1, 3)))
        else:
            self.objects.append(self.config.copy())

    def call_simulation(self, sim):
        count = 0 if sim.closed else len(sim.q)
        calls = [
            lambda: sim.step(self.numbers(count)),
            lambda: [sim.step() for _ in range(10)],
            lambda: sim.step(np.zeros(count + 1)),
            lambda: sim.run(sim.time + 0.01),
            lambda: sim.reset(),
            lambda: self.views.extend([sim.q, sim.dq, sim.command, sim.friction.torque]),
            lambda: sim.set_joints(self.numbers(count), self.numbers(count)),
            lambda: sim.set_targets(self.numbers(count)),
            lambda: sim.set_parameter("*", "static_torque", self.number()),
            lambda: (sim.mass_matrix(), sim.bias(), sim.contacts(), sim.base, sim.joints, repr(sim)),
            lambda: self.saved.__setitem__(sim, sim.save()),
            lambda: sim.restore(self.random.choice(list(self.saved.values()) or [b""])),
            lambda: self.replay(sim),
            lambda: sim.restore(self.damaged(sim.save())),
            lambda: self.write(sim),
            lambda: sim.close() if self.random.random() < 0.3 else None,
            lambda: pickle.dumps(sim),
        ]
        self.random.choice(calls)()
        if not sim.closed and not (np.isfinite(sim.q).all() and np.isfinite(sim.dq).all()):
            raise AssertionError("a position or velocity that is not finite")

    def replay(self, sim):
        torques = [[self.random.uniform(-3, 3) for _ in sim.q] for _ in range(8)]
        saved = sim.save()
        seen = []
        for _ in range(2):
            for torque in torques:
                sim.step(torque)
            seen.append(sim.q.tobytes() + sim.dq.tobytes())
            sim.restore(saved)
        if seen[0] != seen[1]:
            raise AssertionError("other bits after a restore")

    def damaged(self, saved):
        at = self.random.randrange(len(saved))
        return saved[:at] + bytes([saved[at] ^ 1 << self.random.randrange(8)]) + saved[at + 1 :]

    def write(self, sim):
        with tempfile.TemporaryDirectory() as folder:
            sim.write(os.path.join(folder, "results"))

    def call_state(self, state):
        other = state.copy()
        calls = [
            lambda: state.step(self.numbers(1)),
            lambda: state.step_full(self.numbers(1)),
            lambda: state.step(self.numbers(2)),
            lambda: state.trial(self.numbers(1)),
            lambda: state.reset(),
            lambda: other.restore(state.save()),
            lambda: other.restore(self.damaged(state.save())),
            lambda: state.copy_from(other),
            lambda: self.objects.append(copy.copy(state)),
            lambda: self.views.extend([state.deflections, state.memory, state.faults]),
            lambda: setattr(state, "deflections", self.numbers(1)),
            lambda: setattr(state, "memory", self.numbers(3)),
            lambda: state.draw(self.random.randrange(-1, 3)),
            lambda: self.views.append(pickle.loads(pickle.dumps(state)).deflections),
        ]
        self.random.choice(calls)()
        other.restore(state.save())
        if other.step([0.1]).tobytes() != state.step([0.1]).tobytes():
            raise AssertionError("other bits in a restored state")

    def call_batch(self, batch):
        velocity = np.reshape(self.numbers(int(np.prod(batch.shape))), batch.shape)
        calls = [
            lambda: self.views.append(batch.step(velocity)),
            lambda: batch.step(velocity, out=velocity),
            lambda: batch.step(velocity[:, :0]),
            lambda: batch.reset(),
            lambda: batch.reset(self.random.randrange(-2, 6)),
            lambda: self.views.append(batch.deflections),
            lambda: setattr(batch, "deflections", velocity * 1e-4),
            lambda: batch.faults(self.random.randrange(-2, 6)),
            lambda: batch.joint(0, "RWRR"),
        ]
        self.random.choice(calls)()

    def call_config(self, config):
        calls = [
            lambda: config.set("RWRR", static_torque=self.number()),
            lambda: config.add("J*", config.joint("RWRR")),
            lambda: config.override({"joints.RWRR.viscous": self.number()}),
            lambda: setattr(config, "timestep", self.number()),
            lambda: setattr(config, "coupling", self.random.choice(["auto", "implicit", "no"])),
            lambda: stiction.Config.parse(str(config)),
            lambda: pickle.loads(pickle.dumps(config)).check(["RWRR"]),
            lambda: self.objects.append(config.model(["RWRR"], timestep=1e-3).state()),
            lambda: stiction.Config.parse(str(config)[: self.random.randrange(200)]),
        ]
        self.random.choice(calls)()

    def go_on(self, count):
        for k in range(count):
            self.call()
            if self.forks and k % 15 == 14 and not in_child(lambda: self.go_on_in_child(8)):
                raise AssertionError("the child failed")

    def go_on_in_child(self, count):
        self.forks = False
        self.go_on(count)


class Calls(helpers.Test):
    def test_any_sequence_of_calls(self):
        for seed in range(SEED, SEED + CASES):
            with self.subTest(seed=seed):
                Caller(seed, forks=seed % 4 == 0).go_on(40)
        gc.collect()

    def test_any_sequence_of_calls_in_threads(self):
        """Each thread has objects of its own; one of them forks."""
        for seed in range(SEED, SEED + CASES // 6):
            problems = []

            def work(number, seed=seed, problems=problems):
                try:
                    Caller(1000 * seed + number, forks=number == 0 and not SANITIZED).go_on(30)
                except BaseException as problem:  # pylint: disable=broad-except
                    problems.append(problem)

            threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(problems, [], f"seed {seed}")

    def test_views_outlive_a_closed_simulation(self):
        sim = stiction.Simulation(WRIST)
        sim.run(0.05)
        q, torque = sim.q, sim.friction.torque
        before = q[0], torque[0]
        sim.close()
        del sim
        gc.collect()
        self.assertEqual((q[0], torque[0]), before)

    def test_a_simulation_is_closed_while_a_thread_steps_it(self):
        for _ in range(CASES):
            sim = stiction.Simulation(WRIST)
            ends = []

            def work(sim=sim, ends=ends):
                try:
                    while True:
                        sim.step([0.1])
                except ValueError as end:
                    ends.append(str(end))

            threads = [threading.Thread(target=work) for _ in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(0.002)
            sim.close()
            for thread in threads:
                thread.join()
            self.assertEqual(ends, ["the simulation is closed"] * 3)

    @unittest.skipIf(SANITIZED, "the sanitizer's own allocator hangs")
    def test_a_child_forked_while_other_threads_work_goes_on(self):
        """A lock that another thread holds must not stay locked in the child."""
        model = stiction.Config.parse(helpers.WRIST).model(["RWRR"], timestep=1e-3)
        batch = stiction.Batch(model, 20000, 2)
        sim = stiction.Simulation(WRIST)
        velocity = np.zeros(batch.shape)
        ended = threading.Event()

        def step_batch():
            while not ended.is_set():
                batch.step(velocity)

        def run_simulation():
            while not ended.is_set():
                sim.reset()
                sim.run(1.0)

        threads = [threading.Thread(target=step_batch), threading.Thread(target=run_simulation)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(10):
                self.assertTrue(in_child(lambda: (batch.step(velocity), sim.step([0.1])), 30))
        finally:
            ended.set()
            for thread in threads:
                thread.join()


if __name__ == "__main__":
    helpers.main()
