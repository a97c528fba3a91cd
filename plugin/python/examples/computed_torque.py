# SPDX-License-Identifier: MIT
"""Computed torque: the mass matrix and the bias force make every joint a mass of its own, which a spring and
a damper take to its target.

    stiction run sample_projects/arm7/arm7.cnoid --controller computed_torque.py:kp=100 --targets J1:30,J2:40

Options: kp (1/s^2, 100), kd (1/s, 2 sqrt(kp): critically damped).
"""
import numpy as np


class Controller:
    needs = ["mass_matrix", "bias"]
    records = ["largest_error"]

    def __init__(self, setup):
        self.kp = setup.option("kp", 100.0)
        self.kd = setup.option("kd", 2 * self.kp**0.5)
        self.limit = np.array([joint.torque_limit for joint in setup.joints])
        # a floating base has six rows before those of the joints
        self.joints = slice(setup.dof - len(setup.joints), setup.dof)
        self.reset()

    def reset(self):
        self.start = None

    def step(self, input):
        if self.start is None:
            self.start = input.q
        error = np.where(np.isnan(input.target), self.start, input.target) - input.q
        acceleration = self.kp * error - self.kd * input.dq
        torque = input.mass_matrix[self.joints, self.joints] @ acceleration + input.bias[self.joints]
        return {
            "torque": np.clip(torque, -self.limit, self.limit),
            "target": input.q + error,
            "records": {"largest_error": np.abs(error).max()},
        }
