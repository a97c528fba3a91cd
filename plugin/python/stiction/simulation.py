# SPDX-License-Identifier: MIT
"""A robot or a project, simulated with friction that sticks: what ``stiction run`` does, step by step."""
from __future__ import annotations

import ctypes
import dataclasses
import fnmatch
import os
import pathlib
import sys
import tempfile
import threading
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi, _engine, command, errors
from ._arrays import FloatArray, address, index_below, numbers, scalar, vector, whole
from ._handle import Handle, Owner, hold_while_forking
from ._tables import QUANTITIES, Quantities
from .command import settings_list
from .config import Config, names_to_c
from .control import (
    FIELDS,
    Command,
    Contact,
    Driver,
    Input,
    LinkState,
    RobotJoint,
    Setup,
    fill,
    fill_gains,
    to_command,
)
from .errors import Error
from .model import joint_index
from .results import Results

Path = Union[str, "os.PathLike[str]"]
Folder = Optional["tempfile.TemporaryDirectory[str]"]
Controller = Union[str, Sequence[str], Callable[[Any], Any], object]
_NAN = float("nan")
_FLOAT = np.dtype(np.float64)


class Base(NamedTuple):
    """Pose and velocity of a body's base."""

    position: FloatArray  #: m
    rotation: FloatArray  #: a quaternion with w first
    linear: FloatArray  #: m/s
    angular: FloatArray  #: rad/s


@dataclasses.dataclass(frozen=True)
class Body:
    """A body of a simulation."""

    name: str
    joints: range  #: their numbers in the simulation
    dof: int  #: of its mass matrix: its joints, and 6 before them where the base floats
    floating: bool
    links: tuple[str, ...]  #: 0 is the base


class JointFriction(Quantities):
    """Friction in the last step: views of the simulation's memory, one entry per joint. The external torque
    is NaN in a body whose friction does not read it; temperature and levels are NaN in a body where none of
    them changes."""

    @property
    def heat(self) -> FloatArray:
        """The dissipated energy, J, since the start."""
        return self.dissipated_energy


class _Memory:
    """Memory of an engine as an array, which keeps the engine alive."""

    def __init__(self, handle: Handle, start: int, shape: tuple[int, ...], kind: str) -> None:
        self._handle = handle
        self._number = handle.retain()
        self.__array_interface__ = {
            "shape": shape,
            "typestr": kind,
            "data": (start, True),  # read-only
            "version": 3,
        }

    def __del__(self) -> None:
        self._handle.release(self._number)


def view(
    handle: Handle, start: Optional[int], shape: tuple[int, ...], kind: str = "<f8"
) -> np.ndarray:
    """Memory of an engine, without a copy."""
    if not start or 0 in shape:
        empty = np.empty(shape, kind)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(handle, start, shape, kind))


def view_friction(handle: Handle, arrays: ctypes.Structure, shape: tuple[int, ...]) -> JointFriction:
    """The quantities of a struct of the library as views."""
    return JointFriction(
        *(
            view(handle, getattr(arrays, name), shape, "|b1" if kind is bool else "<f8")
            for name, kind in QUANTITIES.items()
        )
    )


class Engines(Owner):
    """What a simulation and a vector of them share: the lock, the last error, the end."""

    _closed: str  #: the message where it is closed
    _pickle: str  #: what can be pickled

    def _begin(self, path: Path) -> None:
        self._c = _engine.engine()
        self._error = errors.new_error()
        self._error_reference = ctypes.byref(self._error)
        self.path = os.fspath(path)
        # a thread that has it may need it again, where a simulation ends within a call
        self._lock = threading.RLock()
        hold_while_forking(self._lock)

    def _own_engine(self, pointer: int, folder: Folder, destroy: Callable[[int], None]) -> None:
        """Destroys the engine when no call is running."""
        lock = self._lock

        def end(engine: int) -> None:
            with lock:
                destroy(engine)
            if folder is not None:
                folder.cleanup()

        self._own(pointer, end)

    def _open(self) -> int:
        if not self._pointer:
            raise ValueError(self._closed)
        return self._pointer

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return not self._pointer

    def close(self) -> None:
        """Ends it."""
        raise NotImplementedError

    def __enter__(self):  # type: ignore[no-untyped-def]
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self):  # type: ignore[no-untyped-def]
        raise TypeError(f"it cannot be pickled; what {self._pickle} gives can")


