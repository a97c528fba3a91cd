# SPDX-License-Identifier: MIT
"""libstiction's functions and structs, as capi/include/stiction/*.h declares them.

Structs that may grow begin with their size, so that a later library reads only the fields we know. None of
them is returned by value, since it could be larger in a later library.
"""
from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from typing import Any

from . import _library
from ._tables import INPUTS, JOINT_FIELDS, LAW_PARAMETERS, LEVELS


class Sized(Structure):
    """A struct that begins with its size."""

    _fields_: Any = [("size", c_size_t)]

    def __init__(self, *values: Any, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), *values, **fields)


class StictionError(Structure):
    _fields_ = [
        ("status", c_int),
        ("line", c_int),
        ("column", c_int),
        ("path", c_char * 512),
        ("message", c_char * 1024),
    ]


class JointDef(Sized):
    _fields_ = [
        ("law", c_char_p),
        *((key, c_double if count == 1 else c_double * count) for key, count in JOINT_FIELDS.items()),
    ]

    @classmethod
    def default(cls) -> JointDef:
        struct, nan = cls(), float("nan")
        for key, count in JOINT_FIELDS.items():
            setattr(struct, key, nan if count == 1 else (c_double * count)(*[nan] * count))
        return struct


class LawParameters(Structure):
    _fields_ = [(key, c_double) for key in LAW_PARAMETERS]


class ParameterInfo(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("symbol", c_char_p),
        ("unit", c_char_p),
        ("description", c_char_p),
        ("minimum", c_double),
        ("exclusive", c_bool),
        ("fallback", c_double),
        ("offset", c_size_t),
    ]


class ListInfo(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("symbol", c_char_p),
        ("unit", c_char_p),
        ("description", c_char_p),
        ("most", c_size_t),
        ("offset", c_size_t),
    ]


class LawInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("reference", c_bool),
        ("needs_effort", c_bool),
        ("parameters", c_uint64),
    ]


class PhiZ(Structure):
    _fields_ = [
        ("law", c_void_p),
        ("parameters", LawParameters),
        ("Z", c_double),
        ("inverse_Z", c_double),
        ("breakaway", c_double),
        ("margin", c_double),
        ("coefficients", c_double * 6),
    ]


LOG = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)


class ModelDef(Sized):
    _fields_ = [
        ("timestep", c_double),
        ("strict", c_bool),
        ("log", LOG),
        ("log_user", c_void_p),
        ("partial", c_bool),
        ("sample", c_uint64),
    ]


class Override(Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]


def _arrays(*names: str) -> list[tuple[str, type[c_void_p]]]:
    return [(name, c_void_p) for name in names]


#: The inputs in the order of the structs that have the position first.
_POSITION_FIRST = ("position", "effort", *INPUTS[2:])


class Input(Sized):
    _fields_ = [("timestep", c_double), *_arrays("velocity", *INPUTS)]


class Compensation(Sized):
    _fields_ = [
        ("share", c_double),
        ("edge", c_double),
        *_arrays("velocity", "start", *_POSITION_FIRST),
    ]


class Output(Sized):
    _fields_ = [
        *_arrays("torque", "deflection", "slope", "slipping", "dissipated_energy", "memory", *LEVELS),
    ]


class BatchDef(Sized):
    _fields_ = [
        ("timestep", c_double),
        ("threads", c_size_t),
        ("environment_major", c_bool),
        ("same_sample", c_bool),
    ]


class Distribution(Structure):
    _fields_ = [("kind", c_int), ("first", c_double), ("second", c_double)]


class ImplicitDef(Sized):
    _fields_ = [
        ("count", c_size_t),
        ("parent", c_void_p),
        ("packed", c_bool),
        ("rigid", c_bool),
        ("constraints_later", c_bool),
    ]


EVALUATE = ctypes.CFUNCTYPE(c_double, c_void_p, POINTER(c_double), POINTER(c_double))
CURVATURE = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_double))


class Constraints(Structure):
    _fields_ = [("user", c_void_p), ("evaluate", EVALUATE), ("curvature", CURVATURE)]


