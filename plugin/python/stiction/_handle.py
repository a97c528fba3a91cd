# SPDX-License-Identifier: MIT
"""Ownership of objects of the library.

A state needs its model for as long as it lives, a view of a simulation's memory the simulation. Python
references are not enough: objects in a cycle are finalised in any order. So each object of the library
counts its users and is destroyed after the last of them.
"""
from __future__ import annotations

import ctypes
import itertools
import os
import threading
import weakref
from typing import Any, Callable, Sequence

from . import errors

_numbers = itertools.count()

# A child has only the thread that forked: a lock that another thread holds would stay locked there, around
# an object in the middle of a step. So all of these locks are acquired before the fork. A thread that holds
# one may wait for another in a finaliser, so waiting while others are held has a short timeout.
_locks: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
_held = threading.local()


def hold_while_forking(lock: Any) -> None:
    """No other thread has this lock when a child is made."""
    _locks[id(lock)] = lock


def _before_fork() -> None:
    for _ in range(300):
        _held.locks = []
        for reference in _locks.valuerefs():  # a list of its own: other threads may add locks
            lock = reference()
            if lock is not None:
                if not lock.acquire(timeout=0.1):
                    break
                _held.locks.append(lock)
        else:
            return
        _after_fork()


def _after_fork() -> None:
    for lock in _held.locks:
        lock.release()
    _held.locks = []


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


class Handle:
    """An object of the library and the objects that it depends on."""

    __slots__ = ("_pointer", "_destroy", "_users", "_parents")

    def __init__(
        self, pointer: int, destroy: Callable[[int], None], *parents: Handle
    ) -> None:
        # sets and lists change in one step of the interpreter, so threads need no lock here
        self._pointer = [pointer]
        self._destroy = destroy
        self._users: set[int] = set()
        self._parents = [(parent, parent.retain()) for parent in parents]

    def retain(self) -> int:
        """Adds a user; pass the number to release."""
        number = next(_numbers)
        self._users.add(number)
        return number

    def rest_on(self, parent: Handle) -> None:
        self._parents.append((parent, parent.retain()))

    def release(self, number: int) -> None:
        """Removes a user; repeated calls have no effect. The last one destroys the object."""
        if number not in self._users:
            return
        self._users.discard(number)
        if self._users:
            return
        try:
            pointer = self._pointer.pop()
        except IndexError:
            return
        self._destroy(pointer)
        for parent, mine in self._parents:
            parent.release(mine)


class Owner:
    """A class with a handle, which it releases once."""

    _handle: Handle
    _number: int
    _pointer: int

    def _own(self, pointer: int, destroy: Callable[[int], None], *parents: Handle) -> None:
        self._handle = Handle(pointer, destroy, *parents)
        self._number = self._handle.retain()
        self._pointer = pointer

    def _create(
        self,
        create: Callable[..., int],
        destroy: Callable[[int], None],
        *arguments: Any,
        parents: Sequence[Handle] = (),
    ) -> None:
        """Calls a function that creates an object in its last argument but the error."""
        pointer = ctypes.c_void_p()
        errors.call(create, *arguments, pointer)
        assert pointer.value
        self._own(pointer.value, destroy, *parents)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)  # none where the constructor failed
        if handle is not None:
            handle.release(self._number)
