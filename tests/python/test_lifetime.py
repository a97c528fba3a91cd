# SPDX-License-Identifier: MIT
"""Objects die in any order, in cycles and threads, and nothing is used behind its end."""
import gc
import subprocess
import sys

import numpy as np

import helpers
import stiction
from stiction._handle import Handle


class Lifetimes(helpers.Test):
    def make(self):
        return stiction.Config.parse(helpers.WRIST).model(["RWRR"], timestep=1e-3)

    def test_states_outlive_the_names_of_models(self):
        state = self.make().state()
        batch = stiction.Batch(self.make(), 3)
        implicit = stiction.Implicit(1)
        implicit.add(self.make().state(), [0])
        gc.collect()
        self.assertEqual(state.step([0.001])[0], 0.055)
        self.assertEqual(batch.step(np.full((3, 1), 0.001))[2, 0], 0.055)
        self.assertTrue(np.isfinite(implicit.step([[1.0]], [0.0], [1.0], 1e-3).friction[0]))

    def test_cycles(self):
        for _ in range(50):
            model = self.make()
            state = model.state()
            implicit = stiction.Implicit(1)
            implicit.add(state, [0])
            model.friends = [state, implicit, model]
            state.friend = implicit
            del model, state, implicit
        gc.collect()

    def test_the_last_user_destroys_and_parents_come_later(self):
        order = []
        parent = Handle(1, order.append)
        mine = parent.retain()
        child = Handle(2, order.append, parent)
        its = child.retain()
        parent.release(mine)
        self.assertEqual(order, [])
        child.release(its)
        child.release(its)
        self.assertEqual(order, [2, 1])

    def test_many_threads_make_and_drop(self):
        def run(_):
            for _ in range(200):
                self.make().state().step([0.1])

        helpers.in_threads(4, run)

    def test_the_end_of_the_interpreter(self):
        code = (
            "import stiction\n"
            f"model = stiction.Config.parse({helpers.WRIST!r}).model(['RWRR'])\n"
            "state = model.state(); state.me = state; model.state_ = state\n"
            "batch = stiction.Batch(model, 10, 2); keep = batch.step\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1000)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_constructor_that_failed_leaves_nothing(self):
        with self.assertRaises(stiction.Error):
            stiction.Config.parse("stiction: 2")
        with self.assertRaises(stiction.Error):
            stiction.Implicit(2, [1, 1])
        gc.collect()


helpers.main()
