# SPDX-License-Identifier: MIT
"""Joint friction that really sticks, for robot simulators.

>>> import stiction
>>> config = stiction.Config.parse('''
... stiction: 1
... joints:
...   RWRR: {law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06,
...          viscous: 4.5, stiffness: 5000, damping: 50}
... ''')
>>> model = config.model(["RWRR"], timestep=1e-3)
>>> state = model.state()
>>> state.step([0.001])                    # rad/s in, N m out, which the host subtracts
array([0.055])
>>> model.law("RWRR").phi([0.0, 1.0])      # the law over sliding velocities
array([2.5       , 4.90000012])

docs/python.md has the rest.
"""
from __future__ import annotations

import sys as _sys

try:
    import numpy as _numpy
except ImportError as _problem:
    raise ImportError(
        f"stiction needs numpy (Debian: python3-numpy), which this python has not: {_problem}"
    ) from None

from ._abi import lib as _lib
from .batch import Batch
from .command import CommandError, run, sweep
from .config import Config, edit_file
from .control import Command, Contact, Input, LinkState, RobotJoint, Setup
from .errors import Error, Status
from .fits import Fit, FitValue, HeldOut, fit
from .implicit import Constraints, Implicit, ImplicitStep, Outcome
from .joint import Joint
from .law import (
    Law,
    LawInfo,
    ListInfo,
    ParameterInfo,
    PhiZ,
    lambert_w0,
    lambert_wm1,
    laws,
    parameter_lists,
    parameters,
)
from .model import Model
from .results import Results, Series, Sweep
from .simulation import Base, Body, JointFriction, Simulation
from .state import State
from .vector import VectorSimulation
from ._tables import Step

# An error of the installation is reported here, not by the first call; but a controller of `stiction run`
# needs no library.
if "stiction.controller" not in _sys.orig_argv:
    _lib.load()


def __getattr__(name: str) -> str:
    if name == "__version__":
        version: str = _lib.version().decode()
        return version
    raise AttributeError(f"module 'stiction' has no attribute '{name}'")


__all__ = [
    "Base",
    "Batch",
    "Body",
    "Command",
    "CommandError",
    "Config",
    "Constraints",
    "Contact",
    "Error",
    "Fit",
    "FitValue",
    "HeldOut",
    "Implicit",
    "ImplicitStep",
    "Input",
    "Joint",
    "JointFriction",
    "Law",
    "LawInfo",
    "LinkState",
    "ListInfo",
    "Model",
    "Outcome",
    "ParameterInfo",
    "PhiZ",
    "Results",
    "RobotJoint",
    "Series",
    "Setup",
    "Simulation",
    "State",
    "Status",
    "Step",
    "Sweep",
    "VectorSimulation",
    "edit_file",
    "fit",
    "lambert_w0",
    "lambert_wm1",
    "laws",
    "parameter_lists",
    "parameters",
    "run",
    "sweep",
]
