# SPDX-License-Identifier: MIT
"""Drawings with matplotlib: what they show, and the message without it."""
import sys
import warnings
from unittest import mock

import numpy as np

import helpers
import stiction
from stiction import plot

WRIST = helpers.SOURCES / "sample_projects" / "wrist" / "wrist.cnoid"

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of matplotlib about others
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
except ImportError:
    pyplot = None


class Plots(helpers.Test):
    def setUp(self):
        if pyplot is None:
            self.skipTest("no matplotlib")
        self.addCleanup(pyplot.close, "all")
        self.folder = helpers.folder(self)

    def saved(self, axes):
        """The texts of the picture."""
        path = self.folder / "picture.svg"
        with matplotlib.rc_context({"svg.fonttype": "none"}):
            axes.figure.savefig(path)
        return path.read_text()

    def test_a_law_over_its_velocity(self):
        law = stiction.Config.parse(helpers.WRIST).model(["RWRR"]).law("RWRR")
        axes = plot.law(law, [-0.5, 0.5, 1])
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), law.phi([-0.5, 0.5, 1]))
        self.assertIn("friction (N m)", self.saved(axes))
        self.assertIs(plot.law(law, axes=axes), axes)
        self.assertEqual(len(axes.lines), 2)

    def test_columns_of_a_joint_over_time(self):
        with stiction.Simulation(WRIST, duration=0.5, targets={"RWRR": 1.0}) as sim:
            sim.run()
            results = sim.write(self.folder / "run")
        axes = plot.joint(results, "RWRR")
        self.assertEqual(len(axes), 3)
        np.testing.assert_array_equal(axes[0].lines[0].get_ydata(), results["RWRR"].position)
        np.testing.assert_array_equal(axes[2].lines[0].get_xdata(), results.time)
        text = self.saved(axes[0])
        for word in ("position (rad)", "velocity (rad/s)", "friction torque (N m)", "time (s)", "RWRR"):
            self.assertIn(word, text)
        one = plot.joint(results, "RWRR", ("command",))
        self.assertEqual(one.get_ylabel(), "command (N m)")

    def test_a_sweep_over_two_settings(self):
        sweep = stiction.Sweep(
            self.folder,
            {
                "kp": np.array([10.0, 20, 10, 20, 20]),
                "kd": np.array([1.0, 1, 2, 2, 2]),
                "J.error": np.array([1.0, 2, np.nan, 4, 6]),
            },
        )
        axes = plot.heat_map(sweep, "kp", "kd", "J.error")
        np.testing.assert_array_equal(axes.images[0].get_array().filled(np.nan), [[1, 2], [np.nan, 5]])
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["10", "20"])
        self.assertIn("J.error", self.saved(axes))


class WithoutMatplotlib(helpers.Test):
    def test_the_message_names_the_package(self):
        law = stiction.Config.parse(helpers.WRIST).model(["RWRR"]).law("RWRR")
        with mock.patch.dict(sys.modules, matplotlib=None):
            self.refuses(ImportError, "python3-matplotlib", plot.law, law)


helpers.main()
