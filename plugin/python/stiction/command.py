# SPDX-License-Identifier: MIT
"""The ``stiction`` command from Python: runs and sweeps, with their results as arrays."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any, Mapping, Optional, Sequence, Union

from . import _library
from .errors import Error
from .results import Results, Sweep

Path = Union[str, "os.PathLike[str]"]
ENVIRONMENT = "STICTION_COMMAND"


class CommandError(Error):
    """A command that failed: its ``exit_code``, and its output as ``message``."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return CommandError, (self.message, self.exit_code)


def find_command() -> str:
    """The command: that of ``STICTION_COMMAND``, of the tree that this package is part of, or on the PATH."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return named
    for folder in _library._folders():
        for place in (folder / "stiction", folder.parent / "bin" / "stiction"):
            if place.is_file() and os.access(place, os.X_OK):
                return str(place)
    found = shutil.which("stiction")
    if not found:
        raise CommandError(
            "the command 'stiction' was not found, neither beside this package nor on the PATH "
            f"(Debian: the package stiction); {ENVIRONMENT} may name it",
            127,
        )
    return found


def _call(arguments: Sequence[str], timeout: Optional[float]) -> subprocess.CompletedProcess[str]:
    command = [find_command(), *arguments]
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            # a controller in Python is to run with our interpreter
            env={"STICTION_PYTHON": sys.executable, **os.environ},
        )
    except OSError as problem:
        raise CommandError(f"{command[0]} cannot be started: {problem.strerror}", 127) from None
    except subprocess.TimeoutExpired:
        raise CommandError(
            f"stiction {arguments[0]} took longer than the {timeout:g} s that it was given", 124
        ) from None


def _complain(done: subprocess.CompletedProcess[str]) -> None:
    output = (done.stderr.strip() or done.stdout.strip()).removeprefix("stiction: ")
    raise CommandError(output or f"ended with exit code {done.returncode}", done.returncode)


def _options(**values: Any) -> list[str]:
    arguments: list[str] = []
    for key, value in values.items():
        option = "--" + key.replace("_", "-")
        if value is True:
            arguments.append(option)
        elif value is not None and value is not False:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                arguments += [option, os.fspath(each) if isinstance(each, os.PathLike) else str(each)]
    return arguments


def settings_list(settings: Optional[Mapping[str, Any]]) -> list[str]:
    """``{"controller.kp": 50}`` as ``controller.kp=50``."""
    arguments = []
    for key, value in (settings or {}).items():
        if isinstance(value, bool):
            value = "true" if value else "false"
        elif isinstance(value, (list, tuple)):
            value = ",".join(str(item) for item in value)
        arguments.append(f"{key}={value!r}" if isinstance(value, float) else f"{key}={value}")
    return arguments


def run(
    projects: Union[Path, Sequence[Path]],
    *,
    out: Path = "results",
    settings: Optional[Mapping[str, Any]] = None,
    report: bool = False,
    force: bool = False,
    check: bool = True,
    timeout: Optional[float] = None,
    **options: Any,
) -> list[Results]:
    """``stiction run`` of one or more projects or robots; their results in the same order.

    ``settings`` are those of ``--set``; other options of the command by their names:
    ``run("arm.urdf", config="arm.yaml", fixed_base=True, duration=6)``. Without ``check`` a run that did
    not go well gives what it wrote; else it raises :class:`CommandError`.
    """
    paths = [projects] if isinstance(projects, (str, os.PathLike)) else list(projects)
    if not paths:
        raise ValueError("there is no project to run")
    arguments = ["run", *(os.fspath(path) for path in paths), "--out", os.fspath(out)]
    arguments += _options(set=settings_list(settings), force=force, no_report=not report, **options)
    done = _call(arguments, timeout)
    if done.returncode and check:
        _complain(done)
    folders = [pathlib.Path(out) / pathlib.Path(os.fspath(path)).stem for path in paths]
    if not check:
        folders = [folder for folder in folders if (folder / "summary.json").exists()]
    return [Results.load(folder) for folder in folders]


def report(folder: Path, *, timeout: Optional[float] = None) -> None:
    """``stiction report`` of a folder of results: writes its report.html."""
    done = _call(["report", os.fspath(folder)], timeout)
    if done.returncode:
        _complain(done)


def sweep(
    path: Path,
    *,
    out: Optional[Path] = None,
    jobs: Optional[int] = None,
    reports: bool = False,
    force: bool = False,
    check: bool = True,
    timeout: Optional[float] = None,
    **options: Any,
) -> Sweep:
    """``stiction sweep`` of a file; a table of the runs. The same call goes on where another ended. Without
    ``check``, runs that failed are rows with a ``reason``."""
    folder = pathlib.Path(out) if out is not None else pathlib.Path("results") / pathlib.Path(path).stem
    arguments = ["sweep", os.fspath(path), "--out", os.fspath(folder)]
    arguments += _options(jobs=jobs, reports=reports, no_reports=not reports, force=force, **options)
    done = _call(arguments, timeout)
    if done.returncode and (check or not (folder / "sweep.csv").exists()):
        _complain(done)
    return Sweep.load(folder)
