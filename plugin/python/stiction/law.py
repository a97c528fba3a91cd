# SPDX-License-Identifier: MIT
"""Friction laws over arrays: Phi, torque over sliding velocity, and its implicit transformation Phi_Z."""
from __future__ import annotations

import ctypes
import dataclasses
import itertools
from typing import Any, Callable, Iterator, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi
from ._abi import lib
from ._arrays import FloatArray, address, numbers, scalar
from ._tables import LAW_PARAMETERS
from .errors import Error, Status


@dataclasses.dataclass(frozen=True)
class ParameterInfo:
    """A parameter of joints, as the table of the library has it."""

    key: str
    symbol: str
    unit: str
    description: str
    minimum: float
    exclusive: bool  #: the minimum itself is not allowed
    #: what "not given" means; None: it must be given; -inf: it follows another parameter
    fallback: Optional[float]
    least: float = 0.0  #: the smallest value that is taken
    most: float = float("inf")  #: the largest value that is taken


@dataclasses.dataclass(frozen=True)
class ListInfo:
    """A parameter that is a list of numbers above 0."""

    key: str
    symbol: str
    unit: str
    description: str
    most: int  #: numbers


@dataclasses.dataclass(frozen=True)
class LawInfo:
    """A law that a configuration can name."""

    name: str
    description: str
    reference: bool  #: a model to compare with, with its known faults
    needs_effort: bool
    parameters: tuple[str, ...]  #: the keys that it reads


def parameters() -> tuple[ParameterInfo, ...]:
    """All parameters that a joint can have.

    >>> import stiction
    >>> stiction.parameters()[0].key, stiction.parameters()[0].unit
    ('static_torque', 'N m')
    """
    found: list[ParameterInfo] = []
    least, most = ctypes.c_double(), ctypes.c_double()
    for row in _rows(lib.parameter_at, _abi.ParameterInfo()):
        lib.parameter_range(len(found), ctypes.byref(least), ctypes.byref(most))
        del row["offset"]
        row.update(
            fallback=None if np.isnan(row["fallback"]) else row["fallback"],
            least=least.value,
            most=most.value,
        )
        found.append(ParameterInfo(**row))
    return tuple(found)


def _rows(at: Callable[[int, Any], bool], info: ctypes.Structure) -> Iterator[dict[str, Any]]:
    """The rows of a table of the library, with texts decoded."""
    for k in itertools.count():
        if not at(k, ctypes.byref(info)):
            return
        values = {name: getattr(info, name) for name, *_ in info._fields_}
        yield {
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in values.items()
        }


def parameter_lists() -> tuple[ListInfo, ...]:
    """Those that are lists.

    >>> import stiction
    >>> [(row.key, row.unit, row.most) for row in stiction.parameter_lists()]
    [('presliding_torque', 'N m', 8), ('presliding_stiffness', 'N m/rad', 8)]
    """
    rows = list(_rows(lib.list_at, _abi.ListInfo()))
    for row in rows:
        del row["offset"]
    return tuple(ListInfo(**row) for row in rows)


def laws() -> tuple[LawInfo, ...]:
    """All laws that a joint can have.

    >>> import stiction
    >>> [law.name for law in stiction.laws() if not law.reference]
    ['none', 'coulomb', 'stribeck', 'rational']
    """
    keys = [row.key for row in parameters()]
    rows = list(_rows(lib.law_info_at, _abi.LawInfo()))
    for row in rows:
        bits = row["parameters"]
        row["parameters"] = tuple(key for k, key in enumerate(keys) if bits >> k & 1)
    return tuple(LawInfo(**row) for row in rows)


def _law(name: str) -> int:
    pointer = lib.law_find(name.encode())
    if not pointer:
        known = ", ".join(row.name for row in laws() if not row.reference and row.parameters)
        raise Error(f"there is no law '{name}' with a curve; these have one: {known}")
    return pointer


