# SPDX-License-Identifier: MIT
"""Implicit coupling: friction of a whole robot at once, at any time step and inertia (docs/implicit.md)."""
from __future__ import annotations

import ctypes
import dataclasses
import enum
from typing import Any, Optional, Protocol, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi, errors
from ._abi import lib
from ._arrays import FloatArray, address, numbers, scalar, vector, whole
from ._handle import Owner
from ._tables import LEVELS, Levels
from .state import State, set_inputs


class Outcome(enum.IntEnum):
    """What a step came to."""

    STUCK = 0  #: no joint slips
    SLIPPED = 1  #: some do; solved to the last digits
    FROZEN = 2  #: not converged


class Constraints(Protocol):
    """Contacts, limits and the like that are solved together with friction: a convex cost of the velocity
    after the step."""

    def evaluate(self, velocity: FloatArray) -> tuple[float, ArrayLike]:
        """The cost, N m rad/s, and its force -d cost/d velocity."""
        ...

    def curvature(self) -> ArrayLike:
        """d^2 cost/d velocity^2 at the velocity of the last evaluate, a matrix."""
        ...


@dataclasses.dataclass
class ImplicitStep(Levels):
    """The result of an implicit step; arrays have one entry per degree of freedom."""

    velocity: FloatArray  #: after the step
    friction: FloatArray  #: N m, to be subtracted
    slip: FloatArray  #: rad/s, of the bristle's foot
    deflection: FloatArray  #: rad
    slipping: NDArray[np.bool_]
    dissipated_energy: FloatArray  #: J, since the start or the last reset
    outcome: Outcome
    iterations: int
    residual: float  #: the largest |friction - Phi(slip)|, in units of F_S
    work: float  #: done against friction in this step, J
    heat: float  #: the part of it that became heat, J
    stored: float  #: in all bristles, J
    warning: Optional[str]  #: what is known not to hold in this step
    warning_dof: Optional[int]


#: The arrays of stiction_implicit_output.
_ARRAYS = ("velocity", "friction", "slip", "deflection", "slipping", "dissipated_energy", *LEVELS)


