# SPDX-License-Identifier: MIT
"""Controllers in Python: what they are given, what they give, and the frames in which they talk with
``stiction run`` (docs/controllers.md). ``python3 -m stiction.controller`` runs them.

A file with a controller has a class ``Controller`` or simply a function ``step``::

    def step(input):
        return 20 * (input.target - input.q) - 2 * input.dq
"""
from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import os
import pathlib
import socket
import struct
import sys
import traceback
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import FloatArray, numbers, scalar
from .errors import Error, Status

VERSION = 1
HELLO, STEP, RESET, NOTES, END = 1, 2, 3, 4, 6
READY, COMMAND, NOTED, ERROR, LOG = 101, 102, 104, 200, 201
LARGEST = 64 << 20
NEEDS = {"mass_matrix": 1, "bias": 2, "contacts": 4, "link_states": 32}
#: The fields of a command with one entry per joint.
FIELDS = ("torque", "position", "velocity", "kp", "kd", "target")
_NAN = float("nan")


@dataclasses.dataclass(frozen=True)
class RobotJoint:
    """A joint of a robot."""

    name: str
    prismatic: bool  #: it slides: m and N for rad and N m
    lower: float  #: rad; -inf: without a limit
    upper: float  #: rad; inf: without a limit
    velocity_limit: float  #: rad/s; inf: none
    torque_limit: float  #: N m; inf: none. Torques are not clamped


@dataclasses.dataclass
class Setup:
    """The robot and the options that a controller is created with."""

    body: str
    options: str  #: ``"kp=20 kv=2"``, as they were given
    directory: str  #: that names of files in the options are relative to
    timestep: float  #: s, of the simulation
    gravity: FloatArray  #: m/s^2
    floating: bool  #: the base moves freely
    joints: list[RobotJoint]
    links: list[str]  #: 0 is the base
    log: Callable[[str], None] = print  #: for messages to the user

    @property
    def names(self) -> list[str]:
        """Of the joints, in their order."""
        return [joint.name for joint in self.joints]

    @property
    def dof(self) -> int:
        """Of the mass matrix: the joints, and 6 before them where the base floats."""
        return len(self.joints) + (6 if self.floating else 0)

    def index(self, name: str) -> int:
        """The number of a joint."""
        return _index(self.names, name, "joint")

    def option(self, key: str, default: Any = None) -> Any:
        """The value of an option ``key=value``, of the type of the default.

        >>> import numpy as np
        >>> setup = Setup("Arm", "kp=20, mode=soft", "", 1e-3, np.zeros(3), False, [], [])
        >>> setup.option("kp", 1.0), setup.option("mode", "hard"), setup.option("kd", 2.0)
        (20.0, 'soft', 2.0)
        """
        for word in self.options.replace(",", " ").split():
            name, equals, value = word.partition("=")
            if name != key:
                continue
            if not equals:
                return True if default is None or isinstance(default, bool) else default
            if default is None or isinstance(default, str):
                return value
            if isinstance(default, bool):
                return value in ("1", "true", "yes", "on")
            try:
                return type(default)(value)
            except ValueError:
                raise Error(f"option {word}: {value!r} is not a number") from None
        return default


@dataclasses.dataclass(frozen=True)
class Contact:
    """The contacts of a link, taken together."""

    link: str
    force: FloatArray  #: on the link, N
    torque: FloatArray  #: about the origin of its frame, N m


@dataclasses.dataclass(frozen=True)
class LinkState:
    """Pose of a link, and its acceleration while no velocity of the robot changes."""

    position: FloatArray  #: of its frame, m
    rotation: FloatArray  #: a quaternion with w first
    bias: FloatArray  #: (dJ/dt) v: linear, m/s^2, then angular, rad/s^2


class Input:
    """Input of a step. Its arrays may be kept.

    ``mass_matrix``, ``bias``, ``contacts``, ``jacobians`` and ``link_states`` exist if the controller requests
    them.
    """

    time: float  #: s
    q: FloatArray  #: rad
    dq: FloatArray  #: rad/s
    effort: FloatArray  #: N m: what acted on each joint in the last step, friction included
    target: FloatArray  #: rad: the user's target of each joint; NaN: none
    position: FloatArray  #: of the base, m
    rotation: FloatArray  #: of the base, a quaternion with w first
    linear: FloatArray  #: velocity of the base, m/s
    angular: FloatArray  #: rad/s
    gyro: FloatArray  #: angular velocity in the base's own axes, rad/s
    accelerometer: FloatArray  #: acceleration less gravity in the base's own axes, m/s^2
    mass_matrix: FloatArray  #: dof x dof
    bias: FloatArray  #: dof: gravity and Coriolis
    jacobians: dict[str, FloatArray]  #: 6 x dof of each link asked for: linear, then angular
    contacts: list[Contact]
    link_states: dict[str, LinkState]  #: of each link in ``jacobians``

    def __getattr__(self, name: str) -> Any:
        if name in NEEDS:
            raise AttributeError(
                f"{name} was not asked for: write needs = ['{name}'] in the controller"
            )
        if name == "jacobians":
            raise AttributeError(
                "jacobians were not asked for: write jacobians = ['LINK'] in the controller"
            )
        raise AttributeError(f"a step's input has no '{name}'")


