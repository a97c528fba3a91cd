# SPDX-License-Identifier: MIT
"""Learns the gains of a controller that is accurate in spite of stiction, whatever the friction: 64 wrists,
whose friction is drawn anew in every episode, try one candidate each; the best quarter is where the next
candidates come from (cross-entropy method).

    python3 learn.py
"""
import pathlib
import sys

import numpy as np

import stiction
import stiction.gym

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
TARGET, CANDIDATES, GENERATIONS = 0.5, 64, 8


def reward(simulations, action):
    error = simulations.q[:, 0] - TARGET
    return -np.abs(error), np.abs(error) > 3


def act(gains, observation):
    """A spring, a damper, and a push against stiction; as a share of 10 N m."""
    error, velocity = TARGET - observation[:, 0], observation[:, 1]
    kp, kd, push = np.abs(gains).T
    return ((kp * error - kd * velocity + push * np.tanh(error / 0.01)) / 10)[:, None]


def main():
    config = stiction.Config.load(ROOT / "config/wrist.yaml")
    config.set("RWRR", static_torque={"uniform": [1.5, 3.0]}, viscous={"uniform": [3.0, 6.0]})
    environment = stiction.gym.VectorEnvironment(
        ROOT / "sample_projects/wrist/wrist.cnoid",
        CANDIDATES,
        config,
        reward=reward,
        controller="none",
        torque_limit=10,
        duration=1.0,
    )
    random = np.random.default_rng(1)
    mean, spread = np.array([5.0, 0.5, 0.0]), np.array([3.0, 0.3, 1.0])
    for generation in range(GENERATIONS):
        gains = random.normal(mean, spread, (CANDIDATES, 3))
        observation, _ = environment.reset(seed=1000 * generation)
        truncated = np.zeros(CANDIDATES, bool)
        total = np.zeros(CANDIDATES)
        while not truncated.any():
            observation, rewards, _, truncated, _ = environment.step(act(gains, observation))
            total += rewards
        best = gains[np.argsort(total)[-CANDIDATES // 4 :]]
        mean, spread = np.abs(best).mean(axis=0), best.std(axis=0) + 1e-3
        error = np.abs(environment.simulations.q[:, 0] - TARGET)
        median = np.degrees(np.median(error))
        print(f"generation {generation}: median error {median:.3f} deg, gains {mean.round(2)}")
    environment.close()
    return median


if __name__ == "__main__":
    main()
