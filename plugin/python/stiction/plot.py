# SPDX-License-Identifier: MIT
"""Drawings with matplotlib (Debian: python3-matplotlib). Every function draws into ``axes`` and returns them;
None: new ones."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from .law import Law
from .results import Results, Sweep

_UNITS = {"position": "rad", "velocity": "rad/s", "command": "N m", "friction_torque": "N m"}


def _axes(axes: Any, count: int = 1) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot  # type: ignore[import] # pylint: disable=import-outside-toplevel
    except ImportError as problem:
        raise ImportError(
            f"stiction.plot needs matplotlib (Debian: python3-matplotlib), which is missing: {problem}"
        ) from None
    return pyplot.subplots(count, sharex=True, squeeze=False)[1][:, 0] if count > 1 else pyplot.subplots()[1]


def law(curve: Law, velocity: Optional[ArrayLike] = None, axes: Any = None) -> Any:
    """The torque of a law over the sliding velocity, rad/s: ``plot.law(model.law("RWRR"))``."""
    axes = _axes(axes)
    v = np.linspace(-1, 1, 401) if velocity is None else np.asarray(velocity, np.float64)
    axes.plot(v, curve.phi(v))
    axes.set_xlabel("velocity (rad/s)")
    axes.set_ylabel("friction (N m)")
    return axes


def joint(
    results: Results,
    name: str,
    columns: tuple[str, ...] = ("position", "velocity", "friction_torque"),
    axes: Any = None,
) -> Any:
    """Columns of a joint over time, one above the other."""
    axes = _axes(axes, len(columns))
    for each, column in zip(np.atleast_1d(axes), columns):
        each.plot(results.time, results[name][column], label=results.name)
        if column == "position" and "target" in results[name].columns:
            each.plot(results.time, results[name]["target"], "k:", label="target")
        each.set_ylabel(f"{column.replace('_', ' ')} ({_UNITS[column]})" if column in _UNITS else column)
    np.atleast_1d(axes)[0].set_title(name)
    np.atleast_1d(axes)[-1].set_xlabel("time (s)")
    return axes


def heat_map(sweep: Sweep, x: str, y: str, figure: str, axes: Any = None) -> Any:
    """A figure of a sweep over two settings; the mean where several runs have the same settings."""
    axes = _axes(axes)
    across, column = np.unique(sweep[x], return_inverse=True)
    up, row = np.unique(sweep[y], return_inverse=True)
    total, count = np.zeros((len(up), len(across))), np.zeros((len(up), len(across)))
    known = np.isfinite(sweep[figure])
    np.add.at(total, (row[known], column[known]), sweep[figure][known])
    np.add.at(count, (row[known], column[known]), 1)
    mean = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    image = axes.imshow(mean, origin="lower", aspect="auto")
    axes.set_xticks(range(len(across)), [f"{value:g}" for value in across])
    axes.set_yticks(range(len(up)), [f"{value:g}" for value in up])
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.figure.colorbar(image, ax=axes, label=figure)
    return axes
