# SPDX-License-Identifier: MIT
"""A batch: many robots of one model, all stepped in one call, on as many threads as wanted."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, errors
from ._abi import lib
from ._arrays import FloatArray, address, exact, index_below, result, scalar, whole
from ._handle import Owner, hold_while_forking
from .joint import Joint, from_c, to_c
from .model import Model
from .state import set_inputs


class Batch(Owner):
    """Many robots, stepped together; the torques are those of :class:`State`, to the bit.

    Arrays have the shape ``batch.shape``: (robots, joints), or (joints, robots) with ``joint_major``, which
    is the faster order. They are used where they lie, without a copy: float64, in C order.

    >>> import numpy as np, stiction
    >>> config = stiction.Config.parse('''
    ... stiction: 1
    ... joints: {A: {law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 0}}
    ... ''')
    >>> batch = stiction.Batch(config.model(["A"], timestep=1e-3), robots=3, threads=2)
    >>> velocity, torque = np.full(batch.shape, 0.25), np.empty(batch.shape)
    >>> batch.step(velocity, out=torque) is torque
    True
    >>> torque.tolist()
    [[0.25], [0.25], [0.25]]
    """

    model: Model
    robots: int
    threads: int
    shape: tuple[int, int]

    def __init__(
        self,
        model: Model,
        robots: int,
        threads: int = 1,
        *,
        timestep: Optional[float] = None,
        joint_major: bool = False,
        same_sample: bool = False,
    ) -> None:
        """``threads`` share a step. Where the configuration draws parameters, robot k has sample k (from
        that of the model on), unless ``same_sample``."""
        if not isinstance(model, Model):
            raise TypeError(f"model must be a stiction.Model, not {type(model).__name__}")
        self._error = errors.new_error()
        self._error_reference = ctypes.byref(self._error)
        self._lock = threading.Lock()
        hold_while_forking(self._lock)
        robots, threads = whole(robots, "robots", 1, 31), whole(threads, "threads", 1, 31)
        seconds = model.timestep if timestep is None else scalar(timestep, "timestep")
        definition = _abi.BatchDef(seconds, threads, not joint_major, bool(same_sample))
        arguments = (model._pointer, robots, definition)
        self._create(lib.batch_create, lib.batch_destroy, *arguments, parents=[model._handle])
        self.model = model
        self.robots = robots
        self.threads = threads
        self.shape = (len(model), robots) if joint_major else (robots, len(model))
        self._joint_major = bool(joint_major)
        self._timestep = seconds

    def step(
        self,
        velocity: np.ndarray,
        out: Optional[np.ndarray] = None,
        *,
        timestep: Optional[float] = None,
        **inputs: Optional[np.ndarray],
    ) -> FloatArray:
        """One step of all robots: from velocities, rad/s, to torques, N m, which the host subtracts.
        ``out`` receives them instead of a new array. Other Python threads run meanwhile. ``inputs`` as in
        :meth:`State.step`, with the shape of the batch."""
        v = exact(velocity, self.shape, "velocity")
        torque = result(out, self.shape)
        if out is not None and np.may_share_memory(v, torque):
            raise ValueError("velocity and out are the same memory, or share some of it")
        seconds = self._timestep if timestep is None else scalar(timestep, "timestep")
        with self._lock:
            if not inputs:
                status = lib.step_batch(
                    self._pointer, seconds, address(v), address(torque), self._error_reference
                )
            else:
                given = _abi.Input(seconds, address(v))
                set_inputs(given, inputs, lambda name, array: exact(array, self.shape, name))
                status = lib.step_batch_full(self._pointer, given, address(torque), self._error)
            if status or errors.pending:
                errors.check(status, self._error)
        return torque

    def reset(self, robot: Optional[int] = None) -> None:
        """Back to rest: all robots, or one; parameters stay."""
        if robot is None:
            self._call(lib.batch_reset)
        else:
            self._call(lib.batch_reset_environment, self._robot(robot))

    def joint(self, robot: int, joint: Union[str, int]) -> Joint:
        """The friction that a joint of one robot has now."""
        struct = _abi.JointDef.default()
        self._call(lib.batch_joint, self._robot(robot), self.model.index(joint), struct)
        return from_c(struct)

    def set_joint(
        self, robot: int, joint: Union[str, int], to: Optional[Joint] = None, **values: Any
    ) -> None:
        """Changes a joint of one robot from the next step on, as :meth:`State.set_joint`."""
        struct = to_c((to or self.joint(robot, joint)).replace(**values))
        self._call(lib.batch_set_joint, self._robot(robot), self.model.index(joint), struct)

    def parameters(self, key: str) -> FloatArray:
        """A parameter of friction (``static_torque``) of all joints, in the order of the batch; NaN where it
        is not given."""
        rows = [
            [getattr(self.joint(robot, k), key) for k in range(len(self.model))] for robot in range(self.robots)
        ]
        array = np.array(rows, np.float64).reshape(self.robots, len(self.model))
        return np.ascontiguousarray(array.T) if self._joint_major else array

    def draw(self, robot: int, sample: int) -> None:
        """Gives one robot the parameters of another sample; a reset leaves them to it."""
        self._call(lib.batch_draw, self._robot(robot), whole(sample, "sample"))

    @property
    def deflections(self) -> FloatArray:
        """Of all bristles, rad, in the order of the batch; may be set."""
        array = np.empty(self.shape)
        self._call(lib.batch_get_deflections, address(array))
        return array

    @deflections.setter
    def deflections(self, value: np.ndarray) -> None:
        array = exact(value, self.shape, "deflections")
        self._call(lib.batch_set_deflections, address(array))

    def faults(self, robot: int) -> NDArray[np.uint64]:
        """How often each joint of a robot was given a velocity or effort that is not usable."""
        number = self._robot(robot)
        with self._lock:
            counts = [lib.batch_faults(self._pointer, number, k) for k in range(len(self.model))]
        return np.array(counts, np.uint64)

    @property
    def total_faults(self) -> int:
        """All of them together."""
        with self._lock:
            return lib.batch_total_faults(self._pointer)

    def __len__(self) -> int:
        return self.robots

    def __repr__(self) -> str:
        return f"<stiction.Batch of {self.robots} robots with {len(self.model)} joints>"

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            errors.call(function, self._pointer, *arguments)

    def _robot(self, robot: int) -> int:
        return index_below(robot, self.robots, "robot")
