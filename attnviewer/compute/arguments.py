"""Checks of arguments that many functions share."""

import math
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from attnviewer.compute.arrays import Array, Index, Shape

_MOST_LISTED, _MOST_QUOTED = 60, 80
"""The most known names, and characters of another, that a message has."""


def check_name(what: str, name: str, known: Iterable[str]) -> None:
    """Check that a name is known.

    Raises
    ------
    ValueError
        With all names, unless they are too many to be read, and the closest match.
    """
    names = list(known)
    if isinstance(name, str) and name in names:
        return
    in_small_letters = {known.lower(): known for known in names}
    nearest = get_close_matches(str(name).lower(), in_small_letters, n=1)
    hint = f" Did you mean '{in_small_letters[nearest[0]]}'?" if nearest else ""
    few = len(names) <= _MOST_LISTED
    listed = ", ".join(names) if few else f"{len(names)} names"
    got = str(name)
    if len(got) > _MOST_QUOTED:
        got = f"{got[:_MOST_QUOTED]}…"
    raise ValueError(
        f"The '{what}' must be one of {listed}. Got '{got}' instead.{hint}"
    )


def check_key(what: str, key: str, known: Iterable[str]) -> None:
    """Check that there is an item of this name.

    Raises
    ------
    KeyError
        With all names and the closest match.
    """
    try:
        check_name(what, key, known)
    except ValueError as error:
        raise KeyError(str(error)) from None


def whole_number(name: str, value: object, least: int | None = None) -> int:
    """Return an integer argument as a Python int.

    Raises
    ------
    TypeError
        If it is not an integer; True and False do not count as integers.
    ValueError
        If it is less than `least`.
    """
    expected = "an integer" if least is None else f"an integer of at least {least}"
    message = f"The '{name}' parameter must be {expected}. Got {value!r} instead."
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(message)
    if least is not None and value < least:
        raise ValueError(message)
    return int(value)


def flag(name: str, value: object) -> bool:
    """Return True or False as a Python bool.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(
            f"The '{name}' parameter must be True or False. Got {value!r} instead."
        )
    return bool(value)


def real_number(name: str, value: object) -> float:
    """Return a number as a Python float; ±inf where it is out of range.

    Raises
    ------
    TypeError
        If it is not a real number; True and False do not count as numbers.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise TypeError(
            f"The '{name}' parameter must be a number. Got {value!r} instead."
        )
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def positive_number(
    name: str, value: object, must: str = "be a positive number"
) -> float:
    """Return a finite number above 0 as a Python float.

    Raises
    ------
    TypeError, ValueError
        If it is not; `must` says what is expected.
    """
    number = real_number(name, value)
    if not 0 < number < math.inf:
        raise ValueError(f"The '{name}' parameter must {must}. Got {number} instead.")
    return number


def float_type(wanted: DTypeLike, known: Sequence[str]) -> "np.dtype[Any]":
    """Return a floating-point type, given by name or as a dtype.

    Raises
    ------
    ValueError
        If it is not one of the known types.
    """
    try:
        dtype = np.dtype(wanted)
        got = dtype.name
    except TypeError:
        dtype, got = np.dtype(object), repr(wanted)
    if dtype.name not in known:
        *first, last = known
        raise ValueError(
            f"The 'dtype' parameter must be {', '.join(first)} or {last}. "
            f"Got {got} instead."
        )
    return np.dtype(dtype.type)


def any_array(called: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of any type, without copying where possible.

    Arrays of other libraries are read through ``__array__`` or ``__dlpack__``, detached
    from their gradients.

    Raises
    ------
    TypeError, ValueError
        If NumPy cannot read it, or it is masked or ragged.
    """
    # If that module, which is slow to load, is not loaded, there are no masked arrays.
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"The {called} must be an array that shows all its numbers. Got a masked "
            "array instead; give the mask by itself."
        )
    try:
        return _numpys(values)
    except (RuntimeError, TypeError, BufferError) as error:
        # Tensors of other libraries explain here why they cannot be converted.
        reason = str(error).rstrip(".")
        way = " Call .cpu().float() first." if hasattr(values, "cpu") else ""
        raise TypeError(
            f"The {called} must be an array that NumPy can read. Got "
            f"{type(values).__name__} instead: {reason}.{way}"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"The {called} must be an array. Got rows of different lengths instead."
        ) from error


def _numpys(values: Any) -> NDArray[Any]:
    """Return an array of any library as a NumPy array."""
    if getattr(values, "requires_grad", False):
        values = values.detach()  # which PyTorch requires for parameters
    if hasattr(values, "__array__") or not hasattr(values, "__dlpack__"):
        return np.asarray(values)
    return np.from_dlpack(values)


def real_array(called: str, values: ArrayLike) -> Array:
    """Return real numbers as an array; integers and bools keep their type.

    Raises
    ------
    TypeError, ValueError
        If it holds something else, or is ragged.
    """
    array = any_array(called, values)
    if array.dtype.kind not in "biuf":
        held = "something else" if array.dtype.kind == "O" else array.dtype
        way = ""
        if array.dtype.kind == "V" and not array.dtype.name.startswith("void"):
            way = " Pass it as .astype('float32')."  # a JAX type, such as bfloat16
        raise TypeError(
            f"The {called} must hold real numbers. Got {held} instead.{way}"
        )
    return array


def check_position(name: str, position: int, count: int) -> None:
    """Check that a position, counted from zero, is one of so many.

    Raises
    ------
    TypeError
        If it is not an integer.
    IndexError
        If it is out of range.
    """
    whole_number(name, position)
    if not 0 <= position < count:
        raise IndexError(
            f"The '{name}' must be from 0 to {count - 1}. Got {position} instead."
        )


def batch_index(batch: int | Index, axes: Shape) -> Index:
    """Return the index of a batch item, which is given by that or counted from zero.

    Raises
    ------
    TypeError
        If it is neither a tuple nor an integer.
    IndexError
        If there is no such item.
    """
    item = batch
    if not isinstance(item, tuple):
        check_position("batch", item, math.prod(axes))
        item = tuple(map(int, np.unravel_index(item, axes))) if axes else ()
    if len(item) != len(axes) or any(
        not 0 <= k < n for k, n in zip(item, axes, strict=True)
    ):
        raise IndexError(f"The 'batch' must lie inside {axes}. Got {batch} instead.")
    return item


def rows_or_columns(name: str, value: object) -> slice:
    """Return a slice argument.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not isinstance(value, slice):
        raise TypeError(
            f"The '{name}' parameter must be a slice, such as slice(0, 3). "
            f"Got {value!r} instead."
        )
    return value
