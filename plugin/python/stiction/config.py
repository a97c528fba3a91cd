# SPDX-License-Identifier: MIT
"""Configurations: which joints, by name or pattern, have which friction."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi, errors
from ._abi import lib
from ._arrays import scalar, whole
from ._tables import JOINT_FIELDS, LISTS
from ._handle import Owner
from .errors import Error, ErrorList
from .joint import Joint, from_c, to_c
from .law import parameters
from .model import Model

Path = Union[str, "os.PathLike[str]"]


def names_to_c(names: Iterable[str]) -> tuple[ctypes.Array, int]:  # type: ignore[type-arg]
    """Names as an array of C; the array keeps them alive."""
    if isinstance(names, str):
        raise TypeError(f"joints must be a list of names, not the text {names!r}")
    texts = []
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a joint's name must be a text, not {name!r}")
        if "\0" in name:
            raise ValueError(f"a joint's name has a NUL in it: {name!r}")
        texts.append(name.encode())
    return (ctypes.c_char_p * max(len(texts), 1))(*texts), len(texts)


def _value_text(value: Any) -> str:
    """A value as written in a file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value_text(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_value_text(item)}" for key, item in value.items()) + "}"
    return repr(scalar(value, "a value"))


def _overrides(values: Mapping[str, Any]) -> tuple[Any, int]:
    rows: list[Any] = [(key.encode(), _value_text(value).encode()) for key, value in values.items()]
    return (_abi.Override * max(len(rows), 1))(*rows), len(rows)


