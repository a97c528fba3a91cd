# SPDX-License-Identifier: MIT
"""What a run wrote: ``summary.json`` as a dictionary, ``joints.csv`` or ``joints.npz`` as arrays."""
from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import re
import zipfile
from typing import Any, Iterator, Mapping, Union

import numpy as np

from ._arrays import FloatArray
from .errors import Error, Status

Path = Union[str, "os.PathLike[str]"]


def read_text(path: Path) -> str:
    """A file whose line ends are kept."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except OSError as problem:
        raise Error(f"cannot be read: {problem.strerror}", path=os.fspath(path)) from None


def read_table(path: Path) -> dict[str, FloatArray]:
    """A CSV file of numbers as arrays by column; an empty cell is NaN."""
    first, _, text = read_text(path).partition("\n")
    header: list[str] = next(csv.reader([first]), [])
    if not header:
        raise Error("is empty", Status.INVALID_BUFFER, os.fspath(path))
    text = re.sub(r"(?m)(?<=,)(?=,|\r?$)|^(?=,)", "nan", text)
    if not text.strip():
        return {name: np.empty(0) for name in header}
    try:
        rows = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2)
    except ValueError as problem:
        raise Error(
            f"is not a table of numbers: {problem}", Status.INVALID_BUFFER, os.fspath(path)
        ) from None
    if rows.shape[1] != len(header):
        raise Error(
            f"has {len(header)} columns in its first line and {rows.shape[1]} in the others",
            Status.INVALID_BUFFER,
            os.fspath(path),
        )
    return {name: np.ascontiguousarray(rows[:, k]) for k, name in enumerate(header)}


def read_arrays(path: Path) -> dict[str, FloatArray]:
    """``joints.npz``: arrays by column."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError as problem:
        if problem.strerror:
            raise Error(f"cannot be read: {problem.strerror}", path=os.fspath(path)) from None
        raise Error(f"is no npz file: {problem}", Status.INVALID_BUFFER, os.fspath(path)) from None
    except (ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as problem:
        raise Error(f"is no npz file: {problem}", Status.INVALID_BUFFER, os.fspath(path)) from None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise Error(
            problem.msg, Status.INVALID_BUFFER, os.fspath(path), problem.lineno, problem.colno
        ) from None


class Series:
    """The columns of a joint (or of another part of a robot), as attributes: ``position``, ``velocity``,
    ``command``, ``friction_torque``, ``stick``, ``deflection``, ``target``."""

    def __init__(self, name: str, columns: Mapping[str, FloatArray]) -> None:
        self.name = name
        self.columns = dict(columns)

    def __getattr__(self, key: str) -> FloatArray:
        try:
            return self.__dict__["columns"][key]
        except KeyError:
            known = ", ".join(self.__dict__.get("columns", {}))
            raise AttributeError(
                f"'{self.__dict__.get('name')}' has no column '{key}'; it has {known}"
            ) from None

    def __getitem__(self, key: str) -> FloatArray:
        return self.columns[key]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(self.columns)}>"


