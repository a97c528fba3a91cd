# SPDX-License-Identifier: MIT
"""libstiction_engine's functions and structs, as stiction/engine.h declares them; loaded with the first
simulation, so that everything else works without it."""
from __future__ import annotations

import ctypes
import functools
import threading
from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_size_t,
    c_uint64,
    c_void_p,
)

from . import _abi, _library
from ._handle import hold_while_forking
from ._tables import QUANTITIES

#: In ``libstiction_engine.so.1``: another one would be another ABI.
NUMBER = 1
#: Held while engines are created, so that no other thread forks meanwhile. A thread that holds it may need it
#: again, where an engine ends within a call.
CREATING = threading.RLock()
hold_while_forking(CREATING)


class EngineDef(_abi.Sized):
    _fields_ = [
        ("configuration", c_char_p),
        ("simulator", c_char_p),
        ("timestep", c_double),
        ("duration", c_double),
        ("floor", c_bool),
        ("fixed_base", c_bool),
        ("untrusted", c_bool),
        ("controllers", POINTER(c_char_p)),
        ("controller_count", c_size_t),
        ("settings", POINTER(c_char_p)),
        ("setting_count", c_size_t),
        ("targets", c_char_p),
        ("interval", c_double),
        ("log", _abi.LOG),
        ("log_user", c_void_p),
    ]


class Friction(_abi.Sized):
    _fields_ = [*((name, c_void_p) for name in QUANTITIES)]


class VectorArrays(_abi.Sized):
    _fields_ = [
        *((name, c_void_p) for name in ("time", "failed", "q", "dq", "command", "base", *QUANTITIES)),
    ]


class Body(_abi.Sized):
    _fields_ = [
        ("name", c_char_p),
        ("first_joint", c_size_t),
        ("joint_count", c_size_t),
        ("dof", c_size_t),
        ("floating", c_bool),
        ("link_count", c_size_t),
    ]


class ControllerJoint(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("prismatic", c_int),
        ("lower", c_double),
        ("upper", c_double),
        ("velocity_limit", c_double),
        ("torque_limit", c_double),
    ]


class ControllerContact(Structure):
    _fields_ = [("link", c_size_t), ("force", c_double * 3), ("torque", c_double * 3)]


class ControllerLinkState(Structure):
    _fields_ = [("position", c_double * 3), ("rotation", c_double * 4), ("bias", c_double * 6)]


_engine = c_void_p
_vector = c_void_p
_error = POINTER(_abi.StictionError)

FUNCTIONS = {
    "stiction_engine_create": (c_int, [c_char_p, POINTER(EngineDef), POINTER(_engine), _error]),
    "stiction_engine_destroy": (None, [_engine]),
    "stiction_engine_reset": (c_int, [_engine, _error]),
    "stiction_engine_step": (c_int, [_engine, c_void_p, c_void_p]),
    "stiction_engine_run": (c_int, [_engine, c_double, _error]),
    "stiction_engine_time": (c_double, [_engine]),
    "stiction_engine_timestep": (c_double, [_engine]),
    "stiction_engine_duration": (c_double, [_engine]),
    "stiction_engine_gravity": (None, [_engine, c_void_p]),
    "stiction_engine_finished": (c_bool, [_engine]),
    "stiction_engine_joint_count": (c_size_t, [_engine]),
    "stiction_engine_joint_name": (c_char_p, [_engine, c_size_t]),
    "stiction_engine_joint_at": (c_bool, [_engine, c_size_t, POINTER(ControllerJoint)]),
    "stiction_engine_q": (c_void_p, [_engine]),
    "stiction_engine_dq": (c_void_p, [_engine]),
    "stiction_engine_command": (c_void_p, [_engine]),
    "stiction_engine_look": (None, [_engine, POINTER(Friction)]),
    "stiction_engine_body_count": (c_size_t, [_engine]),
    "stiction_engine_body_at": (c_bool, [_engine, c_size_t, POINTER(Body)]),
    "stiction_engine_link_name": (c_char_p, [_engine, c_size_t, c_size_t]),
    "stiction_engine_base": (c_int, [_engine, c_size_t, c_void_p, _error]),
    "stiction_engine_mass_matrix": (c_int, [_engine, c_size_t, c_void_p, _error]),
    "stiction_engine_bias": (c_int, [_engine, c_size_t, c_void_p, _error]),
    "stiction_engine_jacobian": (c_int, [_engine, c_size_t, c_size_t, c_void_p, _error]),
    "stiction_engine_link_state": (
        c_int,
        [_engine, c_size_t, c_size_t, POINTER(ControllerLinkState), _error],
    ),
    "stiction_engine_contacts": (
        c_int,
        [_engine, c_size_t, POINTER(ControllerContact), POINTER(c_size_t), _error],
    ),
    "stiction_engine_set_joints": (c_int, [_engine, c_void_p, c_void_p, _error]),
    "stiction_engine_set_base": (c_int, [_engine, c_size_t, c_void_p, _error]),
    "stiction_engine_set_targets": (c_int, [_engine, c_void_p, _error]),
    "stiction_engine_set_parameter": (c_int, [_engine, c_char_p, c_char_p, c_double, _error]),
    "stiction_engine_set_seed": (c_int, [_engine, c_uint64, _error]),
    "stiction_engine_seed": (c_bool, [_engine, POINTER(c_uint64)]),
    "stiction_engine_parameter": (c_double, [_engine, c_size_t, c_char_p]),
    "stiction_engine_state_size": (c_size_t, [_engine]),
    "stiction_engine_save": (c_int, [_engine, c_void_p, c_size_t, _error]),
    "stiction_engine_restore": (c_int, [_engine, c_char_p, c_size_t, _error]),
    "stiction_engine_write": (c_int, [_engine, c_char_p, _error]),
    "stiction_engine_figure": (c_double, [_engine, c_size_t, c_char_p]),
    "stiction_engine_warning": (c_char_p, [_engine, c_size_t]),
    "stiction_engine_version": (c_char_p, []),
    "stiction_vector_create": (
        c_int,
        [c_char_p, POINTER(EngineDef), c_size_t, c_size_t, POINTER(_vector), _error],
    ),
    "stiction_vector_destroy": (None, [_vector]),
    "stiction_vector_engine": (_engine, [_vector, c_size_t]),
    "stiction_vector_look": (None, [_vector, POINTER(VectorArrays)]),
    "stiction_vector_step": (c_int, [_vector, c_void_p, c_size_t, _error]),
    "stiction_vector_reset": (c_int, [_vector, _error]),
}


class Functions:
    """By name without the prefix: ``engine().step``. Calls let other threads of Python run; the lock of a
    simulation keeps them out of its engine."""

    def __init__(self) -> None:
        library = _library.open_library(f"libstiction_engine.so.{NUMBER}", ctypes.CDLL, "libstiction")
        table: dict = {}
        _abi.declare(library, FUNCTIONS, table)
        for key, function in table.items():
            setattr(self, key.removeprefix("engine_"), function)
        self.library_path = library._name

    def __getattr__(self, name: str) -> ctypes._NamedFuncPointer:  # type: ignore[name-defined]
        raise AttributeError(name)


@functools.lru_cache(maxsize=None)
def engine() -> Functions:
    """The library; an ImportError lists where it was searched."""
    return Functions()


def version() -> str:
    """Of MuJoCo inside."""
    return engine().version().decode()