class ImplicitInput(Sized):
    _fields_ = [
        ("timestep", c_double),
        *_arrays("mass", "velocity", "force"),
        ("constraints", POINTER(Constraints)),
        *_arrays(*_POSITION_FIRST),
    ]


class ImplicitOutput(Sized):
    _fields_ = [
        *_arrays("velocity", "friction", "slip", "deflection", "slipping", "dissipated_energy"),
        ("outcome", c_int),
        ("iterations", c_int),
        ("residual", c_double),
        ("work", c_double),
        ("heat", c_double),
        ("stored", c_double),
        ("warning", c_char_p),
        ("warning_dof", c_size_t),
        *_arrays(*LEVELS),
    ]


_pointer = c_void_p
_error = POINTER(StictionError)
_names = POINTER(c_char_p)
_def = POINTER(JointDef)
_curve = [_pointer, POINTER(LawParameters)]
_values = [POINTER(Override), c_size_t, _names, c_size_t, _pointer]

#: name: (what it returns, what it takes)
FUNCTIONS = {
    "stiction_version": (c_char_p, []),
    "stiction_status_name": (c_char_p, [c_int]),
    # configurations
    "stiction_config_create": (_pointer, []),
    "stiction_config_destroy": (None, [_pointer]),
    "stiction_config_set_timestep": (c_int, [_pointer, c_double, _error]),
    "stiction_config_timestep": (c_double, [_pointer]),
    "stiction_config_add_joint": (c_int, [_pointer, c_char_p, _def, _error]),
    "stiction_config_joint_count": (c_size_t, [_pointer]),
    "stiction_config_joint_at": (c_char_p, [_pointer, c_size_t, _def]),
    "stiction_config_find_joint": (c_char_p, [_pointer, c_char_p, _def]),
    "stiction_config_set_strict": (None, [_pointer, c_bool]),
    "stiction_config_strict": (c_bool, [_pointer]),
    "stiction_coupling_name": (c_char_p, [c_int]),
    "stiction_config_set_coupling": (None, [_pointer, c_int]),
    "stiction_config_coupling": (c_int, [_pointer]),
    "stiction_element_choice_name": (c_char_p, [c_int]),
    "stiction_config_set_element": (None, [_pointer, c_int]),
    "stiction_config_element": (c_int, [_pointer]),
    "stiction_config_add_model": (c_int, [_pointer, c_char_p, _error]),
    "stiction_config_model_count": (c_size_t, [_pointer]),
    "stiction_config_model_at": (c_char_p, [_pointer, c_size_t]),
    "stiction_config_is_for": (c_bool, [_pointer, c_char_p, _names, c_size_t]),
    # files
    "stiction_errors_create": (_pointer, []),
    "stiction_errors_destroy": (None, [_pointer]),
    "stiction_errors_count": (c_size_t, [_pointer]),
    "stiction_errors_at": (_error, [_pointer, c_size_t]),
    "stiction_config_load": (c_int, [c_char_p, POINTER(_pointer), _pointer]),
    "stiction_config_parse": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(_pointer), _pointer]),
    "stiction_config_override": (c_int, [_pointer, *_values]),
    "stiction_config_edit_file": (c_int, [c_char_p, *_values]),
    "stiction_config_check": (c_int, [_pointer, _names, c_size_t, c_double, _pointer]),
    "stiction_config_write": (_pointer, [_pointer]),
    "stiction_model_write": (_pointer, [_pointer]),
    "stiction_free": (None, [_pointer]),
    # joints and laws
    "stiction_parameter_count": (c_size_t, []),
    "stiction_parameter_at": (c_bool, [c_size_t, POINTER(ParameterInfo)]),
    "stiction_parameter_range": (c_bool, [c_size_t, POINTER(c_double), POINTER(c_double)]),
    "stiction_list_at": (c_bool, [c_size_t, POINTER(ListInfo)]),
    "stiction_law_info_count": (c_size_t, []),
    "stiction_law_info_at": (c_bool, [c_size_t, POINTER(LawInfo)]),
    "stiction_law_info_find": (c_bool, [c_char_p, POINTER(LawInfo)]),
    "stiction_joint_def_check": (c_int, [c_char_p, _def, c_double, _error]),
    "stiction_law_find": (_pointer, [c_char_p]),
    "stiction_law_in_domain": (c_bool, _curve),
    "stiction_phi_z_prepare": (c_int, [POINTER(PhiZ), *_curve, c_double]),
    "stiction_phi_z_prepare_inverse": (c_int, [POINTER(PhiZ), *_curve, c_double]),
    "stiction_phi_array": (None, [*_curve, c_size_t, c_void_p, c_void_p]),
    "stiction_phi_slope_array": (None, [*_curve, c_size_t, c_void_p, c_void_p]),
    "stiction_phi_work_array": (None, [*_curve, c_size_t, c_void_p, c_void_p, c_void_p]),
    "stiction_phi_z_array": (None, [POINTER(PhiZ), c_size_t, c_void_p, c_void_p]),
    "stiction_phi_z_sticks_array": (None, [POINTER(PhiZ), c_size_t, c_void_p, c_void_p]),
    "stiction_phi_z_slope_array": (None, [POINTER(PhiZ), c_size_t, c_void_p, c_void_p]),
    "stiction_lambert_w0_array": (None, [c_size_t, c_void_p, c_void_p]),
    "stiction_lambert_wm1_array": (None, [c_size_t, c_void_p, c_void_p]),
    # models and states
    "stiction_model_create": (
        c_int,
        [_pointer, _names, c_size_t, POINTER(ModelDef), POINTER(_pointer), _error],
    ),
    "stiction_model_destroy": (None, [_pointer]),
    "stiction_model_joint_count": (c_size_t, [_pointer]),
    "stiction_model_timestep": (c_double, [_pointer]),
    "stiction_model_joint_name": (c_char_p, [_pointer, c_size_t]),
    "stiction_model_joint": (c_int, [_pointer, c_size_t, _def, _error]),
    "stiction_state_create": (c_int, [_pointer, POINTER(_pointer), _error]),
    "stiction_state_destroy": (None, [_pointer]),
    "stiction_state_reset": (c_int, [_pointer, _error]),
    "stiction_state_copy": (c_int, [_pointer, _pointer, _error]),
    "stiction_state_buffer_size": (c_size_t, [_pointer]),
    "stiction_state_save": (c_int, [_pointer, c_void_p, c_size_t, _error]),
    "stiction_state_restore": (c_int, [_pointer, c_char_p, c_size_t, _error]),
    "stiction_step": (c_int, [_pointer, c_double, c_void_p, c_void_p, c_void_p]),
    "stiction_step_full": (c_int, [_pointer, POINTER(Input), POINTER(Output), _error]),
    "stiction_trial": (c_int, [_pointer, POINTER(Input), POINTER(Output), _error]),
    "stiction_state_needs": (c_uint, [_pointer]),
    "stiction_compensate": (c_int, [_pointer, POINTER(Compensation), c_void_p, _error]),
    "stiction_rate": (c_int, [_pointer, c_double, c_void_p, c_void_p, c_void_p, c_void_p, _error]),
    "stiction_state_set_joint": (c_int, [_pointer, c_size_t, _def, _error]),
    "stiction_state_joint": (c_int, [_pointer, c_size_t, _def, _error]),
    "stiction_state_get_deflections": (c_int, [_pointer, c_void_p, _error]),
    "stiction_state_set_deflections": (c_int, [_pointer, c_void_p, _error]),
    "stiction_state_memory_size": (c_size_t, [_pointer]),
    "stiction_state_get_memory": (c_int, [_pointer, c_void_p, _error]),
    "stiction_state_set_memory": (c_int, [_pointer, c_void_p, _error]),
    "stiction_state_faults": (c_uint64, [_pointer, c_size_t]),
    "stiction_state_total_faults": (c_uint64, [_pointer]),
    # batches
    "stiction_batch_create": (c_int, [_pointer, c_size_t, POINTER(BatchDef), POINTER(_pointer), _error]),
    "stiction_batch_destroy": (None, [_pointer]),
    "stiction_step_batch": (c_int, [_pointer, c_double, c_void_p, c_void_p, c_void_p]),
    "stiction_step_batch_full": (c_int, [_pointer, POINTER(Input), c_void_p, _error]),
    "stiction_batch_reset": (c_int, [_pointer, _error]),
    "stiction_batch_reset_environment": (c_int, [_pointer, c_size_t, _error]),
    "stiction_batch_set_joint": (c_int, [_pointer, c_size_t, c_size_t, _def, _error]),
    "stiction_batch_joint": (c_int, [_pointer, c_size_t, c_size_t, _def, _error]),
    "stiction_batch_get_deflections": (c_int, [_pointer, c_void_p, _error]),
    "stiction_batch_set_deflections": (c_int, [_pointer, c_void_p, _error]),
    "stiction_batch_faults": (c_uint64, [_pointer, c_size_t, c_size_t]),
    "stiction_batch_total_faults": (c_uint64, [_pointer]),
    # what is drawn
    "stiction_distribution_name": (c_char_p, [c_int]),
    "stiction_config_set_seed": (c_int, [_pointer, c_uint64, _error]),
    "stiction_config_seed": (c_uint64, [_pointer]),
    "stiction_config_distribution": (c_bool, [_pointer, c_size_t, c_size_t, POINTER(Distribution)]),
    "stiction_config_is_random": (c_bool, [_pointer]),
    "stiction_config_draw": (c_int, [_pointer, c_char_p, c_uint64, c_double, _def, _error]),
    "stiction_model_seed": (c_uint64, [_pointer]),
    "stiction_model_joint_is_random": (c_bool, [_pointer, c_size_t]),
    "stiction_state_draw": (c_int, [_pointer, c_uint64, _error]),
    "stiction_batch_draw": (c_int, [_pointer, c_size_t, c_uint64, _error]),
    # implicit coupling
    "stiction_implicit_create": (c_int, [POINTER(ImplicitDef), POINTER(_pointer), _error]),
    "stiction_implicit_destroy": (None, [_pointer]),
    "stiction_implicit_add": (c_int, [_pointer, _pointer, c_void_p, _error]),
    "stiction_implicit_reset": (None, [_pointer]),
    "stiction_implicit_step": (c_int, [_pointer, POINTER(ImplicitInput), POINTER(ImplicitOutput), _error]),
    "stiction_implicit_steps": (c_uint64, [_pointer]),
    "stiction_implicit_frozen": (c_uint64, [_pointer]),
    "stiction_implicit_frozen_at": (c_size_t, [_pointer]),
    "stiction_implicit_memory_size": (c_size_t, [_pointer]),
    "stiction_implicit_get_memory": (c_int, [_pointer, c_void_p, _error]),
    "stiction_implicit_set_memory": (c_int, [_pointer, c_void_p, _error]),
}

