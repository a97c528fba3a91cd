# SPDX-License-Identifier: MIT
"""Quantities, inputs and parameters of joints.

Written by `ninja python-tables` from the lists of the C headers; do not edit.
"""
from __future__ import annotations

import dataclasses
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ._arrays import FloatArray

#: STICTION_JOINT_QUANTITIES with the types of their entries.
QUANTITIES = {
    "torque": float, "deflection": float, "dissipated_energy": float, "slipping": bool,
    "external_torque": float, "temperature": float, "static_level": float, "coulomb_level": float,
}
#: STICTION_JOINT_LEVELS.
LEVELS = (
    "temperature", "static_level", "coulomb_level",
)
#: STICTION_JOINT_INPUTS, in the order of stiction_input.
INPUTS = (
    "effort", "position", "external_torque", "temperature",
)
#: The figures of a joint in summary.json.
FIGURES = (
    "final_position", "stop_time", "stick_slip_events", "peak_torque", "final_torque",
    "tracking_error", "dissipated_energy", "creep", "rms_tracking_error", "target_range",
    "overshoot", "settling_time", "hunting_amplitude", "hunting_period", "reversals",
    "compensation_energy", "longest_stick", "peak_temperature", "least_level", "peak_level",
)
#: The fields of stiction_joint_def with their sizes, in order.
JOINT_FIELDS = {
    "static_torque": 1, "coulomb_torque": 1, "stribeck_velocity": 1, "stribeck_exponent": 1,
    "viscous": 1, "stiffness": 1, "damping": 1, "stick_velocity": 1, "elastic_limit": 1,
    "bristle_spacing": 1, "bristle_stiffness": 1, "bristle_height": 1, "bristle_length": 1,
    "body_length": 1, "angle_scale": 1, "min_angle": 1, "max_angle": 1, "inertia": 1,
    "viscous_exponent": 1, "load_motor": 1, "load_external": 1, "load_motor_static": 1,
    "load_external_static": 1, "load_limit": 1, "temperature": 1, "reference_temperature": 1,
    "temperature_level": 1, "temperature_viscous": 1, "ambient_temperature": 1,
    "thermal_resistance": 1, "thermal_time": 1, "ripple": 1, "ripple_count": 1, "ripple_phase": 1,
    "reverse_factor": 1, "lag": 1, "presliding_torque": 8, "presliding_stiffness": 8,
    "reverse_viscous_factor": 1,
}
#: The parameters that are lists.
LISTS = (
    "presliding_torque", "presliding_stiffness",
)
#: The parameters of a law: stiction_law_parameters.
LAW_PARAMETERS = (
    "static_torque", "coulomb_torque", "stribeck_velocity", "stribeck_exponent", "viscous",
    "viscous_exponent",
)