class Simulation(Engines):
    """A robot (.urdf, .xml, .body) or a project (.cnoid).

    ::

        with stiction.Simulation("arm.urdf", config="arm.yaml", timestep=1e-3, fixed_base=True) as sim:
            while sim.time < 6:
                sim.step(my_controller(sim.q, sim.dq, sim.mass_matrix(), sim.bias()))
            sim.report("results")

    ``config``: a friction file or a :class:`Config`; None: the project's, and none for a robot.
    ``timestep``, ``duration``, s: None: the project's; 0.001 and 10 for a robot.
    ``fixed_base``, ``floor``: for a robot.
    ``controller``: as ``--controller`` of ``stiction run`` (``"posture:kp=20"``, ``"LIB.so:options"``), a list
    with one per body; or Python: a function of an :class:`Input`, a class or an object with ``step``.
    ``settings``: as ``--set``, ``{"gravity": 0, "joints.A.viscous": 1}``.
    ``targets``: target positions for controllers: ``{"J1": 0.5}`` in rad, an array, ``"J1:30,J2:-10"`` in deg, or a
    CSV file.
    ``interval``: s between rows of joints.csv; 0: every step; None: nothing is recorded.
    ``untrusted``: refuse controllers of the project and files outside its folder, as ``--untrusted``.

    Joints are those of all bodies, in their order. ``q``, ``dq``, ``command`` and ``friction`` are views: they
    change with every step; copy them to keep values.
    """

    path: str
    records: dict[str, float]  #: values recorded by a Python controller in its last step
    _closed, _pickle = "the simulation is closed", "its save()"

    def __init__(
        self,
        path: Path,
        config: Union[None, Path, Config] = None,
        timestep: Optional[float] = None,
        duration: Optional[float] = None,
        *,
        fixed_base: bool = False,
        floor: bool = False,
        controller: Optional[Controller] = None,
        settings: Optional[Mapping[str, Any]] = None,
        targets: Union[None, str, Mapping[str, float], ArrayLike] = None,
        simulator: Optional[str] = None,
        interval: Optional[float] = 0.0,
        untrusted: bool = False,
    ) -> None:
        self._begin(path)
        self._step = self._c.step
        specs, python = split_controllers(controller)
        named_targets = targets if isinstance(targets, str) and python is None else None
        pointer, folder = create_engine(
            self._c.create,
            self.path,
            (),
            config=config,
            specs=specs,
            settings=settings,
            targets=named_targets,
            timestep=timestep,
            duration=duration,
            interval=interval,
            floor=bool(floor),
            fixed_base=bool(fixed_base),
            untrusted=bool(untrusted),
            simulator=simulator,
        )
        self.records = {}
        self._own_engine(pointer, folder, self._c.destroy)
        self._read_layout()
        if targets is not None and named_targets is None:
            self.set_targets(self._read_targets(targets) if isinstance(targets, str) else targets)
        self._driver: Optional[Driver] = None
        self._python = python
        if python is not None:
            self._start_driver()

    def _read_layout(self) -> None:
        """Reads what does not change: names, bodies, addresses of arrays."""
        c, engine, handle = self._c, self._pointer, self._handle
        count = c.joint_count(engine)
        self._count = count
        self._shape = (count,)
        self.names: list[str] = read_names(c, engine)
        self._torque = np.zeros(count)
        self._torque_address = address(self._torque)
        self._q = view(handle, c.q(engine), self._shape)
        self._dq = view(handle, c.dq(engine), self._shape)
        self._command = view(handle, c.command(engine), self._shape)
        friction = _engine.Friction()
        c.look(engine, friction)
        self._friction = view_friction(handle, friction, self._shape)
        self._timestep = c.timestep(engine)
        self._bodies = read_bodies(c, engine)

    # ---- life ----

    def close(self) -> None:
        """Ends the simulation; its memory is freed when the last view of it is gone."""
        if self._in_controller:
            raise RuntimeError("a controller cannot close its own simulation; raise an exception to end the run")
        if not self.closed:
            self._pointer = 0
            driver, self._driver = self._driver, None
            del self._q, self._dq, self._command, self._friction
            self._handle.release(self._number)
            if driver is not None:
                driver.call("close")

    def _call(self, function, *arguments: Any) -> None:  # type: ignore[no-untyped-def]
        """A function of the engine that may fail."""
        with self._lock:  # another thread may close the simulation before
            status = function(self._open(), *arguments, self._error_reference)
            if status or errors.pending:
                errors.check(status, self._error)

    def _ask(self, function, *arguments: Any) -> Any:  # type: ignore[no-untyped-def]
        """A function of the engine that cannot fail."""
        with self._lock:
            return function(self._open(), *arguments)

    # ---- stepping ----

    def step(self, torque: Optional[ArrayLike] = None) -> None:
        """One step with these torques, N m, one entry per joint; None: those of the controllers, or 0."""
        if not self._pointer:
            self._open()
        where = None
        if torque is None and self._driver is not None:
            torque = self._drive()
        if torque is not None:
            given: Any = torque
            if type(torque) is not np.ndarray or torque.dtype is not _FLOAT:
                given = numbers(torque, "torque")
            if given.shape != self._shape:
                given = vector(given, self._count, "torque")
            self._torque[:] = given
            where = self._torque_address
        with self._lock:
            status = self._step(self._pointer or self._open(), where, self._error_reference)
            if status or errors.pending:
                errors.check(status, self._error)

    def run(self, until: Optional[float] = None) -> None:
        """Steps with the controllers until a time, s; None: the duration, or until one is done."""
        end = self.duration if until is None else scalar(until, "until")
        if not abs(end) < float("inf"):
            raise ValueError(f"until {until!r} must be a time in s; the simulation has no end of its own")
        if self._driver is not None:
            while self.time < end - 0.5 * self._timestep and not self.finished:
                self.step()
            return
        while True:  # in pieces, so that an interrupt (Ctrl-C) is heard
            start = self.time
            now = min(end, start + 1000 * self._timestep)
            self._call(self._c.run, now)
            if now == end or self.finished or self.time <= start:
                return

    @property
    def time(self) -> float:
        """s."""
        return self._ask(self._c.time)

    @property
    def timestep(self) -> float:
        """s."""
        return self._timestep

    @property
    def duration(self) -> float:
        """s, that :meth:`run` runs by default."""
        return self._ask(self._c.duration)

    @property
    def gravity(self) -> FloatArray:
        """m/s^2."""
        array = np.empty(3)
        self._ask(self._c.gravity, address(array))
        return array

    @property
    def finished(self) -> bool:
        """Whether all controllers have finished."""
        return self._done or self._ask(self._c.finished)

    _done = False
    _in_controller = False

    def reset(self, seed: Optional[int] = None) -> None:
        """Returns to the start and discards the recording; controllers are reset. ``seed`` draws the random
        parameters of friction anew."""
        if seed is not None:
            self._call(self._c.set_seed, whole(seed, "seed"))
        self._call(self._c.reset)
        self._reset_driver()

    @property
    def seed(self) -> Optional[int]:
        """The seed of the random parameters of friction; None: nothing is random."""
        seed = ctypes.c_uint64()
        return seed.value if self._ask(self._c.seed, seed) else None

    # ---- state ----

    @property
    def q(self) -> FloatArray:
        """Positions, rad: a view that changes with every step."""
        self._pointer or self._open()
        return self._q

    @property
    def dq(self) -> FloatArray:
        """Velocities, rad/s: a view."""
        self._pointer or self._open()
        return self._dq

    @property
    def command(self) -> FloatArray:
        """Commanded torques of the last step, N m: a view."""
        self._pointer or self._open()
        return self._command

    @property
    def friction(self) -> JointFriction:
        """Friction in the last step: views."""
        self._pointer or self._open()
        return self._friction

    @property
    def joints(self) -> list[RobotJoint]:
        """The joints with their names and limits."""
        with self._lock:
            return read_joints(self._c, self._open())

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, in their order."""
        self._open()
        return self._bodies

    def _body_number(self, body: Union[int, str]) -> int:
        return body_number(self._bodies, body)

    def _link_number(self, link: Union[str, int], body: Union[int, str]) -> tuple[int, int]:
        """The numbers of a body and of one of its links."""
        number = self._body_number(body)
        links = self._bodies[number].links
        if isinstance(link, str):
            if link not in links:
                raise KeyError(f"there is no link '{link}' among {', '.join(links)}")
            return number, links.index(link)
        return number, index_below(link, len(links), "link")

    def mass_matrix(self, body: Union[int, str] = 0) -> FloatArray:
        """dof x dof, kg m^2, rotors included."""
        number = self._body_number(body)
        dof = self._bodies[number].dof
        array = np.empty((dof, dof))
        self._call(self._c.mass_matrix, number, address(array))
        return array

    def bias(self, body: Union[int, str] = 0) -> FloatArray:
        """The force for zero acceleration, N m: gravity and Coriolis."""
        number = self._body_number(body)
        array = np.empty(self._bodies[number].dof)
        self._call(self._c.bias, number, address(array))
        return array

    def jacobian(self, link: Union[str, int], body: Union[int, str] = 0) -> FloatArray:
        """6 x dof: the linear velocity of the origin of a link's frame, then the angular one."""
        number, which = self._link_number(link, body)
        array = np.empty((6, self._bodies[number].dof))
        self._call(self._c.jacobian, number, which, address(array))
        return array

    def link_state(self, link: Union[str, int], body: Union[int, str] = 0) -> LinkState:
        """Pose of a link, and its acceleration while no velocity of the body changes."""
        number, which = self._link_number(link, body)
        state = _engine.ControllerLinkState()
        self._call(self._c.link_state, number, which, ctypes.byref(state))
        return LinkState(np.array(state.position), np.array(state.rotation), np.array(state.bias))

    def contacts(self, body: Union[int, str] = 0) -> list[Contact]:
        """The links that touched something in the last step."""
        number = self._body_number(body)
        links = self._bodies[number].links
        found = (_engine.ControllerContact * max(len(links), 1))()
        count = ctypes.c_size_t(0)
        self._call(self._c.contacts, number, found, ctypes.byref(count))
        return [
            Contact(links[each.link], np.array(each.force), np.array(each.torque))
            for each in found[: count.value]
        ]

    @property
    def base(self) -> Base:
        """Pose and velocity of the first body's base."""
        return self.base_of(0)

    def base_of(self, body: Union[int, str]) -> Base:
        """The same of any body."""
        number = self._body_number(body)
        array = np.empty(13)
        self._call(self._c.base, number, address(array))
        return Base(array[:3], array[3:7], array[7:10], array[10:])

    # ---- changing ----

    def set_joints(self, q: Optional[ArrayLike] = None, dq: Optional[ArrayLike] = None) -> None:
        """Sets positions and velocities of the joints, and resets friction. None: unchanged."""
        position = None if q is None else vector(q, self._count, "q")
        velocity = None if dq is None else vector(dq, self._count, "dq")
        self._call(
            self._c.set_joints,
            None if position is None else address(position),
            None if velocity is None else address(velocity),
        )

    def set_base(
        self,
        position: Optional[ArrayLike] = None,
        rotation: Optional[ArrayLike] = None,
        linear: Optional[ArrayLike] = None,
        angular: Optional[ArrayLike] = None,
        body: Union[int, str] = 0,
    ) -> None:
        """Sets pose and velocity of a floating base. None: unchanged."""
        now = self.base_of(body)
        given = (position, rotation, linear, angular)
        parts = [
            old if new is None else vector(new, old.size, name, "number")
            for name, old, new in zip(Base._fields, now, given)
        ]
        array = np.concatenate(parts)
        self._call(self._c.set_base, self._body_number(body), address(array))

    def set_targets(self, targets: Union[Mapping[str, float], ArrayLike]) -> None:
        """The targets of controllers, rad: one entry per joint, or by name; NaN: none."""
        if isinstance(targets, Mapping):
            array = np.full(self._count, _NAN)
            for name, value in targets.items():
                array[joint_index(self.names, name)] = scalar(value, f"the target of {name}")
        else:
            array = vector(targets, self._count, "targets").copy()
        self._call(self._c.set_targets, address(array))
        self._targets = array

    _targets: Optional[FloatArray] = None

    def _read_targets(self, text: str) -> dict[str, float]:
        """``"J1:30,J2:-10"``: deg, or m of a joint that slides, as --targets."""
        found: dict[str, float] = {}
        for word in text.split(","):
            pattern, colon, value = word.strip().rpartition(":")
            joints = [joint for joint in self.joints if fnmatch.fnmatchcase(joint.name, pattern)]
            try:
                number = float(value)
            except ValueError:
                number = _NAN
            if not colon or not np.isfinite(number):
                raise Error(f"targets {word!r} is not JOINT:DEGREES, which a controller of Python needs")
            if not joints:
                raise Error(f"targets {word!r}: there is no joint '{pattern}' among {', '.join(self.names)}")
            for joint in joints:
                found[joint.name] = number if joint.prismatic else np.radians(number)
        return found

    def set_parameter(self, joint: str, key: str, value: float) -> None:
        """A parameter of a joint's friction (``static_torque``), from the next step on; the name may be a
        pattern."""
        self._call(
            self._c.set_parameter, str(joint).encode(), str(key).encode(), scalar(value, key)
        )

    def parameter(self, joint: Union[str, int], key: str) -> float:
        """A parameter of a joint's friction; NaN where its law does not have it."""
        number = joint_index(self.names, joint)
        return self._ask(self._c.parameter, number, str(key).encode())

    def save(self) -> bytes:
        """The whole state with the memory of friction, without controllers and record. Any simulation with the
        same arguments can restore it."""
        size = self._ask(self._c.state_size)
        buffer = ctypes.create_string_buffer(size)
        self._call(self._c.save, buffer, size)
        return buffer.raw

    def restore(self, saved: bytes) -> None:
        """Restores a saved state; other bytes are refused."""
        raw = bytes(saved)
        self._call(self._c.restore, raw, len(raw))
        self._reset_driver()

    # ---- results ----

    def write(self, folder: Path) -> Results:
        """Writes summary.json and joints.csv into a folder, and reads them."""
        self._call(self._c.write, os.fsencode(folder))
        return Results.load(folder)

    def report(self, folder: Path) -> Results:
        """The same, and report.html, a page with plots: by the command ``stiction report``."""
        results = self.write(folder)
        command.report(folder)
        return results

    def figure(self, joint: Union[str, int], name: str) -> float:
        """A figure of a joint as in summary.json, such as ``stop_time``; NaN if there is no value."""
        number = joint_index(self.names, joint)
        return self._ask(self._c.figure, number, str(name).encode())

    @property
    def warnings(self) -> list[str]:
        """Warnings about the results."""
        found: list[str] = []
        while (text := self._ask(self._c.warning, len(found))) is not None:
            found.append(text.decode())
        return found

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.time:g} s"
        return f"<stiction.Simulation {self.path}: {len(self.names)} joints, {state}>"

    # ---- a controller of Python ----

    def _start_driver(self) -> None:
        body = next((body for body in self._bodies if len(body.joints)), None)
        setup = Setup(
            body.name if body else "",
            "",
            os.path.dirname(os.path.abspath(self.path)),
            self._timestep,
            self.gravity,
            bool(body and body.floating),
            self.joints,
            list(body.links) if body else [],
        )
        self._driver = Driver(self._python, setup)
        period = self._driver.control_period
        self._period = max(1, round(period / self._timestep)) if period > 0 else 1
        self._body_driven = self._bodies.index(body) if body else 0
        self._fields = {field: np.empty(self._count) for field in FIELDS}
        self._begin_driving()

    def _reset_driver(self) -> None:
        if self._driver is not None:
            self._begin_driving()
            self._driver.call("reset")

    def _begin_driving(self) -> None:
        self._steps = 0
        self._last_linear: Optional[FloatArray] = None  # of a floating base, in the previous step
        self._linear: Optional[FloatArray] = None
        self._done = False
        self._pd = False

    def _drive(self) -> FloatArray:
        """The torques of the controller; between two of its steps its last command holds."""
        driver = self._driver
        assert driver is not None
        fields = self._fields
        if driver.setup.floating:
            self._last_linear = self._linear
            self._linear = self.base_of(self._body_driven).linear
        if self._steps % self._period == 0:
            self._in_controller = True
            try:
                self._take(to_command(driver.step(SimulationInput(self))))
            finally:
                self._in_controller = False
        self._steps += 1
        if not self._pd:
            return fields["torque"]
        held = fields["torque"] + fields["kp"] * (fields["position"] - self._q)
        held += fields["kd"] * (fields["velocity"] - self._dq)
        return held

    def _take(self, command: Command) -> None:
        fields = self._fields
        given = {field: fill(command, field, fields[field]) for field in fields}
        self._pd = given["kp"] or given["kd"]
        if self._pd:
            driven = fill_gains(fields)
            for field in ("kp", "kd", "velocity"):
                fields[field][np.isnan(fields[field])] = 0
            fields["torque"][driven & np.isnan(fields["torque"])] = 0
            # without kp no position is needed
            fields["position"][np.isnan(fields["position"]) & (fields["kp"] == 0)] = 0
        if given["target"]:
            self._call(self._c.set_targets, address(fields["target"]))
        self.records = {str(name): float(value) for name, value in (command.records or {}).items()}
        self._done = bool(command.finished)


