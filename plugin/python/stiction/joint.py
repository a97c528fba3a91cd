"""What friction one joint has."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

from . import _abi, errors
from ._abi import lib
from ._arrays import scalar
from .law import Law, PhiZ


def _numbers(value: Any, key: str) -> tuple[float, ...]:
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        numbers = tuple(scalar(number, key) for number in value)
    except TypeError:
        raise TypeError(f"{key} must be a list of numbers, not {value!r}") from None
    if len(numbers) > _abi.LIST_MOST:
        raise ValueError(f"{key} has {len(numbers)} numbers; at most {_abi.LIST_MOST} are possible")
    return numbers


@dataclasses.dataclass(frozen=True)
class Joint:
    """A law and its parameters; None: not given. A law reads only its own (``stiction.laws()``).

    >>> import stiction
    >>> joint = stiction.Joint("coulomb", coulomb_torque=1, viscous=0.5, stiffness=1000)
    >>> joint.parameters
    {'coulomb_torque': 1.0, 'viscous': 0.5, 'stiffness': 1000.0}
    >>> joint.replace(viscous=1).viscous
    1.0
    """

    law: str = "none"
    static_torque: Optional[float] = None  #: F_S, N m
    coulomb_torque: Optional[float] = None  #: F_C, N m
    stribeck_velocity: Optional[float] = None  #: v_S, rad/s
    stribeck_exponent: Optional[float] = None  #: alpha
    viscous: Optional[float] = None  #: D, N m s/rad
    viscous_exponent: Optional[float] = None  #: p of D |v|^p
    stiffness: Optional[float] = None  #: K, N m/rad
    damping: Optional[float] = None  #: B, N m s/rad
    stick_velocity: Optional[float] = None  #: rad/s (karnopp, quinn, viscosity, tanh)
    elastic_limit: Optional[float] = None  #: rad (elasto_plastic)
    bristle_spacing: Optional[float] = None  #: rad (bristle models)
    bristle_stiffness: Optional[float] = None  #: N m/rad (drbm, rbm, mpabm)
    bristle_height: Optional[float] = None  #: m (drbm, rbm, mpabm)
    bristle_length: Optional[float] = None  #: m (drbm, rbm)
    body_length: Optional[float] = None  #: m (drbm, rbm)
    angle_scale: Optional[float] = None  #: (mpabm)
    min_angle: Optional[float] = None  #: rad (mpabm)
    max_angle: Optional[float] = None  #: rad (mpabm)
    inertia: Optional[float] = None  #: kg m^2, for hosts that see one joint at a time
    load_motor: Optional[float] = None  #: N m of friction per N m of motor torque
    load_external: Optional[float] = None  #: per N m of external torque
    load_motor_static: Optional[float] = None  #: the same, at rest only
    load_external_static: Optional[float] = None
    load_limit: Optional[float] = None  #: N m, torques count up to here
    temperature: Optional[float] = None  #: deg C at the start
    reference_temperature: Optional[float] = None  #: deg C that the other values hold for
    temperature_level: Optional[float] = None  #: 1/K, of static and Coulomb torque
    temperature_viscous: Optional[float] = None  #: 1/K, D falls by exp
    ambient_temperature: Optional[float] = None  #: deg C
    thermal_resistance: Optional[float] = None  #: K/W; 0: no heating
    thermal_time: Optional[float] = None  #: s
    ripple: Optional[float] = None  #: share of the torque
    ripple_count: Optional[float] = None  #: per turn of the joint
    ripple_phase: Optional[float] = None  #: rad
    reverse_factor: Optional[float] = None  #: friction backwards over forwards
    lag: Optional[float] = None  #: s
    presliding_torque: Optional[tuple[float, ...]] = None  #: N m, together at most coulomb_torque
    presliding_stiffness: Optional[tuple[float, ...]] = None  #: N m/rad, as many

    def __post_init__(self) -> None:
        if not isinstance(self.law, str):
            raise TypeError(f"law must be a name such as 'stribeck', not {self.law!r}")
        for key in _abi.PARAMETERS:
            value = getattr(self, key)
            if value is not None:
                object.__setattr__(self, key, scalar(value, key))
        for key in _abi.LISTS:
            value = getattr(self, key)
            if value is not None:
                object.__setattr__(self, key, _numbers(value, key) or None)

    @property
    def parameters(self) -> dict[str, Any]:
        """What is given: numbers, and tuples of numbers of presliding."""
        values = ((key, getattr(self, key)) for key in _abi.PARAMETERS + _abi.LISTS)
        return {key: value for key, value in values if value is not None}

    def replace(self, **values: Any) -> Joint:
        """The same with other values."""
        unknown = values.keys() - {"law", *_abi.PARAMETERS, *_abi.LISTS}
        if unknown:
            raise TypeError(f"a joint has no parameter {', '.join(map(repr, sorted(unknown)))}")
        return dataclasses.replace(self, **values)

    def check(self, timestep: float, name: Optional[str] = None) -> None:
        """Raises :class:`stiction.Error` unless it can be stepped with this time step, s."""
        error = errors.new_error()
        struct = to_c(self)
        who = None if name is None else name.encode()
        errors.check(
            lib.joint_def_check(who, struct, scalar(timestep, "timestep"), error), error
        )

    def curve(self) -> Law:
        """Its law over the sliding velocity (coulomb, rational, stribeck)."""
        reads = {key: value for key, value in self.parameters.items() if key in _abi.LAW_PARAMETERS}
        from .law import laws

        known = next((row.parameters for row in laws() if row.name == self.law), ())
        return Law(self.law, **{key: value for key, value in reads.items() if key in known})

    def phi_z(self, timestep: float) -> PhiZ:
        """Phi_Z of its bristle: 1/Z = K T + B."""
        law = self.curve()
        inverse = (self.stiffness or 0.0) * scalar(timestep, "timestep") + (self.damping or 0.0)
        return PhiZ(law, 1 / inverse if inverse else float("inf"), inverse=inverse)


def to_c(joint: Joint) -> _abi.JointDef:
    """A joint for the library; the struct keeps the text of its law alive."""
    struct = _abi.JointDef.default()
    struct.law = joint.law.encode()
    for key, value in joint.parameters.items():
        if key in _abi.LISTS:
            getattr(struct, key)[: len(value)] = value
        else:
            setattr(struct, key, value)
    return struct


def from_c(struct: _abi.JointDef) -> Joint:
    """A joint of the library."""
    values = {key: getattr(struct, key) for key in _abi.PARAMETERS}
    given: dict[str, Any] = {key: value for key, value in values.items() if value == value}
    for key in _abi.LISTS:
        numbers = tuple(value for value in getattr(struct, key) if value == value)
        if numbers:
            given[key] = numbers
    return Joint((struct.law or b"none").decode(), **given)
