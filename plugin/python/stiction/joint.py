# SPDX-License-Identifier: MIT
"""What friction one joint has."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

from . import _abi, errors
from ._abi import lib
from ._arrays import scalar
from ._tables import JOINT_FIELDS, LAW_PARAMETERS, LISTS, Parameters
from .law import Law, PhiZ, laws


#: What may be ``"auto"`` in place of a number, and STICTION_AUTO.
_MAY_BE_AUTO = ("stiffness", "damping", "reverse_viscous_factor")
_AUTO = float("-inf")


def _numbers(value: Any, key: str) -> tuple[float, ...]:
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        numbers = tuple(scalar(number, key) for number in value)
    except TypeError:
        raise TypeError(f"{key} must be a list of numbers, not {value!r}") from None
    if len(numbers) > JOINT_FIELDS[key]:
        raise ValueError(f"{key} has {len(numbers)} numbers; at most {JOINT_FIELDS[key]} are possible")
    return numbers


@dataclasses.dataclass(frozen=True)
class Joint(Parameters):
    """A law and its parameters; None: not given. A law reads only its own parameters (``stiction.laws()``).
    Stiffness and damping may be ``"auto"``; a configuration or model gives the numbers. Without a
    ``reverse_viscous_factor``, or with ``"auto"``, viscous friction follows ``reverse_factor``.

    >>> import stiction
    >>> joint = stiction.Joint("coulomb", coulomb_torque=1, viscous=0.5, stiffness=1000)
    >>> joint.parameters
    {'coulomb_torque': 1.0, 'viscous': 0.5, 'stiffness': 1000.0}
    >>> joint.replace(viscous=1).viscous
    1.0
    """

    def __post_init__(self) -> None:
        if not isinstance(self.law, str):
            raise TypeError(f"law must be a name such as 'stribeck', not {self.law!r}")
        for key in JOINT_FIELDS:
            value = getattr(self, key)
            if value is not None and not (value == "auto" and key in _MAY_BE_AUTO):
                number = (_numbers(value, key) or None) if key in LISTS else scalar(value, key)
                object.__setattr__(self, key, number)

    @property
    def parameters(self) -> dict[str, Any]:
        """What is given: numbers, and tuples of numbers of presliding."""
        values = ((key, getattr(self, key)) for key in JOINT_FIELDS)
        return {key: value for key, value in values if value is not None}

    def replace(self, **values: Any) -> Joint:
        """The same with other values."""
        unknown = values.keys() - {"law", *JOINT_FIELDS}
        if unknown:
            raise TypeError(f"a joint has no parameter {', '.join(map(repr, sorted(unknown)))}")
        return dataclasses.replace(self, **values)

    def check(self, timestep: float, name: Optional[str] = None) -> None:
        """Raises :class:`stiction.Error` unless it can be stepped with this time step, s."""
        who = None if name is None else name.encode()
        errors.call(lib.joint_def_check, who, to_c(self), scalar(timestep, "timestep"))

    def curve(self) -> Law:
        """Its law over the sliding velocity (coulomb, rational, stribeck)."""
        known = next((row.parameters for row in laws() if row.name == self.law), ())
        reads = set(LAW_PARAMETERS) & set(known)
        return Law(self.law, **{key: value for key, value in self.parameters.items() if key in reads})

    def phi_z(self, timestep: float) -> PhiZ:
        """Phi_Z of its bristle: 1/Z = K T + B."""
        bristle: tuple[Any, ...] = (self.stiffness, self.damping)
        if "auto" in bristle:
            raise ValueError("stiffness and damping are auto; take the joint from a configuration")
        law = self.curve()
        inverse = (self.stiffness or 0.0) * scalar(timestep, "timestep") + (self.damping or 0.0)
        return PhiZ(law, 1 / inverse if inverse else float("inf"), inverse=inverse)


def to_c(joint: Joint) -> _abi.JointDef:
    """A joint for the library; the struct keeps the text of its law alive."""
    struct = _abi.JointDef.default()
    struct.law = joint.law.encode()
    for key, value in joint.parameters.items():
        if key in LISTS:
            getattr(struct, key)[: len(value)] = value
        else:
            setattr(struct, key, _AUTO if value == "auto" else value)
    return struct


def from_c(struct: _abi.JointDef) -> Joint:
    """A joint of the library."""
    given: dict[str, Any] = {}
    for key in JOINT_FIELDS:
        value = getattr(struct, key)
        if key in LISTS:
            value = tuple(number for number in value if number == number)
        if value == value and value != ():
            given[key] = value
    return Joint((struct.law or b"none").decode(), **given)