class SimulationInput(Input):
    """The input of a controller that lives in this process: expensive values are computed on access and
    need not be requested before. It drives the joints of all bodies; matrices and
    base are those of the first body with joints, others can be had of ``simulation``."""

    simulation: Simulation

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.time = simulation.time
        self.q = simulation.q.copy()
        self.dq = simulation.dq.copy()

    def __getattr__(self, name: str) -> Any:
        compute = _COMPUTED.get(name)
        if compute is None:
            return super().__getattr__(name)
        return compute(self.simulation, self.simulation._body_driven)


def _accelerometer(simulation: Simulation, body: int) -> FloatArray:
    felt = -simulation.gravity
    now, before = simulation._linear, simulation._last_linear
    if now is not None and before is not None:
        felt += (now - before) / simulation.timestep
    return _turn_back(simulation.base_of(body).rotation, felt)


def _gyro(simulation: Simulation, body: int) -> FloatArray:
    base = simulation.base_of(body)
    return _turn_back(base.rotation, base.angular)


def _target(simulation: Simulation, body: int) -> FloatArray:
    targets = simulation._targets
    return np.full(len(simulation.names), _NAN) if targets is None else targets.copy()


#: What an input computes of a simulation and the number of a body.
_COMPUTED: dict[str, Callable[[Simulation, int], Any]] = {
    "effort": lambda simulation, body: simulation.command - simulation.friction.torque,
    "target": _target,
    "mass_matrix": Simulation.mass_matrix,
    "bias": Simulation.bias,
    "contacts": Simulation.contacts,
    "jacobians": lambda simulation, body: _OfLinks(simulation, body, simulation.jacobian),
    "link_states": lambda simulation, body: _OfLinks(simulation, body, simulation.link_state),
    "position": lambda simulation, body: simulation.base_of(body).position,
    "rotation": lambda simulation, body: simulation.base_of(body).rotation,
    "linear": lambda simulation, body: simulation.base_of(body).linear,
    "angular": lambda simulation, body: simulation.base_of(body).angular,
    "gyro": _gyro,
    "accelerometer": _accelerometer,
}


