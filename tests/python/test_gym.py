# SPDX-License-Identifier: MIT
"""Environments for learning: the interface of Gymnasium 1, without the package and with a stand-in of it (or the
package itself, where it is installed)."""
import importlib
import importlib.util
import subprocess
import sys
import types
import warnings
from unittest import mock

import numpy as np

import helpers
import stiction
import stiction.gym

WRIST = helpers.SOURCES / "sample_projects" / "wrist" / "wrist.cnoid"
ARM = helpers.SOURCES / "sample_projects" / "arm7" / "arm7.cnoid"


def reward(simulations, action):
    return -np.abs(simulations.q[:, 0] - 0.5) - 0.001 * np.square(action).sum(axis=1), simulations.q[:, 0] > 1


def options(**more):
    config = stiction.Config.parse(helpers.WRIST)
    config.set("RWRR", static_torque={"uniform": [2, 3]})
    return dict(config=config, reward=reward, controller="none", torque_limit=10, duration=0.05, **more)


def start(random, joints):
    return random.uniform(-0.1, 0.1, joints), np.zeros(joints)


def stand_in():
    """The part of gymnasium 1 that is used."""
    gymnasium = types.ModuleType("gymnasium")

    class Env:
        def reset(self, *, seed=None, options=None):
            self.given = seed, options

    class VectorEnv:
        pass

    class Space:
        def __init__(self, low, high, dtype):
            self.low, self.high, self.shape, self.dtype = low, high, low.shape, dtype

    gymnasium.Env = Env
    gymnasium.spaces = types.SimpleNamespace(Box=Space)
    mode = types.SimpleNamespace(NEXT_STEP="next step")
    gymnasium.vector = types.SimpleNamespace(VectorEnv=VectorEnv, AutoresetMode=mode)
    return gymnasium


