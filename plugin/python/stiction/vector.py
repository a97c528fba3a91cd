# SPDX-License-Identifier: MIT
"""Many simulations of one robot, all stepped in one call, in threads of C: for learning."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engine, errors
from ._arrays import FloatArray, address, numbers, whole
from ._tables import FIGURES
from .config import Config
from .control import RobotJoint
from .law import parameters as list_parameters
from .simulation import (
    Base,
    Body,
    Engines,
    JointFriction,
    Path,
    Simulation,
    body_number,
    create_engine,
    read_bodies,
    read_joints,
    read_names,
    split_controllers,
    view,
    view_friction,
)

Environments = Union[None, int, "slice", Iterable[int], NDArray[np.bool_]]


class Environment(Simulation):
    """One environment of a :class:`VectorSimulation`, with all methods of a :class:`Simulation`. Its arrays
    are rows of the vector's."""

    def __init__(self, vector: VectorSimulation, number: int) -> None:  # pylint: disable=super-init-not-called
        self._begin(vector.path)
        self._step = self._c.step
        self.records = {}
        self._lock = vector._lock
        self._handle = vector._handle
        self._number = self._handle.retain()
        self._pointer = vector._engines[number]
        self._driver = None
        self._read_layout()


class VectorSimulation(Engines):
    """``n`` simulations of a robot or a project, stepped together by ``threads`` threads of C.

    ::

        with stiction.VectorSimulation("arm.urdf", 256, config="arm.yaml", fixed_base=True) as vector:
            while vector.time[0] < 6:
                vector.step(100 * (target - vector.q) - 20 * vector.dq)

    ``threads``: None: as many as the process has cores. The other arguments are those of
    :class:`Simulation`; ``controller`` takes specifications such as ``"posture:kp=20"``, which act where
    :meth:`step` gets no torque, and of which each environment has its own. With an ``interval`` every
    environment is recorded, and ``vector[k].write(folder)`` writes its results.

    Arrays have a row per environment: ``q``, ``dq``, ``command`` (n, joints), ``time``, ``failed`` (n). They
    are views, which change with every step. ``vector[k]`` is environment k, with the methods of a
    :class:`Simulation`.

    Random parameters of friction have the seed of the configuration plus k in environment k. Each
    environment moves as a :class:`Simulation` with this seed, to the bit, for any number of threads.
    """

    path: str
    n: int
    threads: int
    shape: tuple[int, int]  #: (n, joints)
    names: list[str]
    joints: list[RobotJoint]
    bodies: tuple[Body, ...]
    timestep: float  #: s
    _closed, _pickle = "the simulations are closed", "vector[k].save()"

    def __init__(
        self,
        path: Path,
        n: int,
        config: Union[None, Path, Config] = None,
        timestep: Optional[float] = None,
        *,
        threads: Optional[int] = None,
        fixed_base: bool = False,
        floor: bool = False,
        controller: Union[None, str, Sequence[str]] = None,
        settings: Optional[Mapping[str, Any]] = None,
        targets: Optional[str] = None,
        simulator: Optional[str] = None,
        interval: Optional[float] = None,
        untrusted: bool = False,
    ) -> None:
        specs, python = split_controllers(controller)
        if python is not None:
            raise TypeError("the controller of a vector must be a text such as 'posture:kp=20'")
        self._begin(path)
        self.n = whole(n, "n")
        self.threads = len(os.sched_getaffinity(0)) if threads is None else whole(threads, "threads")
        c = self._c
        pointer, folder = create_engine(
            c.vector_create,
            self.path,
            (self.n, self.threads),
            config=config,
            specs=specs,
            settings=settings,
            targets=targets,
            timestep=timestep,
            duration=None,
            interval=interval,
            floor=bool(floor),
            fixed_base=bool(fixed_base),
            untrusted=bool(untrusted),
            simulator=simulator,
        )
        self._own_engine(pointer, folder, c.vector_destroy)
        self._engines = [c.vector_engine(pointer, k) for k in range(self.n)]
        first = self._engines[0]
        self.names = read_names(c, first)
        self.joints = read_joints(c, first)
        self.bodies = read_bodies(c, first)
        self.timestep = c.timestep(first)
        self.shape = (self.n, len(self.names))
        self._torque = np.empty(self.shape)
        arrays = _engine.VectorArrays()
        c.vector_look(pointer, arrays)
        handle = self._handle
        self._views: dict[str, np.ndarray] = {
            "time": view(handle, arrays.time, (self.n,)),
            "failed": view(handle, arrays.failed, (self.n,), "|b1"),
            "q": view(handle, arrays.q, self.shape),
            "dq": view(handle, arrays.dq, self.shape),
            "command": view(handle, arrays.command, self.shape),
            "base": view(handle, arrays.base, (self.n, len(self.bodies), 13)),
        }
        self._friction: Optional[JointFriction] = view_friction(handle, arrays, self.shape)

    # ---- life ----

    def close(self) -> None:
        """Ends the simulations; their memory is freed when the last view of it is gone."""
        if not self.closed:
            self._pointer = 0
            self._views, self._friction = {}, None
            self._handle.release(self._number)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, environment: int) -> Environment:
        with self._lock:
            self._open()
            return Environment(self, self._number_of(environment))

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.threads} threads"
        return f"<stiction.VectorSimulation {self.path}: {self.n} x {len(self.names)} joints, {state}>"

    def _number_of(self, environment: int) -> int:
        number = environment.__index__()
        if not -self.n <= number < self.n:
            raise IndexError(f"environment {number} of {self.n}")
        return number % self.n

    def _numbers(self, environments: Environments) -> list[int]:
        if environments is None:
            return list(range(self.n))
        if isinstance(environments, (int, np.integer)):
            return [self._number_of(int(environments))]
        if isinstance(environments, slice):
            return list(range(self.n))[environments]
        given = np.asarray(environments)
        if given.dtype == np.bool_:
            if given.shape != (self.n,):
                raise ValueError(f"the mask has shape {given.shape}, and ({self.n},) is needed")
            return np.flatnonzero(given).tolist()
        return [self._number_of(each) for each in given.tolist()]

    def _call(self, function, *arguments: Any) -> None:  # type: ignore[no-untyped-def]
        """Calls a function that may fail; the caller holds the lock."""
        errors.check(function(*arguments, self._error_reference), self._error)

    # ---- stepping ----

    def step(self, torque: Optional[ArrayLike] = None, steps: int = 1) -> None:
        """Steps all environments with these torques, N m, of shape (n, joints), which are held for ``steps``
        steps; None: with the torques of the controllers, or 0. A torque that is not finite is an error
        before any step. If an environment fails (it diverges), the others are stepped all the same, and
        the error is raised then; it stays in ``failed`` and where it is until it is reset."""
        where = None
        if torque is not None:
            given = numbers(torque, "torque")
            if given.shape != self.shape:
                raise ValueError(f"torque has shape {given.shape}, and {self.shape} is needed")
        count = whole(steps, "steps")
        with self._lock:
            if torque is not None:
                self._torque[:] = given
                where = address(self._torque)
            self._call(self._c.vector_step, self._open(), where, count)

    def reset(
        self, environments: Environments = None, seed: Union[None, int, Iterable[int]] = None
    ) -> None:
        """Returns environments to the start: all of them (None), or by number, numbers, slice or mask.
        ``seed`` draws random parameters of friction anew: one per environment that is reset, or a number,
        which the first of them gets, the next one more, and so on."""
        chosen = self._numbers(environments)
        if seed is None:
            seeds = None
        elif isinstance(seed, (int, np.integer)):
            seeds = [whole(int(seed), "seed") + k for k in range(len(chosen))]
        else:
            seeds = [whole(each, "seed") for each in seed]
            if len(seeds) != len(chosen):
                raise ValueError(f"{len(seeds)} seeds for {len(chosen)} environments")
        with self._lock:
            self._open()
            for k, number in enumerate(chosen if seeds else ()):
                self._call(self._c.set_seed, self._engines[number], seeds[k])  # type: ignore[index]
            if environments is None:
                self._call(self._c.vector_reset, self._pointer)
                return
            for number in chosen:
                self._call(self._c.reset, self._engines[number])

    # ---- state ----

    def _view(self, name: str) -> np.ndarray:
        self._open()
        return self._views[name]

    @property
    def time(self) -> FloatArray:
        """s, of each environment: a view."""
        return self._view("time")

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which environments cannot continue until they are reset: a view."""
        return self._view("failed")

    @property
    def q(self) -> FloatArray:
        """Positions, rad: a view that changes with every step."""
        return self._view("q")

    @property
    def dq(self) -> FloatArray:
        """Velocities, rad/s: a view."""
        return self._view("dq")

    @property
    def command(self) -> FloatArray:
        """Commanded torques of the last step, N m: a view."""
        return self._view("command")

    @property
    def friction(self) -> JointFriction:
        """Friction in the last step: views of shape (n, joints)."""
        self._open()
        assert self._friction is not None
        return self._friction

    @property
    def base(self) -> Base:
        """Pose and velocity of the first body's base: views of shape (n, 3) and (n, 4)."""
        return self.base_of(0)

    def base_of(self, body: Union[int, str]) -> Base:
        """The same of any body."""
        rows = self._view("base")[:, body_number(self.bodies, body)]
        return Base(rows[:, :3], rows[:, 3:7], rows[:, 7:10], rows[:, 10:])

    def set_joints(
        self,
        q: Optional[ArrayLike] = None,
        dq: Optional[ArrayLike] = None,
        environments: Environments = None,
    ) -> None:
        """Sets positions and velocities of the joints of environments, from arrays of one row per
        environment, or one for all, and resets friction. None: unchanged."""
        chosen = self._numbers(environments)
        shape = (len(chosen), self.shape[1])
        rows = [
            None if given is None else np.ascontiguousarray(np.broadcast_to(numbers(given, name), shape))
            for given, name in ((q, "q"), (dq, "dq"))
        ]
        with self._lock:
            self._open()
            for k, number in enumerate(chosen):
                where = (None if array is None else address(array[k]) for array in rows)
                self._call(self._c.set_joints, self._engines[number], *where)

    def set_targets(self, targets: ArrayLike) -> None:
        """The targets of controllers, rad, of shape (n, joints) or (joints,); NaN: none."""
        rows = np.ascontiguousarray(np.broadcast_to(numbers(targets, "targets"), self.shape))
        with self._lock:
            self._open()
            for engine, row in zip(self._engines, rows):
                self._call(self._c.set_targets, engine, address(row))

    # ---- friction ----

    @property
    def seeds(self) -> Optional[NDArray[np.uint64]]:
        """The seed of each environment's random parameters; None: nothing is random."""
        seed = ctypes.c_uint64()
        with self._lock:
            self._open()
            found = [seed.value for engine in self._engines if self._c.seed(engine, seed)]
        return np.array(found, np.uint64) if found else None

    def parameters(self, key: str) -> FloatArray:
        """A parameter of friction (``static_torque``) of all joints, of shape (n, joints); NaN where a law
        does not have it."""
        if key not in {row.key for row in list_parameters()}:
            raise KeyError(f"there is no parameter '{key}'; stiction.parameters() lists them")
        return self._gather(self._c.parameter, key)

    def set_parameter(
        self, joint: str, key: str, value: Union[float, ArrayLike], environments: Environments = None
    ) -> None:
        """A parameter of a joint's friction from the next step on, one number or one per environment; the
        name may be a pattern."""
        chosen = self._numbers(environments)
        values = np.broadcast_to(numbers(value, key), (len(chosen),))
        with self._lock:
            self._open()
            for number, each in zip(chosen, values.tolist()):
                engine = self._engines[number]
                self._call(self._c.set_parameter, engine, str(joint).encode(), str(key).encode(), each)

    # ---- results ----

    def figures(self, name: str) -> FloatArray:
        """A figure of all joints as in summary.json, such as ``stop_time``, of shape (n, joints); NaN where
        there is no value."""
        if name not in FIGURES:
            raise KeyError(f"there is no figure '{name}' among {', '.join(FIGURES)}")
        return self._gather(self._c.figure, name)

    def table(self, *names: str) -> dict[str, np.ndarray]:
        """Figures and parameters as columns with a row per environment, as pandas.DataFrame takes them:
        ``environment``, ``seed`` if something is random, ``time``, ``failed``, ``JOINT.NAME``. Without names:
        all figures."""
        columns: dict[str, np.ndarray] = {"environment": np.arange(self.n)}
        seeds = self.seeds
        if seeds is not None:
            columns["seed"] = seeds
        columns.update(time=self.time.copy(), failed=self.failed.copy())
        for name in names or FIGURES:
            values = self.figures(name) if name in FIGURES else self.parameters(name)
            for k, joint in enumerate(self.names):
                columns[f"{joint}.{name}"] = values[:, k].copy()
        return columns

    def _gather(self, function, key: str) -> FloatArray:  # type: ignore[no-untyped-def]
        """A number of every joint."""
        with self._lock:
            self._open()
            word, joints = key.encode(), range(self.shape[1])
            return np.array(
                [[function(engine, k, word) for k in joints] for engine in self._engines]
            ).reshape(self.shape)
