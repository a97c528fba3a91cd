# SPDX-License-Identifier: MIT
"""The controllers of plugin/python/examples: within a simulation, and as the peer of the command."""
import math
import os
import subprocess

import numpy as np

import helpers
import stiction
from stiction.control import load_module

ARM = helpers.SOURCES / "sample_projects" / "arm7" / "arm7.cnoid"
EXAMPLES = helpers.SOURCES / "plugin" / "python" / "examples"
TARGETS = {"J1": 30, "J2": 40}


def command_takes_controllers():
    done = subprocess.run([helpers.BUILD / "stiction", "run", "--help"], capture_output=True, text=True)
    return "--controller" in done.stdout


class Examples(helpers.Test):
    def setUp(self):
        self.folder = helpers.folder(self)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

    def run_here(self, name):
        radians = {joint: math.radians(angle) for joint, angle in TARGETS.items()}
        module = load_module(EXAMPLES / name)
        with stiction.Simulation(ARM, controller=module, targets=radians, duration=2) as sim:
            sim.run()
            return sim.write(self.folder / "here"), dict(sim.records)

    def run_there(self, name):
        if not command_takes_controllers():
            self.skipTest("the command takes no --controller")
        words = ",".join(f"{joint}:{angle}" for joint, angle in TARGETS.items())
        out = self.folder / "there"
        settings = {"duration": 2}
        return stiction.run(ARM, out=out, controller=EXAMPLES / name, targets=words, settings=settings)[0]

    def test_computed_torque_goes_where_it_should(self):
        results, records = self.run_here("computed_torque.py")
        self.assertLess(abs(results["J1"].position[-1] - math.radians(30)), math.radians(10))
        self.assertLess(records["largest_error"], math.radians(20))

    def test_computed_torque_is_the_same_there(self):
        here, there = self.run_here("computed_torque.py")[0], self.run_there("computed_torque.py")
        for joint in here.joints:
            for key in ("position", "command"):
                np.testing.assert_allclose(there[joint][key], here[joint][key], rtol=1e-9, atol=1e-9)

    def test_pd(self):
        here = self.run_here("pd.py")[0]
        self.assertGreater(here["J1"].position[-1], 0.1)

    def test_pd_there(self):
        here, there = self.run_here("pd.py")[0], self.run_there("pd.py")
        np.testing.assert_allclose(there["J1"].position, here["J1"].position, rtol=1e-9, atol=1e-9)

    def test_mistakes_there(self):
        if not command_takes_controllers():
            self.skipTest("the command takes no --controller")
        path = self.folder / "wrong.py"
        path.write_text("def step(input):\n    return 1 / (0.5 - input.time)\n")
        error = self.refuses(
            stiction.CommandError,
            "wrong.py:2: ZeroDivisionError",
            stiction.run,
            ARM,
            out=self.folder,
            controller=path,
            settings={"timestep": 0.5 / 512, "duration": 1},
        )
        self.assertNotEqual(error.exit_code, 0)
        results = stiction.Results.load(self.folder / "arm7")  # what was computed so far
        self.assertGreater(len(results.time), 400)


helpers.main()