class Law:
    """A law with its parameters: torque over sliding velocity.

    >>> import stiction
    >>> law = stiction.Law("stribeck", static_torque=2.5, coulomb_torque=0.4, stribeck_velocity=0.06,
    ...                    viscous=4.5)
    >>> law.phi([0, 0.06, 1])
    array([2.5       , 1.44254683, 4.90000012])
    >>> float(law.phi(-0.0)), round(float(law.slope(1.0)), 6)
    (-2.5, 4.499998)
    """

    name: str
    parameters: dict[str, float]

    def __init__(self, name: str, **parameters: float) -> None:
        self.name = name
        self._law = _law(name)
        info = next(row for row in laws() if row.name == name)
        table = {row.key: row for row in globals()["parameters"]()}
        values = {key: table[key].fallback for key in info.parameters if key in LAW_PARAMETERS}
        for key, value in parameters.items():
            if key not in values:
                raise Error(
                    f"the law '{name}' has no parameter '{key}'; it has {', '.join(values)}"
                )
            values[key] = scalar(value, key)
        for key, given in values.items():
            row = table[key]
            if given is None:
                raise Error(f"the law '{name}' needs {key} ({row.symbol}, {row.unit})")
            if not (row.minimum < given if row.exclusive else row.minimum <= given) or given == np.inf:
                bound = f"{'above' if row.exclusive else 'at least'} {row.minimum:g}"
                raise Error(f"{key} {given!r} must be a number {bound}", Status.INVALID_CONFIG)
            if not row.least <= given <= row.most:
                bound = f"at most {row.most:g}" if given > row.most else f"at least {row.least:g}"
                unit = "" if row.unit == "1" else f" {row.unit}"
                raise Error(f"{key} {given!r} must be {bound}{unit}", Status.INVALID_CONFIG)
        self.parameters = {key: float(given) for key, given in values.items() if given is not None}
        nan = float("nan")
        self._struct = _abi.LawParameters(
            *(self.parameters.get(key, nan) for key in LAW_PARAMETERS)
        )
        self._reference = ctypes.byref(self._struct)
        if not lib.law_in_domain(self._law, self._reference):
            raise Error(
                f"static_torque {self.parameters.get('static_torque')} is below coulomb_torque "
                f"{self.parameters.get('coulomb_torque')}",
                Status.INVALID_CONFIG,
            )

    def phi(self, velocity: ArrayLike) -> FloatArray:
        """Phi(v), N m: odd; Phi(+-0) is +-Phi(+0), and of NaN NaN."""
        return self._over(lib.phi_array, velocity)

    def slope(self, velocity: ArrayLike) -> FloatArray:
        """dPhi/dv, N m s/rad."""
        return self._over(lib.phi_slope_array, velocity)

    def _over(self, function, velocity: ArrayLike) -> FloatArray:  # type: ignore[no-untyped-def]
        v = numbers(velocity, "velocity")
        out = np.empty(v.shape)
        function(self._law, self._reference, v.size, address(v), address(out))
        return out[()]

    def work(self, start: ArrayLike, end: ArrayLike) -> FloatArray:
        """The integral of Phi from one velocity to another, W; only their magnitudes count."""
        a, b = np.broadcast_arrays(numbers(start, "start"), numbers(end, "end"))
        a, b = np.require(a, None, ["C", "A"]), np.require(b, None, ["C", "A"])
        out = np.empty(a.shape)
        lib.phi_work_array(self._law, self._reference, a.size, address(a), address(b), address(out))
        return out[()]

    def phi_z(self, Z: float) -> PhiZ:
        """The implicit transformation for one Z, rad/s / (N m)."""
        return PhiZ(self, Z)

    def __repr__(self) -> str:
        values = ", ".join(f"{key}={value:g}" for key, value in self.parameters.items())
        return f"Law('{self.name}', {values})"

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return _make_law, (self.name, self.parameters)


def _make_law(name: str, parameters: dict[str, float]) -> Law:
    return Law(name, **parameters)


class PhiZ:
    """Phi_Z: the y with y = Phi(x - Z y), or x/Z while that is within the static torque.

    >>> import stiction
    >>> law = stiction.Law("coulomb", coulomb_torque=1.0, viscous=0)
    >>> phi_z = law.phi_z(0.5)
    >>> phi_z([-3, 0.25, 0.5, 2])
    array([-1. ,  0.5,  1. ,  1. ])
    >>> phi_z.sticks([-3, 0.25, 0.5, 2])
    array([False,  True,  True, False])
    """

    law: Law

    def __init__(self, law: Law, Z: float, *, inverse: Optional[float] = None) -> None:
        """``inverse`` is 1/Z in place of Z: K T + B of a joint, exactly."""
        self.law = law
        self._struct = _abi.PhiZ()
        self._reference = ctypes.byref(self._struct)
        given = scalar(Z if inverse is None else inverse, "Z")
        prepare = lib.phi_z_prepare if inverse is None else lib.phi_z_prepare_inverse
        verdict = prepare(self._reference, law._law, law._reference, given)
        if verdict == 1:
            raise Error(f"Z {Z!r} must be above 0, finite, and within reach of {law!r}")
        if verdict == 2:
            raise Error(
                f"Z {Z!r} is too large for {law!r}: 1/Z must exceed the steepest fall of Phi",
                Status.ILLEGAL_TIMESTEP,
            )

    @property
    def Z(self) -> float:
        """rad/s / (N m)."""
        return self._struct.Z

    @property
    def breakaway(self) -> float:
        """Phi(+0), N m."""
        return self._struct.breakaway

    @property
    def margin(self) -> float:
        """How far Z is from its limit: 1 is far, 0 the limit."""
        return self._struct.margin

    def __call__(self, x: ArrayLike) -> FloatArray:
        return self._over(lib.phi_z_array, x)

    def slope(self, x: ArrayLike) -> FloatArray:
        """dPhi_Z/dx: 1/Z while it sticks."""
        return self._over(lib.phi_z_slope_array, x)

    def sticks(self, x: ArrayLike) -> NDArray[np.bool_]:
        """Whether x is within the static torque."""
        return self._over(lib.phi_z_sticks_array, x, np.bool_)

    def _over(self, function, x: ArrayLike, kind=np.float64):  # type: ignore[no-untyped-def]
        values = numbers(x, "x")
        out = np.empty(values.shape, kind)
        function(self._reference, values.size, address(values), address(out))
        return out[()]

    def __repr__(self) -> str:
        return f"PhiZ({self.law!r}, {self.Z!r})"

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return _make_phi_z, (self.law, self._struct.inverse_Z)


def _make_phi_z(law: Law, inverse: float) -> PhiZ:
    return PhiZ(law, 1 / inverse, inverse=inverse)


def lambert_w0(z: ArrayLike) -> FloatArray:
    """The branch W0 >= -1 of w e^w = z; NaN below -1/e.

    >>> import stiction
    >>> float(stiction.lambert_w0(1.0))
    0.5671432904097838
    """
    return _lambert(lib.lambert_w0_array, z)


def lambert_wm1(z: ArrayLike) -> FloatArray:
    """The branch W-1 <= -1 of w e^w = z, for -1/e <= z < 0; NaN elsewhere."""
    return _lambert(lib.lambert_wm1_array, z)


def _lambert(function, z: ArrayLike) -> FloatArray:  # type: ignore[no-untyped-def]
    values = numbers(z, "z")
    out = np.empty(values.shape)
    function(values.size, address(values), address(out))
    return out[()]
