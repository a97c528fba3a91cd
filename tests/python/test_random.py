# SPDX-License-Identifier: MIT
"""Parameters that are drawn: seeds and samples in models, states and batches."""
import pickle

import numpy as np

import helpers
import stiction

RANDOM = """\
stiction: 1
seed: 7
timestep: 0.001
joints:
  "R*":
    law: stribeck
    static_torque: {uniform: [2.0, 3.0]}
    coulomb_torque: 0.4
    stribeck_velocity: 0.06
    viscous: {normal: [4.5, 0.5]}
    stiffness: 5000
    damping: 50
  L: {law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 10}
"""


class Draws(helpers.Test):
    def setUp(self):
        self.config = stiction.Config.parse(RANDOM, path="random.yaml")

    def test_a_configuration_keeps_its_distributions(self):
        config = self.config
        self.assertTrue(config.is_random)
        self.assertEqual(config.seed, 7)
        drawn = {"static_torque": ("uniform", 2, 3), "viscous": ("normal", 4.5, 0.5)}
        self.assertEqual(config.distributions, {"R*": drawn})
        config.set("R*", lag={"uniform": [0, 0.01]}, damping={"uniform": [50, 60]})
        drawn.update(lag=("uniform", 0, 0.01), damping=("uniform", 50, 60))
        self.assertEqual(config.distributions, {"R*": drawn})
        self.assertEqual(stiction.Config.parse(str(config)).distributions, config.distributions)
        self.assertFalse(stiction.Config.parse(helpers.WRIST).is_random)

    def test_samples_differ_and_repeat(self):
        draws = [self.config.draw("R1", k).static_torque for k in range(50)]
        self.assertEqual(len(set(draws)), 50)
        self.assertTrue(all(2 <= draw <= 3 for draw in draws))
        self.assertNotEqual(self.config.draw("R2", 0).static_torque, draws[0])
        model = self.config.model(["R1", "L"], sample=3)
        self.assertEqual((model.seed, model.sample), (7, 3))
        self.assertEqual(model["R1"].static_torque, draws[3])
        self.assertEqual([model.is_random(k) for k in (0, 1)], [True, False])
        self.config.seed = 8
        self.assertNotEqual(self.config.draw("R1", 0).static_torque, draws[0])
        self.config.seed = 7
        self.assertEqual(self.config.draw("R1", 0).static_torque, draws[0])

    def test_states_and_batches_draw_the_same(self):
        model = self.config.model(["R1", "L"])
        draws = [self.config.draw("R1", k, 1e-3) for k in range(20)]
        batch = stiction.Batch(model, 20)
        for k in range(20):
            self.assertEqual(batch.joint(k, "R1"), draws[k])
            self.assertEqual(batch.joint(k, "L"), model["L"])
        batch.draw(2, 19)
        self.assertEqual(batch.joint(2, 0), draws[19])
        alike = stiction.Batch(model, 20, same_sample=True)
        self.assertEqual(alike.joint(11, 0), draws[0])
        state = model.state()
        state.draw(5)
        self.assertEqual(state.joint(0), draws[5])
        v = np.full(batch.shape, 0.5)
        self.assertEqual(batch.step(v)[5, 0], state.step([0.5, 0.5])[0])
        state.reset()
        self.assertEqual(state.joint(0), draws[0])

    def test_distributions_are_set_as_values(self):
        config = stiction.Config.parse(helpers.WRIST)
        config.set("RWRR", static_torque={"uniform": [2, 3]})
        self.assertEqual(config.distributions, {"RWRR": {"static_torque": ("uniform", 2, 3)}})
        config.set("RWRR", static_torque=2.5)
        self.assertFalse(config.is_random)
        self.refuses(stiction.Error, "uniform", config.set, "RWRR", static_torque={"uniform": [3, 2]})
        self.refuses(stiction.Error, "uniforms", config.set, "RWRR", static_torque={"uniforms": [2, 3]})

    def test_pickles_draw_on(self):
        model = pickle.loads(pickle.dumps(self.config.model(["R1", "L"], 1e-3, sample=4)))
        self.assertEqual(model["R1"], self.config.draw("R1", 4, 1e-3))
        self.assertEqual(stiction.Batch(model, 3).joint(2, 0), self.config.draw("R1", 6, 1e-3))

    def test_mistakes(self):
        self.refuses(TypeError, "whole number", setattr, self.config, "seed", 1.5)
        self.refuses(ValueError, "at least 0", setattr, self.config, "seed", -1)
        self.refuses(stiction.Error, "seed", setattr, self.config, "seed", 2**60)
        self.refuses(ValueError, "sample -1", self.config.model, ["R1", "L"], sample=-1)


helpers.main()