@dataclasses.dataclass
class Command:
    """The result of a step if it is more than torques: one entry per joint, or one number for all.

    Joints with ``kp`` or ``kd`` are held by the host in every step of the simulation:
    torque + kp (position - q) + kd (velocity - dq).
    """

    torque: Any = None  #: N m
    position: Any = None  #: rad
    velocity: Any = None  #: rad/s
    kp: Any = None  #: N m/rad
    kd: Any = None  #: N m s/rad
    target: Any = None  #: rad: where the joint should be, for the record
    records: Optional[Mapping[str, float]] = None  #: values to record by name
    finished: bool = False  #: the controller is done


def to_command(result: Any) -> Command:
    """What a step returned: torques, a Command, or a dictionary with its fields."""
    if isinstance(result, Command):
        return result
    if isinstance(result, Mapping):
        known = {field.name for field in dataclasses.fields(Command)}
        unknown = result.keys() - known
        if unknown:
            raise Error(
                f"step returned {', '.join(map(repr, sorted(unknown)))}, which is none of "
                f"{', '.join(sorted(known))}"
            )
        return Command(**result)
    if result is None:
        raise Error("step returned nothing; it must return the torques, an entry a joint")
    return Command(torque=result)


def fill(command: Command, field: str, out: FloatArray) -> bool:
    """A field of a command as an array; False, and NaN, where it is not given."""
    value = getattr(command, field)
    if value is None:
        out[:] = _NAN
        return False
    array = numbers(value, field)
    if array.shape not in ((), out.shape):
        raise Error(
            f"step returned {field} of shape {array.shape}, and the robot has {out.size} "
            f"joint{'' if out.size == 1 else 's'}"
        )
    out[:] = array
    return True


def fill_gains(fields: Mapping[str, FloatArray]) -> NDArray[np.bool_]:
    """Which joints have a gain; the other one is then 0 if it is missing."""
    driven: NDArray[np.bool_] = ~(np.isnan(fields["kp"]) & np.isnan(fields["kd"]))
    for field in ("kp", "kd"):
        fields[field][driven & np.isnan(fields[field])] = 0
    return driven


# ---- what the user wrote ----


class Driver:
    """A controller of any form: an object with ``step``, a class, a function, or a module of these."""

    def __init__(self, what: Any, setup: Setup, name: str = "the controller") -> None:
        self.setup = setup
        if inspect.ismodule(what):
            what = self._of_module(what, name)
        if inspect.isclass(what):
            what = what(setup) if _takes(what, setup) else what()
        self.target = what
        step = getattr(what, "step", None)
        self.step: Callable[[Input], Any] = step if callable(step) else what
        if not callable(self.step):
            raise Error(f"{name} has no step: it must be a function of an input, or have one")
        needs = getattr(what, "needs", ())
        self.needs = [needs] if isinstance(needs, str) else list(needs)
        for need in self.needs:
            if need not in NEEDS:
                raise Error(f"{name} needs '{need}', which is none of {', '.join(NEEDS)}")
        self.jacobians = [str(link) for link in getattr(what, "jacobians", ())]
        self.links = [_index(setup.links, link, "link") for link in self.jacobians]
        self.control_period = scalar(getattr(what, "control_period", 0.0) or 0.0, "control_period")
        self.records = [str(record) for record in getattr(what, "records", ())]

    def _of_module(self, module: Any, name: str) -> Any:
        found = getattr(module, "Controller", None)
        if found is not None:
            return found
        if not callable(getattr(module, "step", None)):
            raise Error(f"{name} defines neither a class Controller nor a function step(input)")
        start = getattr(module, "setup", None)
        if callable(start):
            start(self.setup)
        return module

    def has(self, name: str) -> bool:
        return callable(getattr(self.target, name, None))

    def call(self, name: str, *arguments: Any) -> Any:
        return getattr(self.target, name)(*arguments) if self.has(name) else None


