# SPDX-License-Identifier: MIT
"""Friction in MuJoCo 3 from Python (docs/mujoco.md): the plugin's library, and the step that solves
friction, contacts and limits together.

    import mujoco, stiction.mujoco
    mujoco.mj_loadPluginLibrary(stiction.mujoco.library_path())
    model = mujoco.MjModel.from_xml_path("robot.xml")
    data = mujoco.MjData(model)
    stiction.mujoco.step(model, data)        # instead of mujoco.mj_step(model, data)
"""
from __future__ import annotations

import ctypes
import functools
from typing import Any

from . import _abi, _library, errors

_NAME = "libstiction_mujoco.so"


def library_path() -> str:
    """The path of the plugin's library, for ``mujoco.mj_loadPluginLibrary``."""
    path = _library.find(_NAME)
    return path if path != _NAME else _library.find("mujoco_plugin/" + _NAME)


@functools.lru_cache(maxsize=None)
def _step() -> Any:
    library = _library.open_library(library_path(), ctypes.CDLL, "stiction-mujoco")
    function = _library.symbol(library, "stiction_mujoco_step")
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_abi.StictionError)]
    function.restype = ctypes.c_int
    return function


def _address(of: Any) -> int:
    """The address of an object of the package mujoco, or an address."""
    return of if isinstance(of, int) else int(of._address)


def step(model: Any, data: Any) -> None:
    """One step like ``mujoco.mj_step``, with friction, contacts and limits solved together.

    ``model`` and ``data`` are objects of the package mujoco, or the addresses of an ``mjModel`` and an
    ``mjData``.
    """
    error = errors.new_error()
    errors.check(_step()(_address(model), _address(data), ctypes.byref(error)), error)
