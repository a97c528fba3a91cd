# SPDX-License-Identifier: MIT
"""A state: the memory of all joints in one run, and the step that updates it."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi, errors
from ._abi import lib
from ._arrays import FloatArray, address, result, scalar, vector, whole
from ._handle import Owner
from ._tables import INPUTS, Step
from .joint import Joint, from_c, to_c
from .model import Model


def set_inputs(
    struct: ctypes.Structure,
    inputs: Mapping[str, Optional[ArrayLike]],
    check: Callable[[str, Any], FloatArray],
) -> None:
    """Sets the arrays of an input struct, which keeps them alive."""
    unknown = inputs.keys() - set(INPUTS)
    if unknown:
        raise TypeError(f"{min(unknown)!r} is not an input of friction; these are: {', '.join(INPUTS)}")
    arrays = {name: check(name, array) for name, array in inputs.items() if array is not None}
    for name, array in arrays.items():
        setattr(struct, name, address(array))
    struct.kept = arrays  # type: ignore[attr-defined]


class State(Owner):
    """One run. A state belongs to one thread at a time; it keeps its model.

    >>> import stiction
    >>> config = stiction.Config.parse('''
    ... stiction: 1
    ... joints: {A: {law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 0}}
    ... ''')
    >>> state = config.model(["A"], timestep=1e-3).state()
    >>> state.step([0.5])                  # the bristle bends
    array([0.5])
    >>> state.step([5.0])                  # and slips
    array([1.])
    >>> before = state.save()
    >>> state.step_full([0.0]).slipping, state.total_faults
    (array([False]), 0)
    >>> state.restore(before)
    """

    model: Model

    def __init__(self, model: Model) -> None:
        self._error = errors.new_error()  # of steps, which are frequent
        self._error_reference = ctypes.byref(self._error)
        self._create(lib.state_create, lib.state_destroy, model._pointer, parents=[model._handle])
        self.model = model
        self._count = len(model)
        self._timestep = model.timestep

    def __len__(self) -> int:
        return self._count

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        errors.call(function, self._pointer, *arguments)

    # ---- stepping ----

    def step(
        self,
        velocity: ArrayLike,
        out: Optional[np.ndarray] = None,
        *,
        timestep: Optional[float] = None,
        **inputs: Optional[ArrayLike],
    ) -> FloatArray:
        """One step from the velocity at its start, rad/s: the friction torque, N m, which the host
        subtracts. ``out`` receives the torque instead of a new array. A velocity that is not finite gives 0,
        leaves the bristle as it was, and counts as a fault. For joints whose friction depends on them (see
        :attr:`needs`), ``inputs`` are ``effort`` (torque of the motor), ``position``, ``external_torque``
        (all other torques except friction) and ``temperature``, with one entry per joint."""
        count = self._count
        v = vector(velocity, count, "velocity")
        torque = result(out, (count,))
        if inputs:
            given = self._input(v, timestep, inputs)
            self._call(lib.step_full, given, _abi.Output(address(torque)))
            return torque
        seconds = self._timestep if timestep is None else scalar(timestep, "timestep")
        status = lib.step(
            self._pointer, seconds, address(v), address(torque), self._error_reference
        )
        if status or errors.pending:
            errors.check(status, self._error)
        return torque

    def step_full(
        self,
        velocity: ArrayLike,
        *,
        timestep: Optional[float] = None,
        **inputs: Optional[ArrayLike],
    ) -> Step:
        """A step with all of its outputs. ``inputs`` as in :meth:`step`."""
        return self._full(lib.step_full, velocity, timestep, inputs)

    def trial(
        self,
        velocity: ArrayLike,
        *,
        timestep: Optional[float] = None,
        **inputs: Optional[ArrayLike],
    ) -> Step:
        """What :meth:`step_full` would give, without changing the state: for integrators with stages."""
        return self._full(lib.trial, velocity, timestep, inputs)

    def _input(
        self, velocity: FloatArray, timestep: Optional[float], inputs: Mapping[str, Optional[ArrayLike]]
    ) -> _abi.Input:
        seconds = self._timestep if timestep is None else scalar(timestep, "timestep")
        given = _abi.Input(seconds, address(velocity))
        set_inputs(given, inputs, lambda name, array: vector(array, self._count, name))
        return given

    def _full(self, function, velocity, timestep, inputs) -> Step:  # type: ignore[no-untyped-def]
        count = self._count
        v = vector(velocity, count, "velocity")
        step = Step(*(np.empty(count, bool if key == "slipping" else float) for key in Step._fields))
        output = _abi.Output()
        for key, array in zip(Step._fields, step):
            setattr(output, key, address(array))
        self._call(function, self._input(v, timestep, inputs), output)
        return step

    def compensate(
        self,
        velocity: ArrayLike,
        *,
        start: Optional[ArrayLike] = None,
        share: float = 0.8,
        edge: float = 0.0015,
        **inputs: Optional[ArrayLike],
    ) -> FloatArray:
        """The torque, N m, that a controller adds against friction: ``share`` of what the law expects at the
        **desired** velocity, rad/s; never pass the measured one. ``start``, -1 to 1: the direction in which a
        joint at rest is to start; it then gets its breakaway torque. Around 0 the torque changes smoothly
        over the velocity ``edge``, rad/s. ``inputs`` as in :meth:`step`. The state does not change.

        >>> import stiction
        >>> config = stiction.Config.parse('''
        ... stiction: 1
        ... joints: {A: {law: coulomb, coulomb_torque: 1, viscous: 2, stiffness: 1000, damping: 0}}
        ... ''')
        >>> state = config.model(["A"], timestep=1e-3).state()
        >>> state.compensate([0.0])
        array([0.])
        >>> state.compensate([0.0], start=[-1])
        array([-0.8])
        >>> state.compensate([0.5], start=[1], share=1)
        array([2.])
        """
        v = vector(velocity, self._count, "velocity")
        desired = _abi.Compensation(scalar(share, "share"), scalar(edge, "edge"), address(v))
        at_start = None if start is None else vector(start, self._count, "start")
        if at_start is not None:
            desired.start = address(at_start)
        set_inputs(desired, inputs, lambda name, array: vector(array, self._count, name))
        torque = np.empty(self._count)
        self._call(lib.compensate, desired, address(torque))
        return torque

    @property
    def needs(self) -> frozenset[str]:
        """The inputs that steps require besides the velocity: "effort", "position", "external_torque"."""
        bits = lib.state_needs(self._pointer)
        return frozenset(name for k, name in enumerate(INPUTS) if bits >> k & 1)

    def rate(
        self, velocity: ArrayLike, deflection: ArrayLike, tau: float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """Torque and deflection rate, for integrators that carry the deflections themselves; ``tau``, s,
        is how far the stage looks ahead."""
        v = vector(velocity, self._count, "velocity")
        z = vector(deflection, self._count, "deflection")
        torque, change = np.empty(self._count), np.empty(self._count)
        arrays = (address(array) for array in (v, z, torque, change))
        self._call(lib.rate, scalar(tau, "tau"), *arrays)
        return torque, change

    # ---- joints ----

    def joint(self, joint: Union[str, int]) -> Joint:
        """The friction that a joint has now."""
        struct = _abi.JointDef.default()
        number = self.model.index(joint)
        self._call(lib.state_joint, number, struct)
        return from_c(struct)

    def set_joint(
        self, joint: Union[str, int], to: Optional[Joint] = None, **values: Any
    ) -> None:
        """Changes a joint from the next step on: to another Joint, or
        ``state.set_joint("RWRR", viscous=4)``. The bristle keeps its torque."""
        number = self.model.index(joint)
        struct = to_c((to or self.joint(number)).replace(**values))
        self._call(lib.state_set_joint, number, struct)

    def draw(self, sample: int) -> None:
        """Gives all joints that are drawn the parameters of another sample; bristles keep their torques.
        :meth:`reset` goes back to the sample of the model."""
        self._call(lib.state_draw, whole(sample, "sample"))

    # ---- memory ----

    @property
    def deflections(self) -> FloatArray:
        """Of all bristles, rad; may be set."""
        array = np.empty(self._count)
        self._call(lib.state_get_deflections, address(array))
        return array

    @deflections.setter
    def deflections(self, value: ArrayLike) -> None:
        array = vector(value, self._count, "deflections")
        self._call(lib.state_set_deflections, address(array))

    @property
    def memory(self) -> FloatArray:
        """Everything that steps change, as numbers; all zeros is rest; may be set."""
        array = np.empty(lib.state_memory_size(self._pointer))
        self._call(lib.state_get_memory, address(array))
        return array

    @memory.setter
    def memory(self, value: ArrayLike) -> None:
        array = vector(value, lib.state_memory_size(self._pointer), "memory", "number")
        self._call(lib.state_set_memory, address(array))

    @property
    def faults(self) -> NDArray[np.uint64]:
        """How often each joint was given a velocity or effort that cannot be used."""
        counts = [lib.state_faults(self._pointer, k) for k in range(self._count)]
        return np.array(counts, np.uint64)

    @property
    def total_faults(self) -> int:
        """All joints together."""
        return lib.state_total_faults(self._pointer)

    def reset(self) -> None:
        """Returns to rest, with the model's parameters and no faults."""
        self._call(lib.state_reset)

    def copy(self) -> State:
        """A copy, for simulations that branch."""
        other = State(self.model)
        other.copy_from(self)
        return other

    def copy_from(self, other: State) -> None:
        """Copies the other state; both belong to the same model."""
        self._call(lib.state_copy, other._pointer)

    def save(self) -> bytes:
        """As bytes, for :meth:`restore`: for the same version and a model of the same joints."""
        size = lib.state_buffer_size(self._pointer)
        buffer = ctypes.create_string_buffer(size)
        self._call(lib.state_save, buffer, size)
        return buffer.raw

    def restore(self, saved: bytes) -> None:
        """Restores a saved state; invalid bytes are refused, and nothing changes."""
        raw = bytes(saved)
        self._call(lib.state_restore, raw, len(raw))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, _: Any) -> State:
        return self.copy()

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return _make_state, (self.model, self.save())

    def __repr__(self) -> str:
        return f"<stiction.State of {self._count} joints>"


def _make_state(model: Model, saved: bytes) -> State:
    state = State(model)
    state.restore(saved)
    return state

