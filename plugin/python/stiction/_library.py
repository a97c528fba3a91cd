# SPDX-License-Identifier: MIT
"""Finds and loads the C libraries and checks their version.

Searched in this order: the folders of ``STICTION_LIBRARY_PATH``; the installed tree that this package
is part of (or ``build/`` of the sources); what the system's loader knows.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import sysconfig
from typing import Iterator

#: The version of the ABI that this package speaks, and the number in ``libstiction.so.3``.
ABI_VERSION = 3
ENVIRONMENT = "STICTION_LIBRARY_PATH"
_PACKAGE = pathlib.Path(__file__).resolve().parent


def _folders() -> Iterator[pathlib.Path]:
    """The folders to search, in order."""
    for folder in os.environ.get(ENVIRONMENT, "").split(os.pathsep):
        if folder:
            yield pathlib.Path(folder)
    # PREFIX/lib/python3/dist-packages/stiction
    if _PACKAGE.parent.name in ("dist-packages", "site-packages"):
        prefix = _PACKAGE.parents[3]
        yield prefix / "lib"
        multiarch = sysconfig.get_config_var("MULTIARCH")
        if multiarch:
            yield prefix / "lib" / multiarch
        yield prefix / "lib64"
    # SOURCES/plugin/python/stiction
    elif (_PACKAGE.parents[2] / "capi" / "stiction.map").is_file():
        yield _PACKAGE.parents[2] / "build"


def find(name: str) -> str:
    """The path of a library, or its bare name, which leaves the search to the system's loader."""
    for folder in _folders():
        if (folder / name).is_file():
            return str(folder / name)
    return name


def open_library(name: str, how: type[ctypes.CDLL], package: str) -> ctypes.CDLL:
    """Loads a library; an ImportError lists where it was searched."""
    path = find(name)
    try:
        return how(path)
    except OSError as problem:
        looked = ", ".join(dict.fromkeys(str(folder) for folder in _folders()))
        raise ImportError(
            f"{name} cannot be loaded ({problem}). It is part of the package {package}; looked for in "
            f"{looked + ' and ' if looked else ''}the system's folders. "
            f"{ENVIRONMENT} may name the folder that has it"
        ) from None


def check_version(library: ctypes.CDLL, path: str) -> None:
    """Refuses a library with another ABI version."""
    try:
        found = library.stiction_abi_version()
    except AttributeError:
        raise ImportError(f"{path} is not stiction's library: it has no stiction_abi_version") from None
    if found != ABI_VERSION:
        raise ImportError(
            f"{path} has version {found} of stiction's ABI, and this package needs {ABI_VERSION}: "
            "install python3-stiction and libstiction of one version"
        )


def symbol(library: ctypes.CDLL, name: str) -> ctypes._NamedFuncPointer:  # type: ignore[name-defined]
    """A function of a library; an ImportError names an older library that lacks it."""
    try:
        return getattr(library, name)
    except AttributeError:
        raise ImportError(
            f"{library._name} is older than this package: it has no {name}; "
            "install python3-stiction and libstiction of one version"
        ) from None