@dataclasses.dataclass(frozen=True)
class Parameters:
    """The friction law of a joint and its parameters; None: not given."""

    law: str = "none"
    static_torque: Optional[float] = None  #: N m, static torque
    coulomb_torque: Optional[float] = None  #: N m, Coulomb torque: sliding friction without viscosity
    stribeck_velocity: Optional[float] = None  #: rad/s, velocity scale of the fall from static to Coulomb torque
    stribeck_exponent: Optional[float] = None  #: exponent of that fall; 1 has a closed form
    viscous: Optional[float] = None  #: N m s/rad, viscous friction coefficient
    viscous_exponent: Optional[float] = None  #: exponent of D v^p with v in rad/s; 1 has a closed form
    stiffness: Optional[float] = None  #: N m/rad, of the bristle
    damping: Optional[float] = None  #: N m s/rad, of the bristle
    stick_velocity: Optional[float] = None  #: rad/s, velocity below which the model is at rest
    elastic_limit: Optional[float] = None  #: rad, largest purely elastic deflection
    bristle_spacing: Optional[float] = None  #: rad, distance between bristles
    bristle_stiffness: Optional[float] = None  #: N m/rad, stiffness of a bristle's torsion spring
    bristle_height: Optional[float] = None  #: m, height of the body above the bristle bases
    bristle_length: Optional[float] = None  #: m, length of a bristle
    body_length: Optional[float] = None  #: m, length of the sliding body
    angle_scale: Optional[float] = None  #: mean pivot angle per deflection
    min_angle: Optional[float] = None  #: rad, mean pivot angle at high velocity
    max_angle: Optional[float] = None  #: rad, mean pivot angle at rest
    inertia: Optional[float] = None  #: kg m^2, inertia of the joint, for the customizer; 0: unknown
    load_motor: Optional[float] = None  #: friction per motor torque
    load_external: Optional[float] = None  #: friction per external torque
    load_motor_static: Optional[float] = None  #: additional static friction per motor torque
    load_external_static: Optional[float] = None  #: additional static friction per external torque
    load_limit: Optional[float] = None  #: N m, torques are clamped to this value
    temperature: Optional[float] = None  #: deg C, initial temperature; a host may set it
    reference_temperature: Optional[float] = None  #: deg C, temperature for which the other values are valid
    temperature_level: Optional[float] = None  #: 1/K, relative increase of static and Coulomb torque
    temperature_viscous: Optional[float] = None  #: 1/K, exponential decrease of viscosity
    ambient_temperature: Optional[float] = None  #: deg C, temperature of the surroundings
    thermal_resistance: Optional[float] = None  #: K/W, thermal resistance to the surroundings; 0: no heating
    thermal_time: Optional[float] = None  #: s, thermal time constant; needed with thermal_resistance
    ripple: Optional[float] = None  #: share of the torque that varies with position
    ripple_count: Optional[float] = None  #: periods per turn of the joint
    ripple_phase: Optional[float] = None  #: rad, phase of the ripple
    reverse_factor: Optional[float] = None  #: ratio of backward to forward friction
    lag: Optional[float] = None  #: s, time constant of the level; 0: no lag
    reverse_viscous_factor: Optional[float] = None  #: ratio of backward to forward viscous friction; auto: reverse_factor
    presliding_torque: Optional[tuple[float, ...]] = None  #: N m, slip torques of additional elements
    presliding_stiffness: Optional[tuple[float, ...]] = None  #: N m/rad, stiffness of these elements


@dataclasses.dataclass(frozen=True)
class Quantities:
    """Friction in a step, one entry per joint."""

    torque: FloatArray  #: N m, friction, to be subtracted from the joint torque
    deflection: FloatArray  #: rad, of the bristle
    dissipated_energy: FloatArray  #: J, since the start or the last reset
    slipping: NDArray[np.bool_]  #: 1: slips, 0: sticks
    external_torque: FloatArray  #: N m, of gravity, contacts and pushes, where friction reads it
    temperature: FloatArray  #: deg C, at the start of the step
    static_level: FloatArray  #: N m, F_S with load, temperature, ripple, direction and lag
    coulomb_level: FloatArray  #: N m, F_C, likewise


@dataclasses.dataclass
class Levels:
    """What friction depends on in a step, one entry per joint."""

    temperature: FloatArray  #: deg C, at the start of the step
    static_level: FloatArray  #: N m, F_S with load, temperature, ripple, direction and lag
    coulomb_level: FloatArray  #: N m, F_C, likewise


class Step(NamedTuple):
    """The outputs of a step of a state, one entry per joint."""

    torque: FloatArray  #: N m, friction, to be subtracted from the joint torque
    deflection: FloatArray  #: rad, of the bristle
    slope: FloatArray  #: N m s/rad, d torque/d velocity
    slipping: NDArray[np.bool_]
    dissipated_energy: FloatArray  #: J, since the start or the last reset
    temperature: FloatArray  #: deg C, at the start of the step
    static_level: FloatArray  #: N m, F_S with load, temperature, ripple, direction and lag
    coulomb_level: FloatArray  #: N m, F_C, likewise
