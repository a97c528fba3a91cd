# SPDX-License-Identifier: MIT
"""Implicit coupling from Python."""
import numpy as np

import helpers
import stiction

ARM = """\
stiction: 1
joints:
  A: {law: stribeck, static_torque: 12, coulomb_torque: 6, stribeck_velocity: 0.06, viscous: 6, stiffness: 24000, damping: 240}
  B: {law: coulomb, coulomb_torque: 4, stiffness: 8000, damping: 80}
"""


class Implicit(helpers.Test):
    def setUp(self):
        self.config = stiction.Config.parse(ARM)
        self.state = self.config.model(["A", "B"], timestep=5e-3).state()

    def test_it_holds_and_slips(self):
        implicit = stiction.Implicit(2, parent=[-1, 0])
        implicit.add(self.state, [0, 1])
        mass = np.array([[0.2, 0.05], [0.05, 0.02]])
        v = np.zeros(2)
        for _ in range(200):
            step = implicit.step(mass, v, [11.0, -3.0], 5e-3)
            v = step.velocity
        self.assertIs(step.outcome, stiction.Outcome.STUCK)
        np.testing.assert_allclose(step.friction, [11, -3], atol=1e-9)
        self.assertLess(abs(v).max(), 1e-9)
        step = implicit.step(mass, v, [40.0, 0], 5e-3)
        self.assertIs(step.outcome, stiction.Outcome.SLIPPED)
        self.assertTrue(step.slipping[0])
        self.assertLess(step.residual, 1e-9)
        self.assertIsNone(step.warning)
        # momentum is what the force less friction gives
        np.testing.assert_allclose(
            mass @ (step.velocity - v) / 5e-3, np.array([40.0, 0]) - step.friction, atol=1e-9
        )
        self.assertEqual((implicit.steps, implicit.frozen), (201, 0))
        implicit.reset()
        self.assertEqual(implicit.steps, 0)

    def test_a_packed_matrix_gives_the_same(self):
        steps = []
        for packed in (False, True):
            state = self.config.model(["A", "B"], timestep=5e-3).state()
            implicit = stiction.Implicit(2, [-1, 0], packed=packed, rigid=True)
            implicit.add(state, [0, 1])
            mass = [0.2, 0.02, 0.05] if packed else [[0.2, 0.05], [0.05, 0.02]]
            steps.append(implicit.step(mass, [0, 0], [20, 9], 5e-3))
        self.assertTrue(np.array_equal(steps[0].velocity, steps[1].velocity))
        self.refuses(ValueError, "mass has shape (2, 2), and (3,)", implicit.step, np.eye(2), [0, 0], [0, 0], 1e-3)

    def test_constraints_of_python(self):
        class Wall:
            """A damper that takes joint A to rest."""

            def evaluate(self, velocity):
                return 0.5 * 1e6 * velocity[0] ** 2, [-1e6 * velocity[0], 0]

            def curvature(self):
                return np.diag([1e6, 0])

        implicit = stiction.Implicit(2)
        implicit.add(self.state, [0, 1])
        step = implicit.step(np.diag([0.2, 0.02]), [0, 0], [100, 0], 5e-3, Wall())
        self.assertLess(abs(step.velocity[0]), 1e-3)

        class Broken(Wall):
            def evaluate(self, velocity):
                raise RuntimeError("no such wall")

        self.refuses(RuntimeError, "no such wall", implicit.step, np.eye(2), [0, 0], [1, 0], 5e-3, Broken())

        class Narrow(Wall):
            def curvature(self):
                return [[1]]

        self.refuses(ValueError, "curvature", implicit.step, np.eye(2), [0, 0], [100, 0], 5e-3, Narrow())
        implicit.step(np.eye(2), [0, 0], [1, 0], 5e-3)

    def test_loads(self):
        self.config.set("A", load_external=0.5)
        state = self.config.model(["A", "B"], timestep=5e-3).state()
        implicit = stiction.Implicit(3)
        implicit.add(state, [0, 2])
        arguments = (np.eye(3), [0, 0, 0], [20, 0, 1], 5e-3)
        self.refuses(stiction.Error, "needs the external torque", implicit.step, *arguments)
        step = implicit.step(*arguments, external_torque=[20, 0, 0])
        np.testing.assert_allclose(step.coulomb_level, [16, 0, 4], rtol=1e-15)
        np.testing.assert_allclose(step.static_level, [22, 0, 4], rtol=1e-15)
        self.assertEqual(step.temperature[0], 25)
        self.assertIs(step.outcome, stiction.Outcome.STUCK)  # F_S is 12 without the load
        self.refuses(
            ValueError, "effort has shape (1,)", implicit.step, *arguments, external_torque=[0, 0, 0], effort=[1]
        )

    def test_mistakes(self):
        implicit = stiction.Implicit(2)
        self.refuses(TypeError, "stiction.State", implicit.add, "state", [0, 1])
        self.refuses(ValueError, "dof has shape (1,)", implicit.add, self.state, [0])
        self.refuses(TypeError, "whole numbers", implicit.add, self.state, [0.5, 1])
        self.refuses(stiction.Error, "", implicit.add, self.state, [0, 7])
        implicit.add(self.state, [0, 1])
        error = self.refuses(stiction.Error, "", implicit.step, -np.eye(2), [0, 0], [0, 0], 1e-3)
        self.assertIs(error.status, stiction.Status.SINGULAR)
        self.refuses(stiction.Error, "", implicit.step, np.eye(2), [np.nan, 0], [0, 0], 1e-3)
        self.refuses(stiction.Error, "", implicit.step, np.eye(2), [0, 0], [0, 0], -1)
        self.refuses(ValueError, "force has shape (3,)", implicit.step, np.eye(2), [0, 0], [0, 0, 0], 1e-3)
        self.refuses(ValueError, "count 0", stiction.Implicit, 0)
        self.refuses(stiction.Error, "", stiction.Implicit, 2, [1, -1])
        self.refuses(ValueError, "parent has shape", stiction.Implicit, 2, [-1])


helpers.main()