#: Functions that take long or use threads release the interpreter's lock; a lock of their own guards the
#: object. All others keep it: two threads in one state would be undefined behaviour in C.
RELEASING = ("stiction_config_load", "stiction_step_batch", "stiction_step_batch_full")


def declare(library: ctypes.CDLL, names: dict, into: dict) -> None:
    """Sets the types of functions of a library from the table."""
    for name, (returns, takes) in names.items():
        function = _library.symbol(library, name)
        function.restype = returns
        function.argtypes = takes
        into[name.removeprefix("stiction_")] = function


class _Functions:
    """The functions by name without the prefix: ``lib.config_load``; loaded with the first of them."""

    path: str

    def load(self) -> None:
        path = "libstiction.so.%d" % _library.ABI_VERSION
        holding = _library.open_library(path, ctypes.PyDLL, "libstiction")
        _library.check_version(holding, holding._name)
        releasing = ctypes.CDLL(holding._name)
        table = {name: FUNCTIONS[name] for name in RELEASING}
        declare(releasing, table, self.__dict__)
        table = {name: types for name, types in FUNCTIONS.items() if name not in RELEASING}
        declare(holding, table, self.__dict__)
        self.path = holding._name

    def __getattr__(self, name: str) -> ctypes._NamedFuncPointer:  # type: ignore[name-defined]
        if name.startswith("_") or "path" in self.__dict__:
            raise AttributeError(name)
        self.load()
        return getattr(self, name)


lib = _Functions()
