# SPDX-License-Identifier: MIT
"""Laws and Phi_Z over arrays."""
import copy
import pickle

import numpy as np

import helpers
import stiction

STRIBECK = dict(static_torque=2.5, coulomb_torque=0.4, stribeck_velocity=0.06, viscous=4.5)


class Laws(helpers.Test):
    def setUp(self):
        self.law = stiction.Law("stribeck", **STRIBECK)

    def test_phi_is_the_formula(self):
        v = np.linspace(-3, 3, 1001)
        v = v[v != 0]
        formula = np.sign(v) * (0.4 + 2.1 * np.exp(-np.abs(v) / 0.06)) + 4.5 * v
        np.testing.assert_allclose(self.law.phi(v), formula, rtol=1e-14)

    def test_slope_and_work_belong_to_phi(self):
        v, h = np.linspace(0.01, 2, 50), 1e-6
        slope = (self.law.phi(v + h) - self.law.phi(v - h)) / (2 * h)
        np.testing.assert_allclose(self.law.slope(v), slope, rtol=1e-5, atol=1e-7)
        fine = np.linspace(0, 1, 200001)
        integral = np.trapz(self.law.phi(fine), fine)
        self.assertAlmostEqual(float(self.law.work(0, 1)), integral, 7)
        np.testing.assert_allclose(self.law.work(0, [1, 1]), integral, rtol=1e-8)

    def test_phi_z_solves_its_equation(self):
        phi_z = self.law.phi_z(1 / 55)
        x = np.concatenate([np.linspace(-1, 1, 2001), [np.inf, -np.inf]])
        y = phi_z(x)
        slips = ~phi_z.sticks(x) & np.isfinite(x)
        np.testing.assert_allclose(y[slips], self.law.phi(x[slips] - phi_z.Z * y[slips]), rtol=1e-12)
        np.testing.assert_allclose(y[phi_z.sticks(x)], 55 * x[phi_z.sticks(x)], rtol=1e-14)
        self.assertTrue(np.array_equal(phi_z(-x), -y))
        self.assertEqual(phi_z.breakaway, 2.5)
        self.assertTrue(0 < phi_z.margin < 1)
        self.assertEqual(phi_z.slope(0.0), 55)

    def test_shapes_and_kinds_of_numbers(self):
        self.assertEqual(self.law.phi(np.ones((2, 3, 4))).shape, (2, 3, 4))
        self.assertEqual(self.law.phi([]).shape, (0,))
        self.assertIsInstance(self.law.phi(1), float)
        strided = np.arange(10.0)[::-3]
        self.assertTrue(np.array_equal(self.law.phi(strided), self.law.phi(strided.copy())))
        self.assertTrue(np.array_equal(self.law.phi(np.float32([1, 2])), self.law.phi([1, 2])))
        swapped = np.arange(3.0).astype(">f8")
        self.assertTrue(np.array_equal(self.law.phi(swapped), self.law.phi([0.0, 1, 2])))
        self.assertTrue(np.isnan(self.law.phi(np.nan)))
        self.refuses(TypeError, "velocity must be real numbers", self.law.phi, "fast")
        self.refuses(TypeError, "not complex128", self.law.phi, 1j)
        self.refuses(TypeError, "velocity must be", self.law.phi, [[1], [1, 2]])

    def test_wrong_laws_have_sentences(self):
        self.refuses(stiction.Error, "there is no law 'stribek'", stiction.Law, "stribek")
        self.refuses(stiction.Error, "needs static_torque", stiction.Law, "stribeck")
        self.refuses(stiction.Error, "has no parameter 'mass'", stiction.Law, "coulomb", mass=1)
        self.refuses(TypeError, "must be a number", stiction.Law, "coulomb", coulomb_torque="1x")
        for value in (0, -1, float("nan"), float("inf")):
            self.refuses(stiction.Error, "above 0", stiction.Law, "coulomb", coulomb_torque=value)
        below = dict(STRIBECK, static_torque=0.3)
        error = self.refuses(stiction.Error, "0.3 is below coulomb_torque 0.4", stiction.Law, "stribeck", **below)
        self.assertIs(error.status, stiction.Status.INVALID_CONFIG)
        error = self.refuses(stiction.Error, "too large", self.law.phi_z, 1.0)
        self.assertIs(error.status, stiction.Status.ILLEGAL_TIMESTEP)
        for value in (0, -1, float("nan"), float("inf")):
            self.refuses(stiction.Error, "above 0", self.law.phi_z, value)

    def test_copies_and_pickles(self):
        phi_z = self.law.phi_z(1 / 55)
        for other in (copy.deepcopy(phi_z), pickle.loads(pickle.dumps(phi_z))):
            self.assertEqual(other(0.3), phi_z(0.3))

    def test_lambert_w(self):
        z = np.array([-0.2, 0.5, 10])
        w = stiction.lambert_w0(z)
        np.testing.assert_allclose(w * np.exp(w), z, rtol=1e-14)
        w = stiction.lambert_wm1(-0.2)
        self.assertAlmostEqual(float(w * np.exp(w)), -0.2, 14)
        self.assertLess(w, -1)
        self.assertTrue(np.isnan(stiction.lambert_w0(-1)))

    def test_the_table_of_parameters_is_that_of_joints(self):
        import dataclasses

        from stiction import _abi, _tables

        fields = [field.name for field in dataclasses.fields(stiction.Joint)]
        keys = [row.key for row in stiction.parameters()]
        self.assertEqual(fields, ["law", *keys, *_tables.LISTS])
        self.assertEqual(set(_tables.JOINT_FIELDS) - set(_tables.LISTS), set(keys))

        info = _abi.ParameterInfo()
        for k, row in enumerate(stiction.parameters()):
            _abi.lib.parameter_at(k, info)
            self.assertEqual(info.offset, getattr(_abi.JointDef, row.key).offset, row.key)


helpers.main()