class Environments(helpers.Test):
    def test_an_episode_has_the_interface_of_gymnasium(self):
        environment = stiction.gym.Environment(WRIST, start=start, **options())
        observation, info = environment.reset(seed=3)
        self.assertEqual((observation.shape, observation.dtype, info), ((2,), np.float64, {}))
        self.assertTrue(environment.observation_space.contains(observation))
        self.assertNotEqual(observation[0], 0)
        for k in range(5):
            action = environment.action_space.sample()
            self.assertTrue(environment.action_space.contains(action))
            observation, value, terminated, truncated, info = environment.step(action)
            self.assertEqual([type(each) for each in (value, terminated, truncated)], [float, bool, bool])
            self.assertEqual((terminated, truncated), (False, k == 4))
        self.assertEqual(environment.unwrapped, environment)
        environment.close()

    def test_a_seed_repeats_episodes_and_their_friction(self):
        environment = stiction.gym.Environment(WRIST, start=start, **options())

        def episodes(seed):
            rows = []
            for k in range(2):
                rows.append(environment.reset(seed=seed if k == 0 else None)[0])
                rows.append(environment.simulations.parameters("static_torque")[0])
                rows.append(environment.step([0.3])[0])
            return np.concatenate(rows)

        first, again, other = episodes(5), episodes(5), episodes(6)
        self.assertEqual(first.tobytes(), again.tobytes())
        self.assertNotEqual(first.tobytes(), other.tobytes())
        self.assertNotEqual(first[2], first[7])  # each episode draws anew

    def test_a_vector_has_the_episodes_of_single_environments(self):
        vector = stiction.gym.VectorEnvironment(WRIST, 4, threads=2, start=start, **options())
        actions = np.random.default_rng(2).uniform(-1, 1, (5, 4, 1))
        seen = [vector.reset(seed=10)[0]] + [vector.step(action)[0] for action in actions]
        self.assertEqual(vector.observation_space.shape, (4, 2))
        self.assertEqual(vector.single_action_space.shape, (1,))
        for k in (0, 3):
            one = stiction.gym.Environment(WRIST, start=start, **options())
            mine = [one.reset(seed=10 + k)[0]] + [one.step(action[k])[0] for action in actions]
            self.assertEqual(np.array(mine).tobytes(), np.array(seen)[:, k].tobytes())

    def test_an_episode_that_has_ended_begins_anew_in_the_next_step(self):
        vector = stiction.gym.VectorEnvironment(WRIST, 3, threads=1, **options())
        vector.reset(seed=1)
        vector.simulations.set_joints(q=[2.0], environments=1)  # beyond what reward allows
        _, _, terminated, truncated, _ = vector.step(np.zeros((3, 1)))
        self.assertEqual((terminated.tolist(), truncated.any()), ([False, True, False], False))
        observations, rewards, terminated, _, _ = vector.step(np.zeros((3, 1)))
        self.assertEqual(observations[1].tolist(), [0, 0])
        self.assertEqual((rewards[1], terminated.any()), (0, False))
        np.testing.assert_allclose(vector.simulations.time, [0.02, 0, 0.02])
        for _ in range(3):
            _, _, _, truncated, _ = vector.step(np.zeros((3, 1)))
        self.assertEqual(truncated.tolist(), [True, False, True])
        vector.step(np.zeros((3, 1)))
        np.testing.assert_allclose(vector.simulations.time, [0, 0.04, 0])

    def test_a_failed_simulation_ends_its_episode(self):
        vector = stiction.gym.VectorEnvironment(WRIST, 3, threads=2, **{**options(), "torque_limit": 1e300})
        vector.reset()
        _, rewards, terminated, _, _ = vector.step([[0], [1], [0]])
        self.assertEqual((terminated.tolist(), rewards[1]), ([False, True, False], 0))
        self.refuses(stiction.Error, "torque is nan", vector.step, [[0], [0], [np.nan]])
        _, _, terminated, _, _ = vector.step(np.zeros((3, 1)))
        self.assertFalse(terminated.any())

    def test_limits_of_the_robot_scale_actions(self):
        environment = stiction.gym.Environment(ARM, reward=reward, controller="none")
        limits = [joint.torque_limit for joint in environment.simulations.joints]
        environment.reset()
        environment.step(np.full(7, -2.0))  # beyond -1
        np.testing.assert_allclose(environment.simulations.command[0], [-limit for limit in limits])
        arm = helpers.SOURCES / "tests" / "robots" / "arm.body"
        self.refuses(ValueError, "no torque limit of joint", stiction.gym.Environment, arm, reward=reward)

    def check_with_the_package(self, gymnasium, environment, vector):
        checker = importlib.import_module("gymnasium.utils.env_checker")
        wrappers = importlib.import_module("gymnasium.wrappers")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*A Box observation space")  # velocities have no bounds
            checker.check_env(environment, skip_render_check=True)
        limited = wrappers.TimeLimit(environment, 3)
        limited.reset(seed=1)
        self.assertEqual([limited.step(np.zeros(1))[3] for _ in range(3)], [False, False, True])
        counted = wrappers.vector.RecordEpisodeStatistics(vector)
        counted.reset(seed=1)
        lengths = []
        for _ in range(12):
            info = counted.step(np.zeros((2, 1)))[4]
            lengths += info["episode"]["l"].tolist() if "episode" in info else []
        self.assertEqual(set(lengths), {5})

    def test_with_the_package_its_classes_are_used(self):
        known = importlib.util.find_spec("gymnasium")
        gymnasium = importlib.import_module("gymnasium") if known else stand_in()
        with mock.patch.dict(sys.modules, gymnasium=gymnasium):
            gym = importlib.reload(stiction.gym)
            try:
                environment = gym.Environment(WRIST, **options())
                self.assertIsInstance(environment, gymnasium.Env)
                self.assertIsInstance(environment.action_space, gymnasium.spaces.Box)
                environment.reset(seed=4)
                environment.step(np.zeros(1))
                vector = gym.VectorEnvironment(WRIST, 2, **options())
                self.assertIsInstance(vector, gymnasium.vector.VectorEnv)
                self.assertEqual(vector.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode.NEXT_STEP)
                self.assertEqual(vector.observation_space.shape, (2, 2))
                vector.reset(seed=1)
                vector.step(np.zeros((2, 1)))
                if known:
                    self.check_with_the_package(gymnasium, environment, vector)
                else:
                    self.assertEqual(environment.given, (4, None))
            finally:
                sys.modules.pop("gymnasium")
        importlib.reload(stiction.gym)

    def test_a_box_knows_its_arrays(self):
        box = stiction.gym.Box([-1, -np.inf], [1, np.inf])
        box.seed(1)
        first = box.sample()
        box.seed(1)
        self.assertEqual(first.tobytes(), box.sample().tobytes())
        self.assertIn(first, box)
        self.assertNotIn(np.array([2.0, 0.0]), box)
        self.assertNotIn(np.zeros(3), box)
        self.assertNotIn([0.0, 0.0], box)

    def test_the_example_learns(self):
        path = helpers.SOURCES / "plugin" / "python" / "examples" / "learn.py"
        done = subprocess.run(
            [sys.executable, path, helpers.SOURCES], capture_output=True, text=True, check=True
        )
        errors = [float(line.split("error ")[1].split()[0]) for line in done.stdout.splitlines()]
        self.assertGreater(errors[0], 3)
        self.assertLess(errors[-1], 0.3)


helpers.main()
