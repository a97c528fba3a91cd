# SPDX-License-Identifier: MIT
"""``stiction fit`` and ``stiction excite`` from Python: friction from logs, as an object."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

from .command import Path, _call, _complain, _options
from .config import Config
from .errors import Error, Status


@dataclass(frozen=True)
class FitValue:
    """A parameter of the configuration: its value, a 95 % interval (NaN: none), and whether the log
    determines it; ``why`` says why not."""

    value: float
    low: float
    high: float
    identifiable: bool
    why: str


@dataclass(frozen=True)
class HeldOut:
    """The error on data that were not used, beside that of plain Coulomb and viscous friction."""

    rms: float
    baseline_rms: float
    unit: str


@dataclass(frozen=True)
class Fit:
    """What ``stiction fit`` found for one joint; ``data`` is all of ``FIT.json``."""

    joint: str
    law: str
    parameters: Mapping[str, FitValue]
    held_out: HeldOut
    speeds: tuple[float, float]
    warnings: tuple[str, ...]
    data: Mapping[str, Any]
    yaml: str

    def __getitem__(self, parameter: str) -> float:
        return self.parameters[parameter].value

    def config(self) -> Config:
        """The friction as a configuration, for ``run`` or for your own simulator."""
        return Config.parse(self.yaml)


def _number(value: Optional[float]) -> float:
    return float("nan") if value is None else float(value)


def _fit_of(data: Mapping[str, Any], yaml: str) -> Fit:
    parameters = {
        key: FitValue(
            _number(p["value"]), _number(p["low"]), _number(p["high"]), p["identifiable"], p["why"]
        )
        for key, p in data["parameters"].items()
    }
    held = data["held_out"]
    return Fit(
        joint=data["joint"],
        law=data["law"],
        parameters=parameters,
        held_out=HeldOut(_number(held["rms"]), _number(held["baseline_rms"]), held["unit"]),
        speeds=(_number(data["speeds"][0]), _number(data["speeds"][1])),
        warnings=tuple(data["warnings"]),
        data=data,
        yaml=yaml,
    )


def fit(
    logs: Union[Path, Mapping[str, Any], Sequence[Path]],
    joint: str,
    *,
    columns: Optional[Mapping[str, str]] = None,
    hold_out: Union[None, float, Path, Sequence[Path]] = None,
    timeout: Optional[float] = None,
    **options: Any,
) -> Fit:
    """``stiction fit`` of the logs of a joint.

    ``logs`` are files, or the arrays of one log by column: ``{"time": t, "position": q, "torque": tau}``.
    ``columns`` are those of ``--columns``; other options of the command by their names:
    ``fit("log.csv", "elbow", gravity=True, robot="arm.urdf")``.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(logs, Mapping):
            log = pathlib.Path(folder) / "log.npz"
            _write(log, logs)
            paths: list[Path] = [log]
        else:
            paths = [logs] if isinstance(logs, (str, os.PathLike)) else list(logs)
        out, text = pathlib.Path(folder) / "fit.json", pathlib.Path(folder) / "fit.yaml"
        held = list(hold_out) if isinstance(hold_out, (list, tuple)) else hold_out
        arguments = ["fit", *(os.fspath(path) for path in paths), "--joint", joint]
        named = ",".join(f"{what}={name}" for what, name in columns.items()) if columns else None
        arguments += _options(json=out, out=text, columns=named, hold_out=held, **options)
        done = _call(arguments, timeout)
        if done.returncode:
            _complain(done)
        with open(out, encoding="utf-8") as file:
            return _fit_of(json.load(file), text.read_text(encoding="utf-8"))


def _write(path: pathlib.Path, columns: Mapping[str, Any]) -> None:
    import numpy

    arrays = {name: numpy.asarray(values, dtype=float) for name, values in columns.items()}
    if len({array.shape for array in arrays.values()}) > 1 or any(a.ndim != 1 for a in arrays.values()):
        raise Error("the columns of a log must be arrays of one length", Status.INVALID_ARGUMENT)
    numpy.savez(path, **arrays)