class Implicit(Owner):
    """Solves for friction and the velocity after a step together, from the mass matrix.

    >>> import stiction
    >>> config = stiction.Config.parse('''
    ... stiction: 1
    ... joints: {A: {law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 10}}
    ... ''')
    >>> state = config.model(["A"], timestep=1e-2).state()
    >>> implicit = stiction.Implicit(1, rigid=True)
    >>> implicit.add(state, [0])
    >>> step = implicit.step(mass=[[1e-4]], velocity=[0.0], force=[0.9], timestep=1e-2)
    >>> step.outcome.name, float(step.friction[0]), float(step.velocity[0])
    ('STUCK', 0.9, 0.0)
    """

    count: int

    def __init__(
        self,
        count: int,
        parent: Optional[Sequence[int]] = None,
        *,
        packed: bool = False,
        rigid: bool = False,
        constraints_later: bool = False,
    ) -> None:
        """``count`` degrees of freedom; ``parent`` of each, a smaller number or -1, where the robot is a
        tree; ``packed``: the mass matrix is stored row by row along the parents; ``rigid``: no bristles;
        ``constraints_later``: the host solves contacts after this step."""
        self.count = whole(count, "count", 1, 31)
        parents = None if parent is None else _integers(parent, self.count, "parent")
        definition = _abi.ImplicitDef(
            self.count,
            None if parents is None else address(parents),
            bool(packed),
            bool(rigid),
            bool(constraints_later),
        )
        self._create(lib.implicit_create, lib.implicit_destroy, definition)
        if packed and parents is not None:
            depth = np.zeros(self.count, int)
            for k, above in enumerate(parents):
                depth[k] = 1 + (depth[above] if above >= 0 else 0)
            self._mass_shape: tuple[int, ...] = (int(depth.sum()),)
        else:
            self._mass_shape = (self.count, self.count)
        self._states: list[State] = []

    def add(self, state: State, dof: Sequence[int]) -> None:
        """Adds the joints of a state, which the solver steps from now on; ``dof``: the degree of freedom of
        each joint, -1: none."""
        if not isinstance(state, State):
            raise TypeError(f"state must be a stiction.State, not {type(state).__name__}")
        numbers_of = _integers(dof, len(state), "dof")
        errors.call(lib.implicit_add, self._pointer, state._pointer, address(numbers_of))
        self._handle.rest_on(state._handle)
        self._states.append(state)

    def step(
        self,
        mass: ArrayLike,
        velocity: ArrayLike,
        force: ArrayLike,
        timestep: float,
        constraints: Optional[Constraints] = None,
        **inputs: Optional[ArrayLike],
    ) -> ImplicitStep:
        """One step. ``force`` is everything except friction and constraints. ``inputs`` as in
        :meth:`State.step`, with one entry per degree of freedom; ``effort`` is part of ``force`` too."""
        n = self.count
        m = numbers(mass, "mass")
        if m.shape != self._mass_shape:
            raise ValueError(f"mass has shape {m.shape}, and {self._mass_shape} is needed")
        v = vector(velocity, n, "velocity", "degree of freedom")
        f = vector(force, n, "force", "degree of freedom")
        calls = None if constraints is None else _Calls(constraints, n)
        given = _abi.ImplicitInput(
            scalar(timestep, "timestep"),
            address(m),
            address(v),
            address(f),
            None if calls is None else ctypes.pointer(calls.struct),
        )
        set_inputs(given, inputs, lambda name, array: vector(array, n, name, "degree of freedom"))
        arrays: dict[str, Any] = {
            name: np.empty(n, bool if name == "slipping" else float) for name in _ARRAYS
        }
        output = _abi.ImplicitOutput()
        for name, array in arrays.items():
            setattr(output, name, address(array))
        error = errors.new_error()
        status = lib.implicit_step(self._pointer, given, output, error)
        if calls is not None and calls.problem is not None:
            raise calls.problem
        errors.check(status, error)
        warning = output.warning.decode() if output.warning else None
        figures = ("iterations", "residual", "work", "heat", "stored")
        return ImplicitStep(
            **arrays,
            **{name: getattr(output, name) for name in figures},
            outcome=Outcome(output.outcome),
            warning=warning,
            warning_dof=output.warning_dof if warning else None,
        )

    def reset(self) -> None:
        """Forgets all steps: for a new run from states that were reset."""
        lib.implicit_reset(self._pointer)

    @property
    def steps(self) -> int:
        """The number of steps since the start or the last reset."""
        return lib.implicit_steps(self._pointer)

    @property
    def frozen(self) -> int:
        """How many of them did not converge."""
        return lib.implicit_frozen(self._pointer)


class _Calls:
    """Python constraints as C functions; their exceptions are raised after the step."""

    def __init__(self, constraints: Constraints, count: int) -> None:
        self.problem: Optional[BaseException] = None

        def evaluate(_user, velocity, force):  # type: ignore[no-untyped-def]
            out = np.ctypeslib.as_array(force, (count,))
            try:
                if self.problem is None:
                    at = np.ctypeslib.as_array(velocity, (count,)).copy()
                    cost, forces = constraints.evaluate(at)
                    out[:] = vector(forces, count, "the force of constraints", "degree of freedom")
                    return scalar(cost, "the cost of constraints")
            except BaseException as problem:
                self.problem = problem
            out[:] = 0
            return 0.0

        def curvature(_user, matrix):  # type: ignore[no-untyped-def]
            try:
                if self.problem is None:
                    added = numbers(constraints.curvature(), "the curvature of constraints")
                    if added.shape != (count, count):
                        raise ValueError(
                            f"the curvature of constraints has shape {added.shape}, and "
                            f"{(count, count)} is needed"
                        )
                    out = np.ctypeslib.as_array(matrix, (count, count))
                    out += np.tril(added)
            except BaseException as problem:
                self.problem = problem

        self.struct = _abi.Constraints(None, _abi.EVALUATE(evaluate), _abi.CURVATURE(curvature))


def _integers(values: Sequence[int], count: int, name: str) -> NDArray[np.intc]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be whole numbers, not {array.dtype}")
    if array.shape != (count,):
        raise ValueError(f"{name} has shape {array.shape}, and ({count},) is needed")
    if array.size and (array.min() < -1 or array.max() >= 2**31):
        raise ValueError(f"{name} must be -1 or a number of a degree of freedom")
    return np.ascontiguousarray(array, np.intc)
