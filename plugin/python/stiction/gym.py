# SPDX-License-Identifier: MIT
"""Environments for reinforcement learning, with the interface of Gymnasium 1, whether it is installed or not.

With the package ``gymnasium`` they are its :class:`Env` and :class:`VectorEnv` and have its spaces; without,
they have the same methods and spaces that serve as well.
"""
from __future__ import annotations

import importlib
import math
from typing import Any, Callable, Mapping, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import FloatArray
from .errors import Error, Status
from .simulation import Path
from .vector import VectorSimulation

try:
    _gymnasium: Any = importlib.import_module("gymnasium")
except ImportError:
    _gymnasium = None


class Box:
    """Arrays between bounds, where there is no ``gymnasium.spaces.Box``."""

    def __init__(self, low: ArrayLike, high: ArrayLike, dtype: Any = np.float64) -> None:
        self.low = np.asarray(low, dtype)
        self.high = np.asarray(high, dtype)
        self.shape = self.low.shape
        self.dtype = np.dtype(dtype)
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Of :meth:`sample`."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> NDArray[Any]:
        """A random array; normal where there are no bounds."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
        drawn = np.where(bounded, self._random.uniform(low, high), self._random.normal(size=self.shape))
        return np.clip(drawn, self.low, self.high).astype(self.dtype)

    def contains(self, value: Any) -> bool:
        """Whether it is one of these arrays."""
        return (
            isinstance(value, np.ndarray)
            and value.shape == self.shape
            and np.can_cast(value.dtype, self.dtype)
            and bool(np.all((value >= self.low) & (value <= self.high)))
        )

    __contains__ = contains

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def _box(low: FloatArray, high: FloatArray) -> Any:
    return Box(low, high) if _gymnasium is None else _gymnasium.spaces.Box(low, high, dtype=np.float64)


class _Bare:
    """In place of a base class of gymnasium."""

    render_mode = None
    spec = None

    @property
    def unwrapped(self) -> Any:
        """Itself: it wraps nothing."""
        return self


_Env: Any = _Bare if _gymnasium is None else _gymnasium.Env
_VectorEnv: Any = _Bare if _gymnasium is None else _gymnasium.vector.VectorEnv

#: From the simulations and the actions (n, joints) to rewards and terminated (n).
Reward = Callable[[VectorSimulation, FloatArray], tuple[ArrayLike, ArrayLike]]
Observe = Callable[[VectorSimulation], ArrayLike]
Start = Callable[[np.random.Generator, int], tuple[ArrayLike, ArrayLike]]


def observe_joints(vector: VectorSimulation) -> FloatArray:
    """The default observation: q and dq; with a floating base before them its height, rotation and
    velocities."""
    parts = [vector.q, vector.dq]
    if vector.bodies[0].floating:
        base = vector.base
        parts = [base.position[:, 2:], base.rotation, base.linear, base.angular, *parts]
    return np.concatenate(parts, axis=1)


class _Task:
    """What an environment and a vector of them share: the simulations, observations, actions, rewards."""

    def __init__(
        self,
        robot: Path,
        n: int,
        config: Any,
        *,
        reward: Reward,
        observe: Observe = observe_joints,
        start: Optional[Start] = None,
        control_period: float = 0.01,
        duration: float = 10.0,
        torque_limit: Optional[ArrayLike] = None,
        **arguments: Any,
    ) -> None:
        self.simulations = VectorSimulation(robot, n, config, **arguments)
        self.steps = max(1, round(control_period / self.simulations.timestep))
        self.duration = duration
        self.reward, self.observe, self.start = reward, observe, start
        joints = self.simulations.joints
        if torque_limit is None:
            limit = np.array([joint.torque_limit for joint in joints])
            if not np.all(np.isfinite(limit)):
                missing = next(joint.name for joint in joints if not math.isfinite(joint.torque_limit))
                self.simulations.close()
                raise ValueError(f"the robot file has no torque limit of joint '{missing}': give torque_limit")
        else:
            limit = np.broadcast_to(np.asarray(torque_limit, np.float64), (len(joints),)).copy()
        self.limit = limit
        self.random = [np.random.default_rng() for _ in range(n)]
        self.size = self.observations().shape[1]

    def observations(self) -> FloatArray:
        """The observations of all environments, in a new array."""
        return np.array(self.observe(self.simulations), np.float64)

    def reset(self, chosen: NDArray[np.bool_], seeds: list[Optional[int]]) -> None:
        """Starts episodes. A seed restarts the random numbers of an environment; each episode draws the
        friction of its robot anew."""
        numbers = np.flatnonzero(chosen)
        draws = self.simulations.seeds is not None
        for number in numbers.tolist():
            if seeds[number] is not None:
                self.random[number] = np.random.default_rng(seeds[number])
        if draws:
            self.simulations.reset(numbers, [int(self.random[k].integers(2**53)) for k in numbers])
        else:
            self.simulations.reset(numbers)
        if self.start is not None:
            for number in numbers.tolist():
                q, dq = self.start(self.random[number], len(self.limit))
                self.simulations.set_joints(q, dq, number)

    def step(
        self, action: ArrayLike
    ) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], NDArray[np.bool_]]:
        """One control period: actions from -1 to 1 are shares of the torque limits."""
        simulations = self.simulations
        share = np.clip(np.asarray(action, np.float64), -1, 1)
        try:
            simulations.step(share * self.limit, self.steps)
        except Error as error:
            if error.status == Status.INVALID_ARGUMENT:
                raise
        reward, terminated = self.reward(simulations, share)
        failed = simulations.failed
        rewards = np.where(failed, 0.0, np.broadcast_to(np.asarray(reward, np.float64), failed.shape))
        ended = np.asarray(terminated, np.bool_) | failed
        truncated = ~ended & (simulations.time >= self.duration - 0.5 * simulations.timestep)
        return self.observations(), rewards, np.broadcast_to(ended, failed.shape).copy(), truncated

    def spaces(self, rows: tuple[int, ...]) -> tuple[Any, Any]:
        """Of observations and actions."""
        wide, share = np.full((*rows, self.size), np.inf), np.ones((*rows, len(self.limit)))
        return _box(-wide, wide), _box(-share, share)


class Environment(_Env):  # type: ignore[misc]
    """One robot that learns.

    ::

        def reward(simulations, action):           # arrays with a row per environment
            error = simulations.q[:, 0] - 0.5
            return -error**2, np.abs(error) > 2    # rewards, and which episodes ended badly

        environment = stiction.gym.Environment("arm.urdf", "arm.yaml", reward=reward, fixed_base=True)
        observation, info = environment.reset(seed=1)
        observation, reward, terminated, truncated, info = environment.step(environment.action_space.sample())

    An action is a torque per joint from -1 to 1, a share of ``torque_limit`` (N m; None: those of the robot
    file), held for ``control_period`` (s). ``observe`` gives the observations, an array with a row per
    environment: by default :func:`observe_joints`. ``start(random, joints)`` gives q and dq at the start of
    an episode. An episode ends (``truncated``) after ``duration`` (s), or (``terminated``) if ``reward``
    returns that or the simulation fails. Random parameters of friction are drawn anew in every episode. The other
    arguments are those of :class:`stiction.VectorSimulation`; ``simulations`` is it.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, robot: Path, config: Any = None, *, reward: Reward, **arguments: Any) -> None:
        arguments.setdefault("threads", 1)
        self._task = _Task(robot, 1, config, reward=reward, **arguments)
        self.simulations = self._task.simulations
        self.observation_space, self.action_space = self._task.spaces(())

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> tuple[FloatArray, dict[str, Any]]:
        """Starts an episode: its first observation, and an empty dictionary."""
        if _gymnasium is not None:
            super().reset(seed=seed, options=options)
        self._task.reset(np.ones(1, np.bool_), [seed])
        return self._task.observations()[0], {}

    def step(self, action: ArrayLike) -> tuple[FloatArray, float, bool, bool, dict[str, Any]]:
        """One control period: observation, reward, terminated, truncated, and an empty dictionary."""
        observation, reward, terminated, truncated = self._task.step(np.asarray(action)[None])
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}

    def render(self) -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Ends the simulation."""
        self.simulations.close()


class VectorEnvironment(_VectorEnv):  # type: ignore[misc]
    """``num_envs`` robots that learn, stepped in threads of C; arguments as :class:`Environment`.

    In the step after an episode has ended, its environment is reset: its action is ignored, its reward is 0,
    and its observation is the first of the next episode (Gymnasium's ``AutoresetMode.NEXT_STEP``).
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self, robot: Path, num_envs: int, config: Any = None, *, reward: Reward, **arguments: Any
    ) -> None:
        self._task = _Task(robot, num_envs, config, reward=reward, **arguments)
        self.simulations = self._task.simulations
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = self._task.spaces(())
        self.observation_space, self.action_space = self._task.spaces((num_envs,))
        self._ended = np.zeros(num_envs, np.bool_)
        mode = getattr(getattr(_gymnasium, "vector", None), "AutoresetMode", None)
        self.metadata = {**self.metadata, "autoreset_mode": mode.NEXT_STEP if mode else "NextStep"}

    def reset(
        self, *, seed: Any = None, options: Optional[Mapping[str, Any]] = None
    ) -> tuple[FloatArray, dict[str, Any]]:
        """Starts all episodes: their first observations. Environment k gets the seed plus k, or its own of a
        list."""
        del options
        n = self.num_envs
        seeds: list[Optional[int]] = [None] * n
        if seed is not None:
            seeds = [seed + k for k in range(n)] if np.ndim(seed) == 0 else list(seed)
        if len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds for {n} environments")
        self._task.reset(np.ones(n, np.bool_), seeds)
        self._ended[:] = False
        return self._task.observations(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One control period of all: observations, rewards, terminated, truncated, and an empty dictionary."""
        restarted = self._ended
        observations, rewards, terminated, truncated = self._task.step(actions)
        if restarted.any():
            self._task.reset(restarted, [None] * self.num_envs)
            observations = self._task.observations()
            rewards, terminated, truncated = (
                np.where(restarted, np.zeros_like(each), each) for each in (rewards, terminated, truncated)
            )
        self._ended = terminated | truncated
        return observations, rewards, terminated, truncated, {}

    def render(self) -> None:
        """Draws nothing."""

    def close(self, **_: Any) -> None:
        """Ends the simulations."""
        self.simulations.close()