def _turn_back(rotation: FloatArray, vector_of_world: FloatArray) -> FloatArray:
    """A vector of the world in the axes of a frame."""
    w, axis = rotation[0], rotation[1:]
    return vector_of_world + 2 * np.cross(np.cross(vector_of_world, axis) + w * vector_of_world, axis)


class _OfLinks(Mapping[str, Any]):
    """Maps link names to the results of a function, computed on access."""

    def __init__(self, simulation: Simulation, body: int, compute: Callable[[str, int], Any]) -> None:
        self._simulation = simulation
        self._body = body
        self._compute = compute

    def __getitem__(self, link: str) -> Any:
        return self._compute(link, self._body)

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._simulation.bodies[self._body].links)

    def __len__(self) -> int:
        return len(self._simulation.bodies[self._body].links)


def split_controllers(controller: Optional[Controller]) -> tuple[list[str], Any]:
    """The specifications of the engine's controllers, and the Python controller."""
    if controller is None:
        return [], None
    if isinstance(controller, (str, pathlib.PurePath)):
        return [str(controller)], None
    if isinstance(controller, (list, tuple)):
        if not all(isinstance(each, (str, pathlib.PurePath)) for each in controller):
            raise TypeError("a list of controllers must contain strings such as 'posture:kp=20'")
        return [str(each) for each in controller], None
    return ["none"], controller


