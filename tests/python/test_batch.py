# SPDX-License-Identifier: MIT
"""Batches: arrays without a copy, threads."""
import os
import signal

import numpy as np

import helpers
import stiction


class Batches(helpers.Test):
    def setUp(self):
        config = stiction.Config.load(helpers.SOURCES / "config" / "hrp5p.yaml")
        names = [name for name in config.patterns if not set(name) & set("*?[")][:5]
        self.model = config.model(names, timestep=1e-3, partial=True)
        self.rng = np.random.default_rng(1)

    def test_torques_are_those_of_states_to_the_bit(self):
        robots = 7
        for threads in (1, 3):
            for joint_major in (False, True):
                batch = stiction.Batch(self.model, robots, threads, joint_major=joint_major)
                states = [self.model.state() for _ in range(robots)]
                for _ in range(20):
                    velocity = self.rng.normal(size=batch.shape)
                    torque = batch.step(velocity)
                    rows = velocity.T if joint_major else velocity
                    mine = np.array([state.step(row) for state, row in zip(states, rows)])
                    self.assertTrue(np.array_equal(torque.T if joint_major else torque, mine))
                deflections = batch.deflections.T if joint_major else batch.deflections
                self.assertTrue(np.array_equal(deflections, [state.deflections for state in states]))

    def test_arrays_are_used_where_they_lie(self):
        batch = stiction.Batch(self.model, robots=4, threads=2)
        velocity, torque = np.full(batch.shape, 0.1), np.zeros(batch.shape)
        self.assertIs(batch.step(velocity, out=torque), torque)
        self.assertTrue(torque.all())
        step = batch.step
        self.refuses(TypeError, "velocity must be a numpy array, not list", step, [[0.0]])
        self.refuses(TypeError, "not float32", step, velocity.astype(np.float32))
        self.refuses(ValueError, "velocity has shape (5, 4), and (4, 5) is needed", step, velocity.T)
        wide = np.zeros((4, 10))
        self.refuses(ValueError, "C order", step, wide[:, ::2])
        self.refuses(ValueError, "C order", step, np.asfortranarray(velocity))
        self.refuses(ValueError, "out must lie in C order", step, velocity, out=wide[:, ::2])
        self.refuses(TypeError, "out must be an array of float64", step, velocity, out=torque.astype(">f8"))
        self.refuses(ValueError, "same memory", step, velocity, out=velocity)
        memory = np.zeros(25)
        self.refuses(ValueError, "share", step, memory[:20].reshape(4, 5), out=memory[5:].reshape(4, 5))
        raw = np.zeros(8 * 20 + 1, np.uint8)[1:].view(np.float64).reshape(4, 5)
        self.refuses(ValueError, "C order", step, raw)
        self.refuses(stiction.Error, "time step", step, velocity, timestep=0)

    def test_drives_are_those_of_states_to_the_bit(self):
        config = stiction.Config.parse(helpers.WRIST)
        config.set("RWRR", load_motor=0.2, load_external=0.1, ripple=0.1, temperature_level=-0.002)
        model = config.model(["RWRR"])
        batch = stiction.Batch(model, 5)
        states = [model.state() for _ in range(5)]
        names = ("effort", "position", "external_torque", "temperature")
        for _ in range(20):
            velocity = self.rng.normal(size=batch.shape)
            told = {name: self.rng.normal(size=batch.shape) for name in names}
            torque = batch.step(velocity, **told)
            for k, state in enumerate(states):
                row = {name: array[k] for name, array in told.items()}
                self.assertEqual(torque[k, 0], state.step(velocity[k], **row)[0])
        self.refuses(stiction.Error, "needs the", batch.step, velocity)
        told["position"] = told["position"].astype(np.float32)
        self.refuses(TypeError, "position must be an array of float64", batch.step, velocity, **told)

    def test_faults_are_counted(self):
        batch = stiction.Batch(self.model, 3)
        velocity = np.full(batch.shape, 0.1)
        velocity[1, 2] = np.nan
        torque = batch.step(velocity)
        self.assertEqual(torque[1, 2], 0)
        self.assertTrue(np.isfinite(torque).all())
        self.assertEqual(batch.total_faults, 1)
        self.assertEqual(batch.faults(1).tolist(), [0, 0, 1, 0, 0])

    def test_one_robot_differs(self):
        batch = stiction.Batch(self.model, 3)
        batch.set_joint(1, 0, static_torque=1000, coulomb_torque=999)
        self.assertEqual(batch.joint(1, 0).static_torque, 1000)
        self.assertEqual(batch.joint(0, 0), self.model.joint(0))
        torque = batch.step(np.full(batch.shape, 1.0))
        self.assertEqual(torque[0, 0], torque[2, 0])
        self.assertNotEqual(torque[0, 0], torque[1, 0])
        batch.reset(1)
        self.assertFalse(batch.deflections[1].any())
        self.assertTrue(batch.deflections[0].any())
        batch.deflections = np.zeros(batch.shape)
        self.assertFalse(batch.deflections.any())
        batch.step(np.full(batch.shape, 1.0))
        batch.reset()
        self.assertFalse(batch.deflections.any())
        self.refuses(IndexError, "robot 3 of 3", batch.joint, 3, 0)
        self.refuses(KeyError, "no joint 'X'", batch.joint, 0, "X")
        self.refuses(stiction.Error, "-1", batch.set_joint, 0, 0, static_torque=-1)

    def test_what_a_batch_is_made_of(self):
        self.refuses(TypeError, "stiction.Model, not str", stiction.Batch, "model", 3)
        self.refuses(TypeError, "whole number", stiction.Batch, self.model, 3.5)
        self.refuses(ValueError, "robots 0", stiction.Batch, self.model, 0)
        self.refuses(ValueError, "threads -1", stiction.Batch, self.model, 1, -1)
        self.refuses(stiction.Error, "", stiction.Batch, self.model, 1, timestep=-1)

    def test_a_batch_with_threads_survives_a_fork(self):
        batch = stiction.Batch(self.model, 500, threads=2)
        velocity = np.full(batch.shape, 0.1)
        expected = stiction.Batch(self.model, 500, threads=1).step(velocity).copy()
        pid = os.fork()
        if pid == 0:
            signal.alarm(60)  # one that hangs
            fine = np.array_equal(batch.step(velocity), expected)
            del batch
            os._exit(0 if fine else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertTrue(np.array_equal(batch.step(velocity), expected))

    def test_threads_of_python_share_a_batch(self):
        batch = stiction.Batch(self.model, 500, threads=2)
        velocity = np.full(batch.shape, 1e-7)

        def run(_):
            for _ in range(100):
                batch.step(velocity)

        helpers.in_threads(4, run)
        once = stiction.Batch(self.model, 500)
        for _ in range(400):
            once.step(velocity)
        self.assertTrue(np.array_equal(batch.deflections, once.deflections))


helpers.main()
