# SPDX-License-Identifier: MIT
"""Configurations and their mistakes."""
import copy
import math
import os
import pickle
import tempfile

import helpers
import numpy as np
import stiction


class Configurations(helpers.Test):
    def setUp(self):
        self.config = stiction.Config.parse(helpers.WRIST, path="wrist.yaml")

    def test_a_file_gives_joints(self):
        path = helpers.SOURCES / "config" / "wrist.yaml"
        config = stiction.Config.load(path)
        self.assertEqual(config.patterns, ["RWRR"])
        self.assertEqual(config.models, ["Wrist"])
        self.assertEqual(config.timestep, 0.001)
        self.assertEqual(config.path, str(path))
        joint = config["RWRR"]
        self.assertEqual((joint.law, joint.static_torque, joint.viscous), ("stribeck", 2.5, 4.5))
        self.assertIsNone(joint.elastic_limit)
        self.assertEqual(config.joints, {"RWRR": joint})
        self.assertIn("RWRR", config)
        self.assertNotIn("LWRR", config)
        self.assertIsNone(config.find("LWRR"))
        self.refuses(KeyError, "nothing in the configuration matches joint 'LWRR'", config.joint, "LWRR")

    def test_every_mistake_of_a_file_has_its_place(self):
        path = helpers.SOURCES / "tests" / "load" / "all_mistakes_at_once.yaml"
        with self.assertRaises(stiction.Error) as context:
            stiction.Config.load(path)
        error = context.exception
        self.assertGreater(len(error.errors), 3)
        self.assertIs(error.errors[0], error)
        for each in error.errors:
            self.assertEqual(each.path, str(path))
            self.assertGreater(each.line, 0)
            self.assertGreater(each.column, 0)
            self.assertTrue(each.message)
            self.assertIs(each.status, stiction.Status.INVALID_CONFIG)
        lines = str(error).splitlines()
        self.assertEqual(len(lines), len(error.errors))
        self.assertTrue(lines[0].startswith(f"{path}:{error.line}:{error.column}: "))

    def test_a_file_that_is_not_there(self):
        error = self.refuses(stiction.Error, "/no/such.yaml: ", stiction.Config.load, "/no/such.yaml")
        self.assertEqual(error.path, "/no/such.yaml")
        self.assertEqual(error.line, 0)

    def test_errors_pickle(self):
        with self.assertRaises(stiction.Error) as context:
            stiction.Config.parse("stiction: 1\njoints: {A: {law: x}, B: {law: y}}", "a.yaml")
        other = pickle.loads(pickle.dumps(context.exception))
        self.assertEqual(str(other), str(context.exception))
        self.assertEqual(len(other.errors), 2)

    def test_values_are_got_and_set(self):
        config = self.config
        config.set("RWRR", static_torque=3, law="rational")
        self.assertEqual(config.get("RWRR", "static_torque"), 3)
        self.assertEqual(config["RWRR"].law, "rational")
        config.override({"timestep": 0.002, "coupling": "implicit"})
        self.assertEqual((config.timestep, config.coupling), (0.002, "implicit"))
        config.set("RWRR", viscous=0.1 + 0.2)
        self.assertEqual(config.get("RWRR", "viscous"), 0.1 + 0.2)
        error = self.refuses(stiction.Error, "0.1", config.set, "RWRR", static_torque=0.1)
        self.assertEqual(error.path, "wrist.yaml")
        self.assertEqual(config.get("RWRR", "static_torque"), 3)
        self.refuses(stiction.Error, "nearest is 'viscous'", config.set, "RWRR", viscos=1)
        self.refuses(KeyError, "no parameter 'viscos'", config.get, "RWRR", "viscos")
        self.assertTrue(math.isnan(config.get("RWRR", "elastic_limit")))

    def test_one_made_by_functions(self):
        config = stiction.Config()
        config.add("A*", law="coulomb", coulomb_torque=1, stiffness=1000, damping=10)
        config.add("AB", config["AX"], coulomb_torque=2)
        self.assertEqual(config["AB"].coulomb_torque, 2)
        config.timestep = 0.001
        config.strict = True
        config.coupling = "explicit"
        config.element = "rigid"
        config.add_model("Arm")
        other = stiction.Config.parse(str(config))
        for each in (config, other, copy.copy(config), pickle.loads(pickle.dumps(config))):
            self.assertEqual(each.patterns, ["A*", "AB"])
            self.assertEqual((each.timestep, each.strict), (0.001, True))
            self.assertEqual((each.coupling, each.element), ("explicit", "rigid"))
            self.assertEqual(each.models, ["Arm"])
            self.assertEqual(each.joints, config.joints)
        self.assertTrue(config.is_for("Arm"))
        self.assertFalse(config.is_for("Leg"))
        config.set("AB", coulomb_torque=3)  # though nothing was loaded
        self.assertEqual(config["AB"].coulomb_torque, 3)
        self.refuses(stiction.Error, "AB", config.add, "AB", law="none")
        self.refuses(stiction.Error, "not one of auto, explicit, implicit", setattr, config, "coupling", "x")
        self.refuses(stiction.Error, "-1", setattr, config, "timestep", -1)
        self.refuses(TypeError, "no parameter 'vicous'", config.add, "C", law="coulomb", vicous=1)
        self.refuses(stiction.Error, "law", config.add, "C", law="colomb", coulomb_torque=1)

    def test_saving(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.yaml")
            self.config.save(path)
            self.assertEqual(stiction.Config.load(path).joints, self.config.joints)
            self.assertEqual(os.listdir(folder), ["a.yaml"])
            with self.assertRaises(OSError):
                self.config.save(os.path.join(folder, "no", "a.yaml"))

    def test_editing_a_file_keeps_its_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# mine\n" + helpers.WRIST)
            stiction.edit_file(path, {"joints.RWRR.viscous": 5})
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("# mine\n"))
            self.assertEqual(stiction.Config.load(path)["RWRR"].viscous, 5)
            self.refuses(stiction.Error, "override", stiction.edit_file, path, {"joints.RWRR.viscous": -5})

    def test_check_finds_what_model_refuses(self):
        self.assertEqual(self.config.check(["RWRR"], 1e-3), [])
        found = self.config.check(["LWRR"], 1e-3)
        self.assertEqual(len(found), 1)
        self.assertIn("LWRR", found[0].message)
        self.assertEqual((found[0].path, found[0].line), ("wrist.yaml", 4))
        error = self.refuses(stiction.Error, "LWRR", self.config.model, ["LWRR"])
        self.assertEqual(error.line, 4)