def _takes(function: Any, argument: Any) -> bool:
    try:
        inspect.signature(function).bind(argument)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _index(names: Sequence[str], name: str, what: str) -> int:
    try:
        return list(names).index(name)
    except ValueError:
        raise Error(f"there is no {what} '{name}' among {', '.join(names)}") from None


def load_module(path: Union[str, "os.PathLike[str]"]) -> Any:
    """A file as a module; it can import files in the same folder."""
    place = pathlib.Path(path).resolve()
    if not place.is_file():
        raise Error("there is no such file", Status.INVALID_ARGUMENT, str(path))
    folder = str(place.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(f"stiction_controller_{place.stem}", place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def describe_error(problem: BaseException, path: str) -> str:
    """An error in the user's code as one line, with its line number in the user's file."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return f"{problem.filename}:{problem.lineno}: {type(problem).__name__}: {problem.msg}"
    text = " ".join(str(problem).split())
    if not isinstance(problem, Error):
        text = f"{type(problem).__name__}: {text}" if text else type(problem).__name__
    inside = pathlib.Path(path).resolve()
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if pathlib.Path(frame.filename).resolve() == inside:
            return f"{path}:{frame.lineno}: {text}"
    return f"{path}: {text}"


# ---- frames ----


class Reader:
    """The fields of a payload, one after the other."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.at = 0

    def _need(self, size: int) -> int:
        at = self.at
        if at + size > len(self.payload):
            raise Error(f"a frame ends after {len(self.payload)} bytes, within a field")
        self.at += size
        return at

    def bytes(self, size: int) -> bytes:
        at = self._need(size)
        return self.payload[at : at + size]

    def u32(self) -> int:
        return struct.unpack_from("<I", self.payload, self._need(4))[0]

    def f64(self) -> float:
        return struct.unpack_from("<d", self.payload, self._need(8))[0]

    def u64(self) -> int:
        return struct.unpack_from("<Q", self.payload, self._need(8))[0]

    def text(self) -> str:
        return self.bytes(self.u32()).decode("utf-8", "replace")

    def array(self, count: int) -> FloatArray:
        return np.frombuffer(self.payload, "<f8", count, self._need(8 * count))


def text_field(text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return struct.pack("<I", len(raw)) + raw


class Connection:
    """Frames over a socket."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected

    def _receive(self, size: int, may_end: bool = False) -> Optional[bytes]:
        pieces = []
        left = size
        while left:
            piece = self.socket.recv(min(left, 1 << 20))
            if not piece:
                if may_end and left == size:
                    return None
                raise Error("the host closed the connection within a frame")
            pieces.append(piece)
            left -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def receive(self) -> tuple[int, bytes]:
        """The next frame; END where the connection is closed."""
        head = self._receive(8, may_end=True)
        if head is None:
            return END, b""
        size, kind = struct.unpack("<II", head)
        if size > LARGEST:
            raise Error(f"a frame of {size} bytes is larger than {LARGEST}")
        return kind, (self._receive(size) or b"") if size else b""

    def send(self, kind: int, payload: bytes = b"") -> None:
        self.socket.sendall(struct.pack("<II", len(payload), kind) + payload)

    def log(self, text: str, level: int = 0) -> None:
        """A message to the user, one frame per line."""
        for line in str(text).splitlines():
            self.send(LOG, struct.pack("<I", level) + text_field(line))


def read_hello(payload: bytes, connection: Connection) -> Setup:
    """The first frame."""
    fields = Reader(payload)
    if fields.bytes(8) != b"stiction":
        raise Error("the first frame is not that of stiction")
    version = fields.u32()
    if version != VERSION:
        raise Error(f"the host uses version {version} of the protocol, and this is version {VERSION}")
    floating = fields.u32() != 0
    timestep, gravity = fields.f64(), fields.array(3)
    joint_count, link_count = fields.u32(), fields.u32()
    body, options, directory = fields.text(), fields.text(), fields.text()
    joints = []
    for _ in range(joint_count):
        name, prismatic = fields.text(), fields.u32() != 0
        joints.append(RobotJoint(name, prismatic, *(fields.f64() for _ in range(4))))
    links = [fields.text() for _ in range(link_count)]
    return Setup(
        body, options, directory, timestep, gravity, floating, joints, links, connection.log
    )


class Peer:
    """One controller at the other end of a connection, from HELLO to END."""

    def __init__(self, connection: Connection, path: str) -> None:
        self.connection = connection
        self.path = path

    def serve(self) -> int:
        """The exit code: 0 if the host sent END or the error message was sent to the host."""
        try:
            try:
                self._serve()
                return 0
            except (BrokenPipeError, ConnectionError):
                return 1
            except (Exception, SystemExit) as problem:
                if not isinstance(problem, Error):
                    traceback.print_exc()
                self.connection.send(ERROR, text_field(describe_error(problem, self.path)))
                return 1
        except OSError:
            return 1

    def _serve(self) -> None:
        connection = self.connection
        kind, payload = connection.receive()
        if kind == END:
            return
        if kind != HELLO:
            raise Error(f"the first frame has type {kind}, and HELLO ({HELLO}) was expected")
        setup = read_hello(payload, connection)
        self.driver = driver = Driver(load_module(self.path), setup, os.path.basename(self.path))
        self._make_output(len(setup.joints), len(driver.records))
        connection.send(READY, self._ready())
        while True:
            kind, payload = connection.receive()
            if kind == STEP:
                connection.send(COMMAND, self._step(payload))
            elif kind == RESET:
                driver.call("reset")
            elif kind == NOTES:
                connection.send(NOTED, self._notes())
            elif kind == END:
                driver.call("close")
                return
            else:
                raise Error(f"the host sent a frame of the unknown type {kind}")

    def _ready(self) -> bytes:
        driver = self.driver
        flags = sum(NEEDS[need] for need in set(driver.needs))
        flags += 8 * driver.has("notes")
        payload = struct.pack(
            "<IIdII", VERSION, flags, driver.control_period, len(driver.links), len(driver.records)
        )
        payload += struct.pack(f"<{len(driver.links)}I", *driver.links)
        return payload + b"".join(text_field(record) for record in driver.records)

    def _input(self, payload: bytes) -> Input:
        driver, setup = self.driver, self.driver.setup
        n, dof = len(setup.joints), setup.dof
        fields, given = Reader(payload), Input()
        given.time = fields.f64()
        for name in ("q", "dq", "effort", "target"):
            setattr(given, name, fields.array(n))
        for name, size in (
            ("position", 3),
            ("rotation", 4),
            ("linear", 3),
            ("angular", 3),
            ("gyro", 3),
            ("accelerometer", 3),
        ):
            setattr(given, name, fields.array(size))
        if "mass_matrix" in driver.needs:
            given.mass_matrix = fields.array(dof * dof).reshape(dof, dof)
        if "bias" in driver.needs:
            given.bias = fields.array(dof)
        if driver.jacobians:
            given.jacobians = {
                link: fields.array(6 * dof).reshape(6, dof) for link in driver.jacobians
            }
        if "contacts" in driver.needs:
            given.contacts = []
            for _ in range(fields.u64()):
                link = fields.u64()
                if link >= len(setup.links):
                    raise Error(f"a contact is of link {link} of {len(setup.links)}")
                given.contacts.append(
                    Contact(setup.links[link], fields.array(3), fields.array(3))
                )
        if "link_states" in driver.needs:
            given.link_states = {
                link: LinkState(fields.array(3), fields.array(4), fields.array(6))
                for link in driver.jacobians
            }
        return given

    def _make_output(self, joints: int, records: int) -> None:
        self.output = np.zeros(1 + 7 * joints + records, "<f8")
        whole = self.output.view("<i8")
        self.finished, self.mode = whole[:1], whole[1 : 1 + joints]
        self.fields = {
            field: self.output[1 + joints * (k + 1) : 1 + joints * (k + 2)]
            for k, field in enumerate(FIELDS)
        }
        self.recorded = self.output[1 + 7 * joints :]

    def _step(self, payload: bytes) -> bytes:
        command = to_command(self.driver.step(self._input(payload)))
        given = [fill(command, field, self.fields[field]) for field in FIELDS]
        self.mode[:] = 0
        if given[3] or given[4]:
            self.mode[:] = fill_gains(self.fields)
        self.finished[0] = bool(command.finished)
        records = command.records or {}
        for name in records:
            if name not in self.driver.records:
                raise Error(f"step recorded '{name}', which is not among the controller's records")
        self.recorded[:] = [float(records.get(name, _NAN)) for name in self.driver.records]
        return self.output.tobytes()

    def _notes(self) -> bytes:
        notes = self.driver.call("notes") or {}
        rows: Iterable[tuple[str, Any]] = notes.items() if isinstance(notes, Mapping) else notes
        parts = []
        for key, value in rows:
            is_text = isinstance(value, str)
            tail = text_field(value) if is_text else struct.pack("<d", float(value))
            parts.append(text_field(str(key)) + struct.pack("<I", is_text) + tail)
        return struct.pack("<I", len(parts)) + b"".join(parts)
