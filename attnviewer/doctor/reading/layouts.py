"""The orders of axes in which libraries keep an array."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers, Shape

ORDER = "bhnd"
"""Batch items, heads, rows and columns: the order of a plan's steps."""
_AXIS = re.compile(r"\(([^)]*)\)|(\S)")


@dataclass(frozen=True, slots=True)
class Layout:
    """An order of axes.

    Parameters
    ----------
    pattern : str
        The axes by the letters of `ORDER`, with those that are one axis in
        brackets: ``n (h d)`` for the columns of all heads side by side. An axis that
        is left out has the size 1.
    """

    pattern: str

    @property
    def axes(self) -> list[list[str]]:
        """The letters of each axis."""
        found = _AXIS.findall(self.pattern)
        return [list((joined or single).replace(" ", "")) for joined, single in found]

    def fits(self, shape: Shape, sizes: Mapping[str, int]) -> bool:
        """Return whether an array of a shape has axes of these sizes.

        Parameters
        ----------
        shape : tuple of int
            The shape.
        sizes : mapping of str to int
            The size of each axis by its letter.
        """
        axes = self.axes
        named = {letter for axis in axes for letter in axis}
        return (
            len(axes) == len(shape)
            and all(sizes[letter] == 1 for letter in ORDER if letter not in named)
            and all(
                size == math.prod(sizes[letter] for letter in axis)
                for axis, size in zip(axes, shape, strict=True)
            )
        )

    def read(self, array: Numbers, sizes: Mapping[str, int]) -> Numbers:
        """Return an array that fits with its axes in `ORDER`.

        Parameters
        ----------
        array : ndarray
            The array.
        sizes : mapping of str to int
            The size of each axis by its letter.
        """
        letters = [letter for axis in self.axes for letter in axis]
        letters += [letter for letter in ORDER if letter not in letters]
        apart = array.reshape([sizes[letter] for letter in letters])
        return apart.transpose([letters.index(letter) for letter in ORDER])

    def text(self, rows: str, columns: str) -> str:
        """Return the order in words, such as ``(batch, heads, queries, keys)``.

        Parameters
        ----------
        rows, columns : str
            What rows and columns are.
        """
        words = {"b": "batch", "h": "heads", "n": rows, "d": columns}
        return f"({', '.join('·'.join(words[x] for x in axis) for axis in self.axes)})"


def _layouts(*patterns: str) -> tuple[Layout, ...]:
    return tuple(map(Layout, patterns))


_HEADS_APART = "h n d", "b h n d", "n h d", "b n h d", "n d", "b n d", "(b h) n d"
_LISTED = "h b n d", "n b h d"
_JOINED = "n (h d)", "b n (h d)", "n b (h d)"

PER_HEAD = _layouts(*_HEADS_APART, *_JOINED, *_LISTED)
"""Of queries, keys, values and the outputs of the heads; the usual ones first."""
KEYS = (*PER_HEAD, *_layouts("h d n", "b h d n"))
"""Of keys, which may be transposed."""
BY_KEY = _layouts(*_HEADS_APART, "h b n d", "n d h", "b n d h")
"""Of scores and weights, whose columns are keys."""
FLAT = _layouts("n d", "b n d", "n b d")
"""Of what has no heads."""
JOINED = _layouts(*_JOINED, "n h d", "b n h d", "n b h d")
"""Of the heads side by side."""


def readings(
    array: Numbers, layouts: tuple[Layout, ...], sizes: Mapping[str, int]
) -> Iterator[tuple[Layout, Numbers]]:
    """Yield the different arrays in `ORDER` that an array may stand for.

    Parameters
    ----------
    array : ndarray
        The array.
    layouts : tuple of Layout
        The orders to try.
    sizes : mapping of str to int
        The size of each axis.
    """
    array = np.ascontiguousarray(array)
    seen: list[tuple[int, ...]] = []
    for layout in layouts:
        if not layout.fits(array.shape, sizes):
            continue
        read = layout.read(array, sizes)
        # The same strides over the same axes give the same array.
        strides = np.where(np.array(read.shape) > 1, read.strides, 0)
        key = tuple(strides.tolist())
        if key not in seen:
            seen.append(key)
            yield layout, read