class Models(helpers.Test):
    def setUp(self):
        self.config = stiction.Config.parse(helpers.WRIST, path="wrist.yaml")

    def test_a_model_has_joints_in_the_order_of_the_robot(self):
        with self.assertNoLogs("stiction", "WARNING"):
            model = self.config.model(["A", "RWRR"], timestep=1e-3)
        self.assertEqual(model.names, ["A", "RWRR"])
        self.assertEqual(len(model), 2)
        self.assertEqual(list(model), ["A", "RWRR"])
        self.assertEqual(model["RWRR"].static_torque, 2.5)
        self.assertEqual(model[-1], model["RWRR"])
        self.assertEqual(model["A"].law, "none")
        self.assertEqual(model.timestep, 1e-3)
        self.assertEqual(model.phi_z("RWRR").Z, 1 / 55)
        self.assertEqual(model.law("RWRR").phi(0.0), 2.5)
        self.refuses(KeyError, "there is no joint 'B' among A, RWRR", model.joint, "B")
        self.refuses(IndexError, "joint 2 of 2", model.joint, 2)

    def test_the_time_step(self):
        self.assertEqual(self.config.model(["RWRR"]).timestep, 0.001)
        for wrong in (0, -1, float("nan"), float("inf")):
            self.refuses(ValueError, "timestep", self.config.model, ["RWRR"], wrong)
        self.refuses(TypeError, "timestep must be a number", self.config.model, ["RWRR"], "x")
        self.config.set("RWRR", damping=0, stiffness=100)
        error = self.refuses(stiction.Error, "RWRR", self.config.model, ["RWRR"], 1e-3)
        self.assertIs(error.status, stiction.Status.ILLEGAL_TIMESTEP)
        self.assertEqual(error.path, "wrist.yaml")

    def test_what_is_added_may_be_drawn_or_auto(self):
        config = stiction.Config()
        config.add('a "b"', law="none")
        config.add(
            "J", law="stribeck", static_torque={"uniform": [2, 3]}, coulomb_torque=0.4, stribeck_velocity=0.06,
            stiffness="auto", damping="auto")
        self.assertEqual(config.distributions, {"J": {"static_torque": ("uniform", 2.0, 3.0)}})
        self.assertEqual(config.patterns, ['a "b"', "J"])
        drawn = [config.draw("J", sample, 1e-3) for sample in range(5)]
        self.assertEqual(len({joint.static_torque for joint in drawn}), 5)
        for joint in drawn:
            self.assertAlmostEqual(joint.stiffness, joint.static_torque / 5e-4)
        config.set("J", static_torque=5)
        self.assertAlmostEqual(config.joint("J").stiffness, 10000)
        self.refuses(stiction.Error, "given twice", config.add, "J", law="coulomb", coulomb_torque={"uniform": [1, 2]},
                     stiffness=1, damping=1)
        self.refuses(TypeError, "viscous must be a number", config.add, "K", law="coulomb", viscous="auto")

    def test_viscous_friction_backwards_follows_unless_it_has_a_factor_of_its_own(self):
        config = stiction.Config.parse(helpers.WRIST)
        config.set("RWRR", reverse_factor=0.93)
        self.assertIsNone(config.joint("RWRR").reverse_viscous_factor)

        def backwards():
            state = config.model(["RWRR"], 1e-3).state()
            for _ in range(1000):
                torque = state.step(np.array([-2.0]))[0]
            return -torque

        self.assertAlmostEqual(backwards(), 0.93 * (0.4 + 9), 9)
        config.set("RWRR", reverse_viscous_factor=1.12)
        self.assertEqual(config.joint("RWRR").reverse_viscous_factor, 1.12)
        self.assertAlmostEqual(backwards(), 0.93 * 0.4 + 1.12 * 9, 9)
        self.assertEqual(stiction.Config.parse(str(config)).joint("RWRR"), config.joint("RWRR"))
        config.set("RWRR", reverse_viscous_factor="auto")
        self.assertAlmostEqual(backwards(), 0.93 * (0.4 + 9), 9)

    def test_wrong_names(self):
        self.refuses(TypeError, "list of names", self.config.model, "RWRR")
        self.refuses(TypeError, "must be a text", self.config.model, [1])
        self.refuses(ValueError, "NUL", self.config.model, ["A\0B"])
        self.refuses(stiction.Error, "'A'", self.config.model, ["A", "RWRR"], 1e-3, strict=True)
        self.assertEqual(self.config.model(["A"], 1e-3, partial=True)["A"].law, "none")

    def test_models_pickle(self):
        model = self.config.model(["A", "RWRR"], timestep=2e-3)
        other = pickle.loads(pickle.dumps(model))
        self.assertEqual(other.names, model.names)
        self.assertEqual(other.timestep, 2e-3)
        self.assertEqual(other["RWRR"], model["RWRR"])


helpers.main()
