# SPDX-License-Identifier: MIT
"""Errors as exceptions with their locations; log messages of the library in Python's logging."""
from __future__ import annotations

import collections
import enum
import logging
from typing import Any, Callable, Sequence

from . import _abi
from ._abi import lib

logger = logging.getLogger("stiction")


class Status(enum.IntEnum):
    """The kind of error; see ``stiction/error.h``."""

    OK = 0
    INVALID_ARGUMENT = 1
    INVALID_CONFIG = 2
    ILLEGAL_TIMESTEP = 3
    INVALID_BUFFER = 4
    SINGULAR = 5
    OUT_OF_MEMORY = 6


class Error(Exception):
    """An error of the library: a status, a message, and a location if there is one.

    >>> import stiction
    >>> try:
    ...     stiction.Config.parse("stiction: 1\\njoints: {A: {law: stribek}}", path="a.yaml")
    ... except stiction.Error as error:
    ...     print(error.path, error.line, error.column, error.status.name)
    ...     print(error.message)
    a.yaml 2 19 INVALID_CONFIG
    joint 'A': there is no law 'stribek'; the nearest is 'stribeck'

    ``errors`` has all errors of a file, this one first; ``str(error)`` has one line for each.
    """

    status: Status
    path: str
    line: int
    column: int
    message: str
    errors: tuple[Error, ...]

    def __init__(
        self,
        message: str,
        status: int = Status.INVALID_ARGUMENT,
        path: str = "",
        line: int = 0,
        column: int = 0,
        others: Sequence[Error] = (),
    ) -> None:
        super().__init__(message, status, path, line, column, tuple(others))
        self.message = message
        self.status = Status(status) if status in Status._value2member_map_ else status  # type: ignore
        self.path = path
        self.line = line
        self.column = column
        self.errors = (self, *others)

    @property
    def place(self) -> str:
        """``file:line:column``, as far as they are known."""
        parts = [self.path] if self.path else []
        if self.line:
            parts += [str(self.line), str(self.column)]
        return ":".join(parts)

    def __str__(self) -> str:
        return "\n".join(f"{e.place}: {e.message}" if e.place else e.message for e in self.errors)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def from_c(error: _abi.StictionError) -> Error:
    """A struct of the library as an exception."""
    return Error(_text(error.message), error.status, _text(error.path), error.line, error.column)


def check(status: int, error: _abi.StictionError) -> None:
    """Raises unless OK, and logs pending messages of the library."""
    if pending:
        log_pending()
    if status:
        raise from_c(error)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library whose last argument is an error, and raises that."""
    error = _abi.StictionError()
    check(function(*arguments, error), error)


class ErrorList:
    """The list that functions on files fill."""

    def __init__(self) -> None:
        self.pointer = lib.errors_create()
        if not self.pointer:
            raise MemoryError("no memory for a list of errors")

    def __enter__(self) -> ErrorList:
        return self

    def __exit__(self, *_: object) -> None:
        lib.errors_destroy(self.pointer)

    def all(self) -> list[Error]:
        count = lib.errors_count(self.pointer)
        return [from_c(lib.errors_at(self.pointer, k).contents) for k in range(count)]

    def check(self, status: int) -> None:
        if status == 0:
            return
        found = self.all()
        if not found:
            raise Error(lib.status_name(status).decode(), status)
        first = found[0]
        raise Error(first.message, first.status, first.path, first.line, first.column, found[1:])


#: Messages of the library since the last call. They are logged after the call, so that a handler may call
#: the library.
pending: collections.deque[tuple[int, str]] = collections.deque()
_LEVELS = (logging.INFO, logging.WARNING, logging.ERROR)


@_abi.LOG  # type: ignore[misc]
def log(_user: int, level: int, message: bytes) -> None:
    """The callback that every model and simulation gets."""
    pending.append((level, _text(message)))


def log_pending() -> None:
    """Passes the messages to the logger ``stiction``, whose warnings go to stderr by default."""
    while True:
        try:
            level, message = pending.popleft()
        except IndexError:  # another thread may have passed the last one
            return
        logger.log(_LEVELS[min(level, 2)], "%s", message)


def new_error() -> _abi.StictionError:
    return _abi.StictionError()