class Results:
    """The results of a run: ``results["RWRR"].position``, ``results.summary["warnings"]``.

    ::

        results = stiction.run("sample_projects/wrist/wrist.cnoid")[0]
        results["RWRR"].position[-1]
    """

    folder: pathlib.Path
    summary: dict[str, Any]
    columns: dict[str, FloatArray]

    def __init__(
        self, folder: pathlib.Path, summary: dict[str, Any], columns: dict[str, FloatArray]
    ) -> None:
        self.folder = folder
        self.summary = summary
        self.columns = columns
        self._series: dict[str, Series] = {}
        for name, values in columns.items():
            owner, dot, key = name.rpartition(".")
            if dot:
                series = self._series.setdefault(owner, Series(owner, {}))
                series.columns[key] = values

    @classmethod
    def load(cls, folder: Path) -> Results:
        """Reads a folder that ``stiction run`` or :meth:`stiction.Simulation.write` wrote."""
        place = pathlib.Path(folder)
        summary = read_json(place / "summary.json")
        if not isinstance(summary, dict) or "joints" not in summary:
            raise Error("is not a summary of stiction", Status.INVALID_BUFFER, str(place / "summary.json"))
        columns: dict[str, FloatArray] = {}
        if (place / "joints.npz").exists():
            columns = read_arrays(place / "joints.npz")
        elif (place / "joints.csv").exists():
            columns = read_table(place / "joints.csv")
        return cls(place, summary, columns)

    @property
    def name(self) -> str:
        """Of its folder."""
        return self.folder.name

    @property
    def time(self) -> FloatArray:
        """s, of each row."""
        return self.columns.get("time", np.empty(0))

    @property
    def joints(self) -> list[str]:
        """The names of the joints."""
        return list(self.summary["joints"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about the results."""
        return list(self.summary.get("warnings", []))

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return bool(self.summary.get("complete", False))

    def figures(self, joint: str) -> dict[str, Any]:
        """The figures of a joint: ``stop_time``, ``final_position`` and so on; None if there is no value."""
        try:
            return self.summary["joints"][joint]
        except KeyError:
            raise KeyError(f"there is no joint '{joint}' among {', '.join(self.joints)}") from None

    def table(self) -> dict[str, np.ndarray]:
        """The figures of all joints as columns with a row per joint, as pandas.DataFrame takes them: ``joint``
        and the figures, NaN where there is no value. The series are ``columns``, with a row per time."""
        rows = list(self.summary["joints"].values())
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {"joint": np.array(self.joints)}
        for name in names:
            cells = [row.get(name) for row in rows]
            if all(cell is None or isinstance(cell, (int, float)) for cell in cells):
                columns[name] = np.array([np.nan if cell is None else cell for cell in cells], np.float64)
        return columns

    def __getitem__(self, name: str) -> Series:
        try:
            return self._series[name]
        except KeyError:
            raise KeyError(
                f"the series have no '{name}'; they have {', '.join(self._series) or 'no columns'}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def __repr__(self) -> str:
        return f"<stiction.Results {self.folder}: {', '.join(self.joints)}>"


class Sweep:
    """The results of a sweep: one row per run. ``sweep["RWRR.stop_time"]`` is an array over the runs, NaN
    where a run has no value; a column of strings (``status``, ``name``) is an array of strings."""

    folder: pathlib.Path
    columns: dict[str, np.ndarray]

    def __init__(self, folder: pathlib.Path, columns: dict[str, np.ndarray]) -> None:
        self.folder = folder
        self.columns = columns

    @classmethod
    def load(cls, folder: Path) -> Sweep:
        """Reads a folder that ``stiction sweep`` wrote."""
        place = pathlib.Path(folder)
        path = place / "sweep.csv"
        rows = list(csv.reader(io.StringIO(read_text(path), newline="")))
        if not rows:
            raise Error("is empty", Status.INVALID_BUFFER, str(path))
        header, body = rows[0], rows[1:]
        columns = {name: _column([row[k] for row in body]) for k, name in enumerate(header)}
        return cls(place, columns)

    @property
    def runs(self) -> list[Results]:
        """The results of every run whose series are kept (see ``--figures-only``), in the order of the rows."""
        places = [self.folder / "runs" / name for name in self.columns.get("name", ())]
        return [Results.load(place) for place in places if (place / "summary.json").exists()]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, column: str) -> np.ndarray:
        try:
            return self.columns[column]
        except KeyError:
            raise KeyError(f"the sweep has no column '{column}'") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        return f"<stiction.Sweep {self.folder}: {len(self)} runs>"


def _column(cells: list[str]) -> np.ndarray:
    """Numbers where all cells are numbers or empty and some is one, else texts."""
    try:
        values = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells)
    return values if any(cells) else np.array(cells)