class Config(Owner):
    """A configuration: read from a file, or made here.

    >>> import stiction
    >>> config = stiction.Config()
    >>> config.add("RWR?", law="coulomb", coulomb_torque=1, stiffness=1000, damping=10)
    >>> config.joint("RWRY").coulomb_torque
    1.0
    >>> config.set("RWR?", coulomb_torque=2)
    >>> config.get("RWRY", "coulomb_torque")
    2.0
    >>> stiction.Config.parse(str(config)).patterns
    ['RWR?']
    """

    path: str  #: of its file, if any

    def __init__(self) -> None:
        pointer = lib.config_create()
        if not pointer:
            raise MemoryError("no memory for a configuration")
        self._own(pointer, lib.config_destroy)
        self.path = ""
        self._has_tree = False

    @classmethod
    def _from(cls, pointer: Optional[int], path: str) -> Config:
        assert pointer
        config = cls.__new__(cls)
        config._own(pointer, lib.config_destroy)
        config.path = path
        config._has_tree = True
        return config

    def _change(self, function: Any, *arguments: Any) -> None:
        errors.call(function, self._pointer, *arguments)
        self._has_tree = False

    # ---- files ----

    @classmethod
    def load(cls, path: Path) -> Config:
        """Reads a file. ``errors`` of the exception has all errors of the file, each with its location."""
        pointer = ctypes.c_void_p()
        with ErrorList() as found:
            text = os.fspath(path)
            found.check(lib.config_load(os.fsencode(text), pointer, found.pointer))
        return cls._from(pointer.value, str(text))

    @classmethod
    def parse(cls, text: Union[str, bytes], path: Optional[Path] = None) -> Config:
        """The same from a text; ``path`` is for the messages."""
        raw = text.encode() if isinstance(text, str) else bytes(text)
        name = None if path is None else os.fsencode(path)
        pointer = ctypes.c_void_p()
        with ErrorList() as found:
            found.check(lib.config_parse(raw, len(raw), name, pointer, found.pointer))
        return cls._from(pointer.value, "" if path is None else os.fspath(path))

    def __str__(self) -> str:
        """As YAML that loads to the same, to the bit; profiles are resolved."""
        return take_text(lib.config_write(self._pointer), "the configuration")

    def save(self, path: Path) -> None:
        """Writes the YAML into a file, whole or not at all. Comments and profiles of the file that it was
        read from are not kept; :func:`stiction.edit_file` keeps them."""
        text = str(self)
        temporary = f"{os.fspath(path)}.{os.getpid()}.new"
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, path)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise

    def copy(self) -> Config:
        """A copy that can be changed independently."""
        return type(self).parse(str(self), self.path or None)

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return Config.parse, (str(self), self.path or None)

    def __copy__(self) -> Config:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Config:
        return self.copy()

    def __repr__(self) -> str:
        return f"<stiction.Config {self.path or 'without a file'}: {', '.join(self.patterns)}>"

    # ---- joints ----

    @property
    def patterns(self) -> list[str]:
        """The names and patterns of its entries, in their order."""
        count = lib.config_joint_count(self._pointer)
        return [lib.config_joint_at(self._pointer, k, None).decode() for k in range(count)]

    @property
    def joints(self) -> dict[str, Joint]:
        """The friction of each entry, with all profiles resolved."""
        found = {}
        for k in range(lib.config_joint_count(self._pointer)):
            struct = _abi.JointDef.default()
            name = lib.config_joint_at(self._pointer, k, struct)
            found[name.decode()] = from_c(struct)
        return found

    def find(self, name: str) -> Optional[Joint]:
        """The friction of the joint of this name, by its own entry or a pattern; None: it has none."""
        struct = _abi.JointDef.default()
        found = lib.config_find_joint(self._pointer, name.encode(), struct)
        return from_c(struct) if found else None

    def joint(self, name: str) -> Joint:
        """The same; KeyError where it has none."""
        found = self.find(name)
        if found is None:
            raise KeyError(f"nothing in the configuration matches joint '{name}'")
        return found

    def __getitem__(self, name: str) -> Joint:
        return self.joint(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def add(self, pattern: str, joint: Optional[Joint] = None, **values: Any) -> None:
        """Gives the joints that match a pattern this friction: a Joint, or ``law=..., static_torque=...``.
        An exact name beats a pattern, a later pattern an earlier one. A value may be a distribution:
        ``static_torque={"uniform": [2, 3]}``."""
        if any(isinstance(value, Mapping) for value in values.values()):
            self._add_drawn(pattern, joint or Joint(), values)
            return
        struct = to_c((joint or Joint()).replace(**values))
        self._change(lib.config_add_joint, pattern.encode(), struct)

    def _add_drawn(self, pattern: str, joint: Joint, values: Mapping[str, Any]) -> None:
        drawn = {key: value for key, value in values.items() if isinstance(value, Mapping)}
        fixed = joint.replace(**{key: None for key in drawn if key in JOINT_FIELDS})
        fixed = fixed.replace(**{key: value for key, value in values.items() if key not in drawn})
        all_values: dict[str, Any] = {"law": fixed.law, **fixed.parameters, **drawn}
        entry = ", ".join(f"{key}: {_value_text(value)}" for key, value in all_values.items())
        head = str(self).removesuffix("joints: {}\n")
        if not self.patterns:
            head += "joints:\n"
        name = json.dumps(pattern, ensure_ascii=False)
        self._take(type(self).parse(f"{head}  {name}: {{ {entry} }}\n", self.path or None))

    def _take(self, other: Config) -> None:
        """Takes over the handle of another configuration."""
        self._handle.release(self._number)
        self._handle, self._number, self._pointer = other._handle, other._number, other._pointer
        del other._handle
        self._has_tree = True

    def get(self, name: str, key: str) -> Union[float, tuple[float, ...]]:
        """A parameter of a joint; NaN if it is not given. A tuple for a parameter that is a list."""
        joint = self.joint(name)
        if key in LISTS:
            return getattr(joint, key) or ()
        if key not in JOINT_FIELDS:
            raise KeyError(f"a joint has no parameter '{key}'")
        value = getattr(joint, key)
        return float("nan") if value is None else value

    def set(self, name: str, joints: Sequence[str] = (), **values: Any) -> None:
        """Replaces values of a joint: ``config.set("RWRR", static_torque=2.2, law="stribeck")``.
        The name is that of an entry, or of one of ``joints``, the robot's, that a pattern matches."""
        self.override({f"joints.{name}.{key}": value for key, value in values.items()}, joints)

    def override(self, values: Mapping[str, Any], joints: Sequence[str] = ()) -> None:
        """Replaces values, all together: ``{"joints.NAME.KEY": 1, "profiles.NAME.KEY": 2, "law": "coulomb",
        "timestep": 0.002}``. What is found later still names the lines of the file."""
        if not self._has_tree:  # made or changed by functions: as a text it is one that was loaded
            self._take(self.copy())
        array, count = _overrides(values)
        names, name_count = names_to_c(joints)
        with ErrorList() as found:
            found.check(
                lib.config_override(self._pointer, array, count, names, name_count, found.pointer)
            )

    # ---- the rest of the file ----

    @property
    def timestep(self) -> float:
        """s; 0: the file gives none."""
        return lib.config_timestep(self._pointer)

    @timestep.setter
    def timestep(self, value: float) -> None:
        self._change(lib.config_set_timestep, scalar(value, "timestep"))

    @property
    def strict(self) -> bool:
        """Whether a joint of the robot that nothing matches is an error."""
        return lib.config_strict(self._pointer)

    @strict.setter
    def strict(self, value: bool) -> None:
        lib.config_set_strict(self._pointer, bool(value))
        self._has_tree = False

    @property
    def coupling(self) -> str:
        """``auto``, ``explicit`` or ``implicit``."""
        return lib.coupling_name(lib.config_coupling(self._pointer)).decode()

    @coupling.setter
    def coupling(self, value: str) -> None:
        lib.config_set_coupling(self._pointer, _number_of(value, lib.coupling_name, "coupling"))
        self._has_tree = False

    @property
    def element(self) -> str:
        """What an implicit joint is made of: ``auto``, ``bristle`` or ``rigid``."""
        return lib.element_choice_name(lib.config_element(self._pointer)).decode()

    @element.setter
    def element(self, value: str) -> None:
        lib.config_set_element(self._pointer, _number_of(value, lib.element_choice_name, "element"))
        self._has_tree = False

    @property
    def models(self) -> list[str]:
        """The names of the body models that it is for."""
        count = lib.config_model_count(self._pointer)
        return [lib.config_model_at(self._pointer, k).decode() for k in range(count)]

    def add_model(self, name: str) -> None:
        """Adds the name of a body model."""
        self._change(lib.config_add_model, name.encode())

    def is_for(self, model_name: str, joints: Sequence[str] = ()) -> bool:
        """Whether it is for a body: by its model's name, or, where it names none, by its joints."""
        names, count = names_to_c(joints)
        return lib.config_is_for(self._pointer, model_name.encode(), names, count)

    # ---- what is drawn ----

    @property
    def seed(self) -> int:
        """Of what is drawn; 0 where none is given; may be set."""
        return lib.config_seed(self._pointer)

    @seed.setter
    def seed(self, value: int) -> None:
        self._change(lib.config_set_seed, whole(value, "seed"))

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn."""
        return lib.config_is_random(self._pointer)

    @property
    def distributions(self) -> dict[str, dict[str, tuple[str, float, float]]]:
        """What is drawn: ``{"RWRR": {"static_torque": ("uniform", 2.0, 3.0)}}``. A distribution is set as
        any value: ``config.set("RWRR", static_torque={"uniform": [2, 3]})``."""
        found: dict[str, dict[str, tuple[str, float, float]]] = {}
        struct = _abi.Distribution()
        keys = [row.key for row in parameters()]
        for k, pattern in enumerate(self.patterns):
            for p, key in enumerate(keys):
                if lib.config_distribution(self._pointer, k, p, struct):
                    kind = lib.distribution_name(struct.kind).decode()
                    found.setdefault(pattern, {})[key] = (kind, struct.first, struct.second)
        return found

    def draw(self, name: str, sample: int = 0, timestep: Optional[float] = None) -> Joint:
        """The friction of a joint in a sample, as a model of this time step has it; law ``none`` where
        nothing matches."""
        struct = _abi.JointDef.default()
        step = 0.0 if timestep is None else scalar(timestep, "timestep")
        errors.call(
            lib.config_draw, self._pointer, name.encode(), whole(sample, "sample"), step, struct
        )
        return from_c(struct)

    # ---- what is made of it ----

    def check(self, joints: Sequence[str] = (), timestep: Optional[float] = None) -> list[Error]:
        """All that :meth:`model` would refuse for this robot and time step; empty: nothing."""
        names, count = names_to_c(joints)
        step = 0.0 if timestep is None else scalar(timestep, "timestep")
        with ErrorList() as found:
            lib.config_check(self._pointer, names if count else None, count, step, found.pointer)
            return found.all()

    def model(
        self,
        joints: Sequence[str],
        timestep: Optional[float] = None,
        *,
        strict: bool = False,
        partial: bool = False,
        sample: int = 0,
    ) -> Model:
        """The friction of a robot with these joints, in this order. ``timestep``, s: None: the file's;
        ``strict``: a joint that nothing matches is an error; ``partial``: these are not all joints of the
        robot, so a pattern may match none; ``sample``: which one of what is drawn."""
        return Model(self, joints, timestep, strict=strict, partial=partial, sample=sample)


def _number_of(word: str, name_of, what: str) -> int:  # type: ignore[no-untyped-def]
    names: list[str] = []
    while (name := name_of(len(names))) is not None:
        names.append(name.decode())
    if word not in names:
        raise Error(f"{what} {word!r} is not one of {', '.join(names)}")
    return names.index(word)


def take_text(pointer: Optional[int], what: str) -> str:
    """A text that the library allocated."""
    if not pointer:
        raise Error(f"{what} cannot be written: no memory, or a name that is not UTF-8")
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        lib.free(pointer)


def edit_file(path: Path, values: Mapping[str, Any], joints: Sequence[str] = ()) -> None:
    """Writes values into a configuration file and keeps its comments, its order and everything else.
    ``values`` and ``joints`` are those of :meth:`Config.override`."""
    array, count = _overrides(values)
    names, name_count = names_to_c(joints)
    with ErrorList() as found:
        found.check(
            lib.config_edit_file(os.fsencode(path), array, count, names, name_count, found.pointer)
        )
