# SPDX-License-Identifier: MIT
"""stiction.fit: friction from arrays and files, as an object."""
import os
import pathlib
import tempfile
import unittest

import numpy as np
import stiction

TRUTH = {"law": "stribeck", "static_torque": 2.5, "coulomb_torque": 1.2, "stribeck_velocity": 0.06,
         "viscous": 4.5, "stiffness": 5000, "damping": 50}


def make_log(seconds=12.0, step=0.004):
    """Friction of TRUTH along a motion with slow and fast parts, inertia 0.2, an offset, noise."""
    config = stiction.Config()
    config.add("wrist", stiction.Joint(**TRUTH))
    state = config.model(["wrist"], timestep=step).state()
    t = np.arange(0, seconds, step)
    v = np.where(t < 7, 0.25 * np.sin(2 * np.pi * t / 3) ** 3, 1.2 * np.sin(2 * np.pi * (t - 7) / 4))
    friction = np.array([state.step([speed])[0] for speed in v])
    q = np.concatenate([[0], np.cumsum(0.5 * (v[1:] + v[:-1]) * step)])
    noise = 0.01 * np.random.default_rng(1).standard_normal(len(t))
    return {"time": t, "position": q, "velocity": v,
            "torque": friction + 0.2 * np.gradient(v, step) + 0.3 + noise}


class Fits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = make_log()
        try:
            cls.fit = stiction.fit(cls.log, "wrist")
        except stiction.CommandError as error:
            if "built without GSL" in error.message:
                raise unittest.SkipTest("built without GSL")
            raise

    def test_known_friction_comes_back(self):
        self.assertEqual((self.fit.joint, self.fit.law), ("wrist", "stribeck"))
        for key, share in (("static_torque", 0.06), ("coulomb_torque", 0.05), ("viscous", 0.05)):
            found = self.fit.parameters[key]
            self.assertTrue(found.identifiable, key)
            self.assertAlmostEqual(found.value, TRUTH[key], delta=share * TRUTH[key])
            self.assertTrue(found.low <= found.value <= found.high)
        self.assertFalse(self.fit.parameters["temperature_level"].identifiable)
        self.assertIn("no temperature", self.fit.parameters["temperature_level"].why)
        self.assertLess(self.fit.held_out.rms, self.fit.held_out.baseline_rms)
        self.assertEqual(self.fit.held_out.unit, "N m")
        self.assertAlmostEqual(self.fit.speeds[1], 1.2, delta=0.05)

    def test_a_limit_is_not_friction(self):
        log = {name: values[3000 - 2000:].copy() for name, values in self.log.items()}
        log["time"] -= log["time"][0]
        end = int(np.argmax(log["position"]))
        rest = np.arange(500)  # 2 s at the limit, under much more torque than friction takes
        push = 20 + 3 * np.sin(rest / 40.0)
        joined = {
            "time": np.arange(len(log["time"]) + 500) * 0.004,
            "position": np.insert(log["position"], end, np.full(500, log["position"][end])),
            "velocity": np.insert(log["velocity"], end, np.zeros(500)),
            "torque": np.insert(log["torque"], end, push),
        }
        fit = stiction.fit(joined, "wrist", law="stribeck")
        self.assertTrue(any("at its limit" in w for w in fit.warnings), fit.warnings)
        self.assertAlmostEqual(fit["viscous"], 4.5, delta=0.3)
        self.assertFalse(any("at its limit" in w for w in self.fit.warnings))

    def test_it_is_a_configuration(self):
        model = self.fit.config().model(["wrist"], timestep=1e-3)
        self.assertAlmostEqual(float(model.law("wrist").phi([0.5])[0]), 1.2 + 4.5 * 0.5, delta=0.1)
        self.assertEqual(self.fit["viscous"], self.fit.parameters["viscous"].value)

    def test_errors_are_those_of_the_command(self):
        with self.assertRaisesRegex(stiction.CommandError, "no column for the torque"):
            stiction.fit({"time": self.log["time"], "position": self.log["position"]}, "wrist")
        with self.assertRaisesRegex(stiction.Error, "arrays of one length"):
            stiction.fit({"time": [0, 1], "position": [0]}, "wrist")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "log.csv"
            path.write_text("s,x\n0,1\n")
            with self.assertRaisesRegex(stiction.CommandError, "no column 'q' for the position"):
                stiction.fit(path, "wrist", columns={"time": "s", "position": "q", "torque": "x"})
        self.assertFalse(os.path.exists("fit.yaml"))


if __name__ == "__main__":
    unittest.main()
