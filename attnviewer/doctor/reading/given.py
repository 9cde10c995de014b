"""Queries, keys and values that are given as they are."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, Numbers, Shape
from attnviewer.compute.stages.project import join_heads
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.layouts import Layout

LETTERS = "Q", "K", "V"
_APART = {2: ("n d",), 3: ("h n d", "n h d"), 4: ("b h n d", "b n h d")}
"""Orders with an axis for the heads, by the number of axes."""
_JOINED = {2: "n (h d)", 3: "b n (h d)"}


@dataclass(frozen=True, slots=True)
class Given:
    """Queries, keys and values.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Q, K and V, (n, h·d); with a batch (batch, h, n, d).
    n_heads, n_kv_heads : int
        Numbers of heads.
    joined : bool
        Whether their heads are side by side.
    """

    arrays: Mapping[str, Array]
    n_heads: int
    n_kv_heads: int
    joined: bool


def read_given(
    arrays: Mapping[str, Numbers], intention: Intention, notes: list[str]
) -> Given:
    """Return queries, keys and values with their axes in order.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Q, K and V.
    intention : Intention
        How many heads are meant.
    notes : list of str
        A sentence on the order of the axes is appended.

    Raises
    ------
    ValueError
        If a shape fits no order.
    """
    queries = arrays["Q"]
    layout = _layout(queries.shape, intention.n_heads)
    n_heads = intention.n_heads or _size(layout, "h", queries.shape) or 1
    width = _size(layout, "d", queries.shape) or queries.shape[-1] // n_heads
    kv_heads = (
        intention.n_kv_heads
        or _size(layout, "h", arrays["K"].shape)
        or max(arrays["K"].shape[-1] // width, 1)
    )
    read = {
        name: _ordered(name, arrays[name], layout, count)
        for name, count in zip(LETTERS, (n_heads, kv_heads, kv_heads), strict=True)
    }
    if layout.pattern not in ("h n d", "b h n d", "n d"):
        words = layout.text("tokens", "columns")
        notes.append(f"Q, K and V are read as {words}.")
    joined = len(read["Q"]) == 1
    if joined:
        read = {name: join_heads(array)[0] for name, array in read.items()}
    return Given(read, n_heads, kv_heads, joined)


def _layout(shape: Shape, n_heads: int | None) -> Layout:
    for pattern in _APART.get(len(shape), ()):
        layout = Layout(pattern)
        if n_heads in (None, _size(layout, "h", shape) or 1):
            return layout
    pattern = _JOINED.get(len(shape), "")
    if pattern and n_heads and shape[-1] % n_heads == 0:
        return Layout(pattern)
    raise ValueError(
        "The 'Q' must have the shape (h, n, d), (n, h, d), (n, h·d), (batch, h, n, d), "
        "(batch, n, h, d) or (batch, n, h·d)"
        f"{f', with h = {n_heads}' if n_heads else ''}. Got {shape} instead."
    )


def _size(layout: Layout, letter: str, shape: Shape) -> int | None:
    """Return the size of an axis; None where it is not one by itself."""
    axes = layout.axes
    fits = [letter] in axes and len(axes) == len(shape)
    return shape[axes.index([letter])] if fits else None


def _ordered(name: str, array: Numbers, layout: Layout, n_heads: int) -> Array:
    """Return an array as (batch, h, n, d)."""
    shape = array.shape
    sizes = {letter: _size(layout, letter, shape) or 1 for letter in "bnd"}
    sizes["h"] = n_heads
    if ["h", "d"] in layout.axes and shape:
        sizes["d"] = shape[-1] // n_heads
    if not layout.fits(shape, sizes):
        raise ValueError(
            f"The '{name}' must have the shape {layout.text('n', 'd')} as 'Q' has, "
            f"with {n_heads} heads. Got {shape} instead."
        )
    return np.ascontiguousarray(layout.read(array, sizes))
