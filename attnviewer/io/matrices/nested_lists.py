"""One array from nested JSON lists."""

import math
import re
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from attnviewer.compute import Array
from attnviewer.io.matrices.arrays import MOST_DIMENSIONS
from attnviewer.io.strict_json import SchemaError, decode

LONGEST_LIST = 16 * 2**20
"""Maximum size of an innermost list, in bytes of text, as it is decoded at once."""
_OPENED = re.compile(rb"(?:\[[ \t\r\n]*)*")
_Item = TypeVar("_Item")
_NumberOrLowest: Any = float | Literal["-inf"]


def decode_array(text: msgspec.Raw, room: int) -> Array:
    """Return the numbers of nested lists; "-inf" is −∞, true and false are 1 and 0.

    Parameters
    ----------
    text : Raw
        The outermost list.
    room : int
        Maximum size of the array, in bytes.

    Raises
    ------
    SchemaError
        If it is anything else, or its lists differ in length; with the place, counted
        from 1.
    """
    depth = _depth(text)
    shape: tuple[int, ...] = ()
    lists = [text]
    while len(shape) < depth - 1:
        inner: list[msgspec.Raw] = []
        length = 0
        for k, part in enumerate(lists):
            try:
                items = _items(part, msgspec.Raw)
                length = length or len(items)
                _check_length(items, length)
            except SchemaError as error:
                raise _placed(error, k, shape, depth) from None
            inner += items
        shape += (length,)
        lists = inner
    array: Array | None = None
    for k, part in enumerate(lists):
        try:
            row = _numbers(part)
            if array is not None:
                _check_length(row, array.shape[1])
        except SchemaError as error:
            raise _placed(error, k, shape, depth) from None
        if array is None:
            array = _allocated((*shape, len(row)), room)  # (rows, columns)
        array[k] = row
    assert array is not None
    return array.reshape(*shape, -1)


def decode_list(text: msgspec.Raw, kind: type[_Item]) -> list[_Item]:
    """Return the items of a list.

    Raises
    ------
    SchemaError
        If it is not such a list, empty, or too long.
    """
    if len(text) > LONGEST_LIST:
        reason = f"A list may have {LONGEST_LIST:,} characters. Got {len(text):,}."
        raise SchemaError(reason)
    return _items(text, kind)


def _numbers(text: msgspec.Raw) -> list[float]:
    try:
        return decode_list(text, float)
    except SchemaError as error:
        # JSON has no number for −∞, which a bias may hold; masks are truth values.
        lowest = b'"-inf"' in bytes(text)
        try:
            return list(
                map(float, decode_list(text, _NumberOrLowest if lowest else bool))
            )
        except SchemaError:
            if lowest:
                raise
            raise error from None


def _items(text: msgspec.Raw, kind: type[_Item]) -> list[_Item]:
    try:
        items = decode(text, list[kind])  # type: ignore[valid-type]
    except SchemaError as error:
        item = re.fullmatch(r"\$\[(\d+)\]", error.location or "")
        location = f"item {int(item[1]) + 1}" if item else None
        raise SchemaError(str(error), location) from None
    if not items:
        raise SchemaError("The list is empty.")
    return items


def _check_length(items: list[_Item], length: int) -> None:
    if len(items) != length:
        raise SchemaError(
            f"It has the length {len(items):,}, and the first one {length:,}. "
            "All must be equally long."
        )


def _allocated(shape: tuple[int, ...], room: int) -> Array:
    """Return an array for the innermost lists, one per row."""
    *outer, columns = shape
    rows = math.prod(outer)
    if 8 * rows * columns > room:
        raise SchemaError(f"An array of the shape {shape} would be too large.")
    return np.empty((rows, columns))


def _depth(text: msgspec.Raw) -> int:
    """Return the depth of nesting, at the first number."""
    opened = _OPENED.match(memoryview(text))
    depth = opened[0].count(b"[") if opened else 0
    if depth > MOST_DIMENSIONS:
        reason = f"Lists may be nested {MOST_DIMENSIONS} deep. Got {depth:,} instead."
        raise SchemaError(reason)
    if depth == 0:
        try:
            decode(text, list[msgspec.Raw])
        except SchemaError as error:
            reason = str(error).replace("Expected a list", "A matrix is needed")
            raise SchemaError(reason) from None
    return depth


def _placed(
    error: SchemaError, k: int, shape: tuple[int, ...], depth: int
) -> SchemaError:
    """Return an error in the k-th innermost list, with its place."""
    position = [str(index + 1) for index in np.unravel_index(k, shape)] if shape else []
    locations = [error.location] if error.location else []
    if position and len(position) == depth - 1:
        locations.insert(0, f"row {position.pop()}")
    if position:
        locations.insert(0, f"matrix {'.'.join(position)}")
    return SchemaError(str(error), ", ".join(locations) or None)
