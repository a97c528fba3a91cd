# SPDX-License-Identifier: MIT
"""Checks arrays that are passed to the library; errors name the argument."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
_FLOAT = np.dtype(np.float64)


def address(array: np.ndarray) -> int:
    """The address of the data of an array."""
    return array.__array_interface__["data"][0]


def numbers(value: ArrayLike, name: str) -> FloatArray:
    """Anything numeric as a float64 array in C order; copied only if necessary."""
    if (
        type(value) is np.ndarray
        and value.dtype == _FLOAT
        and value.flags.c_contiguous
        and value.flags.aligned
    ):
        return value
    try:
        array = np.asarray(value)
    except ValueError:
        raise TypeError(f"{name} must be numbers, in rows of one length") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must be real numbers, not {array.dtype}")
    return np.require(array, _FLOAT, ["C", "A"]).reshape(array.shape)


def vector(value: ArrayLike, count: int, name: str, what: str = "joint") -> FloatArray:
    """An array with one number per joint; a single number is accepted for one joint."""
    array = numbers(value, name)
    if array.shape != (count,):
        if array.ndim == 0 and count == 1:
            return array.reshape(1)
        plural = "" if count == 1 else "s"
        raise ValueError(
            f"{name} has shape {array.shape}, and ({count},) is needed: {count} {what}{plural}"
        )
    return array


def exact(array: Any, shape: Sequence[int], name: str, writeable: bool = False) -> FloatArray:
    """An array that is used without a copy, and therefore must have the right type and layout."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} must be a numpy array, not {type(array).__name__}")
    if array.dtype != _FLOAT:
        raise TypeError(
            f"{name} must be an array of float64, not {array.dtype}: it is used without a copy"
        )
    if array.shape != tuple(shape):
        raise ValueError(f"{name} has shape {array.shape}, and {tuple(shape)} is needed")
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned):
        raise ValueError(
            f"{name} must lie in C order without gaps: it is used without a copy "
            "(numpy.ascontiguousarray makes one that does)"
        )
    if writeable and not flags.writeable:
        raise ValueError(f"{name} is read-only, and is to be written to")
    return array


def result(out: Optional[np.ndarray], shape: Sequence[int], name: str = "out") -> FloatArray:
    """The array for a result: the caller's, which is never copied, or a new one."""
    if out is None:
        return np.empty(shape)
    return exact(out, shape, name, writeable=True)


def whole(value: int, name: str, least: int = 0, bits: int = 64) -> int:
    """An integer from ``least`` on, and below 2^bits."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not least <= number < 2**bits:
        raise ValueError(f"{name} {number} must be at least {least}, and below 2^{bits}")
    return number


def index_below(value: int, count: int, name: str) -> int:
    """The number of one of ``count`` things."""
    number = value.__index__()
    if not 0 <= number < count:
        raise IndexError(f"{name} {number} of {count}")
    return number


def scalar(value: Union[float, int], name: str) -> float:
    """One number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
