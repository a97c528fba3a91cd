# SPDX-License-Identifier: MIT
"""States: stepping, copies, faults."""
import copy
import pickle

import numpy as np

import helpers
import stiction


class States(helpers.Test):
    def setUp(self):
        self.config = stiction.Config.parse(helpers.WRIST)
        self.model = self.config.model(["RWRR"], timestep=1e-3)
        self.state = self.model.state()

    def test_a_bristle_bends_and_slips(self):
        phi_z = self.model.phi_z()
        z = 0.0
        for v in np.concatenate([np.linspace(0, 0.2, 40), np.linspace(0.2, -0.2, 80)]):
            x = v + 5000 * z / 55  # (26): Phi_Z(v + Z K z)
            torque = self.state.step([v])
            self.assertAlmostEqual(torque[0], float(phi_z(x)), 12)
            z = self.state.deflections[0]
        self.assertEqual(self.state.total_faults, 0)

    def test_inputs_and_outputs(self):
        out = np.empty(1)
        self.assertIs(self.state.step(0.001, out), out)
        self.assertEqual(out[0], 0.055)
        self.state.reset()
        self.assertEqual(self.state.step((0.001,))[0], 0.055)
        self.state.reset()
        self.assertEqual(self.state.step(np.float32([0.5]), timestep=2e-3).shape, (1,))
        step = self.state.step
        self.refuses(ValueError, "velocity has shape (2,), and (1,) is needed: 1 joint", step, [1, 2])
        self.refuses(TypeError, "velocity must be real numbers", step, ["a"])
        self.refuses(TypeError, "out must be a numpy array, not list", step, [1], [0.0])
        self.refuses(TypeError, "not float32", step, [1], np.empty(1, np.float32))
        self.refuses(ValueError, "out has shape (2,)", step, [1], np.empty(2))
        frozen = np.empty(1)
        frozen.flags.writeable = False
        self.refuses(ValueError, "read-only", step, [1], frozen)
        self.refuses(stiction.Error, "time step", step, [1], timestep=-1)
        self.refuses(stiction.Error, "time step", step, [1], timestep=float("nan"))

    def test_a_velocity_that_is_none_is_a_fault(self):
        self.state.step([0.001])
        before = self.state.deflections
        with self.assertLogs("stiction", "WARNING") as logs:
            self.assertEqual(self.state.step([np.nan])[0], 0)
        self.assertIn("RWRR", logs.output[0])
        self.assertEqual(self.state.faults.tolist(), [1])
        self.assertEqual(self.state.deflections[0], before[0])

    def test_everything_that_a_step_tells(self):
        tried = self.state.trial([0.3])
        told = self.state.step_full([0.3])
        for a, b in zip(tried, told):
            self.assertTrue(np.array_equal(a, b))
        self.assertTrue(told.slipping[0])
        self.assertGreater(told.dissipated_energy[0], 0)
        self.assertEqual(told.deflection[0], self.state.deflections[0])
        torque, rate = self.state.rate([0.0], [1e-4])
        self.assertAlmostEqual(torque[0], 0.5)
        self.assertEqual(rate.shape, (1,))

    def test_effort_for_those_who_read_it(self):
        config = stiction.Config.parse(
            "stiction: 1\njoints: {A: {law: karnopp, static_torque: 2, coulomb_torque: 1, "
            "stribeck_velocity: 0.1, viscous: 1, stick_velocity: 0.01}}"
        )
        state = config.model(["A"], 1e-3).state()
        self.assertEqual(state.step([0.0], effort=[1.5])[0], 1.5)
        self.assertEqual(state.step_full([0.0], effort=[3]).torque[0], 2)
        self.refuses(stiction.Error, "effort", state.step, [0.0])
        self.refuses(ValueError, "effort has shape (2,)", state.step, [0.0], effort=[1, 2])

    def test_compensation(self):
        give = self.state.compensate
        law = self.model.law()
        self.assertAlmostEqual(give([0.5], start=[1])[0], 0.8 * float(law.phi(0.5)), 12)
        self.assertEqual(give([0.0])[0], 0)
        self.assertEqual(give(0.0, start=1)[0], 2)
        self.assertEqual(give([0.0], start=[-1], share=1)[0], -2.5)
        self.assertAlmostEqual(give([0.01], share=1, edge=0.01)[0], 0.5**0.5 * float(law.phi(0.01)), 12)
        self.refuses(stiction.Error, "share 3 must be from 0 to 2", give, [0.0], share=3)
        self.refuses(stiction.Error, "edge 0 must be above 0", give, [0.0], edge=0)
        self.refuses(stiction.Error, "start 2 must be from -1 to 1", give, [0.0], start=[2])
        self.refuses(stiction.Error, "'RWRR': the desired velocity nan is not usable", give, [np.nan])
        self.refuses(ValueError, "start has shape (2,)", give, [0.0], start=[1, 2])
        self.refuses(TypeError, "share must be a number", give, [0.0], share="much")

    def test_what_friction_of_drives_reads(self):
        def state_of(**values):
            config = stiction.Config.parse(helpers.WRIST)
            config.set("RWRR", **values)
            return config.model(["RWRR"]).state()

        self.assertEqual(self.state.needs, set())
        rows = (
            ({"load_motor": 0.2}, "effort", {"effort": [1.5]}, 0.7),  # 0.4 + 0.2 * 1.5
            ({"load_external": 0.2}, "external_torque", {"external_torque": [-1.5]}, 0.7),
            ({"ripple": 0.5}, "position", {"position": [np.pi]}, 0.2),
            ({"temperature_level": -0.005}, None, {"temperature": [125]}, 0.2),
        )
        for values, need, told, level in rows:
            state = state_of(**values)
            self.assertEqual(state.needs, {need} if need else set())
            if need:
                self.refuses(stiction.Error, "needs the", state.step, [0.5])
                self.refuses(stiction.Error, "needs the", state.trial, [0.5])
            tried, step = state.trial([0.5], **told), state.step_full([0.5], **told)
            for a, b in zip(tried, step):
                self.assertTrue(np.array_equal(a, b))
            self.assertAlmostEqual(step.coulomb_level[0], level, 14)
            self.assertEqual(step.temperature[0], told.get("temperature", [25])[0])
            state.reset()
            self.assertEqual(state.step([0.5], **told)[0], step.torque[0])
            key = next(iter(told))
            self.refuses(ValueError, f"{key} has shape (2,)", state.step, [0.5], **{key: [1, 2]})
        plain = self.state.step_full([0.5])
        self.assertEqual((plain.static_level[0], plain.coulomb_level[0]), (2.5, 0.4))

    def test_presliding_is_a_list(self):
        values = {"presliding_torque": [0.1, 0.12], "presliding_stiffness": (2000, 1500)}
        self.state.set_joint("RWRR", **values)
        joint = self.state.joint("RWRR")
        self.assertEqual(joint.presliding_torque, (0.1, 0.12))
        self.assertEqual(joint.parameters["presliding_stiffness"], (2000.0, 1500.0))
        # K T + B of the law's bristle, K T of the others
        self.assertAlmostEqual(self.state.step([1e-3])[0], 1e-3 * (55 + 2 + 1.5), 14)
        again = pickle.loads(pickle.dumps(self.state))
        self.assertEqual(again.step([1e-3])[0], self.state.step([1e-3])[0])
        self.config.set("RWRR", **values)
        self.assertEqual(self.config.get("RWRR", "presliding_torque"), (0.1, 0.12))
        self.assertEqual(stiction.Config.parse(str(self.config)).joint("RWRR"), joint)
        self.assertEqual(stiction.Joint(presliding_torque=[]), stiction.Joint())
        kind = stiction.Joint
        self.refuses(TypeError, "presliding_torque must be a list", kind, presliding_torque=0.1)
        self.refuses(TypeError, "presliding_torque must be a list", kind, presliding_torque="12")
        self.refuses(TypeError, "list of numbers, not ['a']", kind, presliding_torque=["a"])
        self.refuses(ValueError, "has 9 numbers", kind, presliding_torque=[1] * 9)
        self.refuses(
            stiction.Error, "each element needs both", self.state.set_joint, 0, presliding_torque=[0.1]
        )

    def test_branches(self):
        self.state.step([0.02])
        saved = self.state.save()
        self.assertIsInstance(saved, bytes)
        branch = self.state.copy()
        third = copy.deepcopy(self.state)
        fourth = pickle.loads(pickle.dumps(self.state))
        self.state.step([5.0])
        self.assertNotEqual(branch.deflections[0], self.state.deflections[0])
        self.state.restore(saved)
        for each in (branch, third, fourth):
            self.assertEqual(each.deflections[0], self.state.deflections[0])
        self.state.memory = np.zeros_like(self.state.memory)
        self.assertEqual(self.state.deflections[0], 0)
        self.state.deflections = [1e-4]
        self.assertEqual(self.state.deflections[0], 1e-4)
        self.state.reset()
        self.assertEqual(self.state.deflections[0], 0)
        error = self.refuses(stiction.Error, "", self.state.restore, saved[:-1])
        self.assertIs(error.status, stiction.Status.INVALID_BUFFER)
        self.refuses(stiction.Error, "", self.state.restore, b"")
        self.refuses(stiction.Error, "", self.state.restore, bytes(len(saved)))
        other = self.config.model(["RWRR", "B"], 1e-3).state()
        self.refuses(stiction.Error, "", other.copy_from, self.state)

    def test_joints_change_while_they_run(self):
        self.state.set_joint("RWRR", static_torque=3.5)
        self.assertEqual(self.state.joint(0).static_torque, 3.5)
        self.assertEqual(self.model.joint(0).static_torque, 2.5)
        self.state.set_joint(0, stiction.Joint("coulomb", coulomb_torque=1, stiffness=1000, damping=10))
        self.assertEqual(self.state.joint(0).law, "coulomb")
        self.refuses(stiction.Error, "coulomb_torque", self.state.set_joint, 0, coulomb_torque=-1)
        self.assertEqual(self.state.joint(0).coulomb_torque, 1)

    def test_threads_step_states_of_one_model(self):
        results = {}

        def run(k):
            state = self.model.state()
            results[k] = [state.step([0.01 * n])[0] for n in range(500)]

        helpers.in_threads(8, run)
        self.assertEqual(len(results), 8)
        self.assertTrue(all(result == results[0] for result in results.values()))


helpers.main()
