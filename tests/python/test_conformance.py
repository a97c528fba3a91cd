# SPDX-License-Identifier: MIT
"""What every host expects of a library of stiction/controller.h, asked of all that this build has."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import helpers
import stiction

SAMPLES = helpers.SOURCES / "sample_projects"
MC_RTC = SAMPLES / "mc_rtc_jvrc1"
JVRC1 = pathlib.Path(os.environ.get("STICTION_JVRC_MJ_DESCRIPTION", "none")) / "xml" / "jvrc1.xml"


class Conformance:
    """Of one controller: its project, how it is named there, its file of friction."""

    duration = 0.2
    options = ""
    config = None

    def make(self, more=""):
        given = " ".join(text for text in (self.options, more) if text)
        return stiction.Simulation(
            self.project(), config=self.config, controller=f"{self.library}:{given}", interval=None
        )

    def advance(self, sim):
        """By ten steps; its state and torques."""
        sim.run(min(sim.time + 10 * sim.timestep, self.duration))
        return np.concatenate([sim.q, sim.dq, sim.command])

    def trace(self, sim):
        """States and torques until the end of the test, in bytes."""
        seen = []
        while sim.time < self.duration - 1e-9:
            seen.append(self.advance(sim))
        return np.array(seen).tobytes()

    def test_the_same_again(self):
        with self.make() as first, self.make() as second:
            self.assertEqual(self.trace(first), self.trace(second))

    def test_a_reset_is_a_new_start(self):
        with self.make() as sim:
            once = self.trace(sim)
            sim.reset()
            self.assertEqual(sim.time, 0)
            self.assertEqual(self.trace(sim), once)

    def test_two_side_by_side_do_not_meet(self):
        with self.make() as sim:
            alone = self.trace(sim)
        with self.make() as left, self.make() as right:
            seen = [[], []]
            left.run(self.duration / 4)
            left.reset()
            while right.time < self.duration - 1e-9:
                for sim, states in zip((left, right), seen):
                    states.append(self.advance(sim))
            self.assertEqual([np.array(states).tobytes() for states in seen], [alone, alone])

    def test_an_unknown_option_is_an_error_that_names_it(self):
        self.refuses(stiction.Error, "nonsense", self.make, "nonsense=1")
        with self.make() as sim:  # and harms nobody
            sim.run(sim.timestep)

    def test_one_ends_while_another_runs(self):
        with self.make() as sim:
            alone = self.trace(sim)
        with self.make() as sim:
            self.make().close()
            self.assertEqual(self.trace(sim), alone)


class Posture(Conformance, helpers.Test):
    library = "posture"
    options = "kp=100 kv=20 lambda=1 shape=ramp duration=2 target=J1:30"

    def project(self):
        return SAMPLES / "arm7" / "arm7.cnoid"


class WholeBody(Conformance, helpers.Test):
    library = "whole_body"
    options = f"config={SAMPLES / 'whole_body' / 'humanoid_squat.yaml'}"

    def project(self):
        return SAMPLES / "whole_body" / "humanoid_squat.cnoid"


@unittest.skipUnless((helpers.BUILD / "controllers" / "mc_rtc.so").exists(), "CMake found no mc_rtc")
@unittest.skipUnless(JVRC1.exists(), "STICTION_JVRC_MJ_DESCRIPTION does not name the robot's files")
class McRtc(Conformance, helpers.Test):
    library = "mc_rtc"
    options = f"config={MC_RTC / 'mc_rtc.yaml'}"
    config = MC_RTC / "jvrc1.yaml"

    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.home = pathlib.Path(made.name)
        os.environ["HOME"] = made.name  # without the user's configuration of mc_rtc
        command = [helpers.BUILD / "stiction", "new", JVRC1, "--out", cls.home / "robot"]
        subprocess.run(command, check=True, capture_output=True)

    def project(self):
        return self.home / "robot" / "jvrc1.cnoid"


if __name__ == "__main__":
    helpers.main()