def body_number(bodies: Sequence[Body], body: Union[int, str]) -> int:
    """The number of a body, from its name or number."""
    if isinstance(body, str):
        for k, each in enumerate(bodies):
            if each.name == body:
                return k
        raise KeyError(f"there is no body '{body}' among {', '.join(each.name for each in bodies)}")
    return index_below(body, len(bodies), "body")


def create_engine(
    create: Callable[..., int],
    path: str,
    more: Sequence[int],
    *,
    config: Union[None, Path, Config],
    specs: Sequence[str],
    settings: Optional[Mapping[str, Any]],
    targets: Optional[str],
    timestep: Optional[float],
    duration: Optional[float],
    interval: Optional[float],
    simulator: Optional[str],
    **flags: bool,
) -> tuple[int, Folder]:
    """Calls a function that creates engines. The folder holds a configuration that is read again when a
    parameter changes."""
    controllers, controller_count = names_to_c(specs)
    assignments, assignment_count = names_to_c(settings_list(settings))
    definition = _engine.EngineDef(
        simulator=None if simulator is None else simulator.encode(),
        timestep=_NAN if timestep is None else scalar(timestep, "timestep"),
        duration=_NAN if duration is None else scalar(duration, "duration"),
        controllers=controllers,
        controller_count=controller_count,
        settings=assignments,
        setting_count=assignment_count,
        targets=None if targets is None else targets.encode(),
        interval=_NAN if interval is None else scalar(interval, "interval"),
        log=errors.log,
        **flags,
    )
    folder = None
    if isinstance(config, Config):
        folder = tempfile.TemporaryDirectory(prefix="stiction-")
        config_path = os.path.join(folder.name, "configuration.yaml")
        config.save(config_path)
        definition.configuration = os.fsencode(config_path)
    elif config is not None:
        definition.configuration = os.fsencode(config)
    if any(".py" in spec for spec in specs):  # it is to run with our interpreter
        os.environ.setdefault("STICTION_PYTHON", sys.executable)
    error, pointer = errors.new_error(), ctypes.c_void_p()
    with _engine.CREATING:
        status = create(os.fsencode(path), definition, *more, pointer, error)
    if status and folder is not None:
        folder.cleanup()
        if error.path == definition.configuration:  # a temporary file
            error.path = os.fsencode(config.path)  # type: ignore[union-attr]
            error.line = error.column = 0
    errors.check(status, error)
    assert pointer.value
    return pointer.value, folder


def read_names(c: _engine.Functions, engine: int) -> list[str]:
    """The names of the joints."""
    return [c.joint_name(engine, k).decode() for k in range(c.joint_count(engine))]


def read_joints(c: _engine.Functions, engine: int) -> list[RobotJoint]:
    """The joints with their names and limits."""
    found = []
    info = _engine.ControllerJoint()
    for k, name in enumerate(read_names(c, engine)):
        c.joint_at(engine, k, info)
        limits = (info.lower, info.upper, info.velocity_limit, info.torque_limit)
        found.append(RobotJoint(name, info.prismatic != 0, *limits))
    return found


def read_bodies(c: _engine.Functions, engine: int) -> tuple[Body, ...]:
    """The bodies of an engine."""
    found = []
    for number in range(c.body_count(engine)):
        info = _engine.Body()
        c.body_at(engine, number, info)
        links = (c.link_name(engine, number, k) for k in range(info.link_count))
        found.append(
            Body(
                (info.name or b"").decode(),
                range(info.first_joint, info.first_joint + info.joint_count),
                info.dof,
                info.floating,
                tuple((link or b"").decode() for link in links),
            )
        )
    return tuple(found)
