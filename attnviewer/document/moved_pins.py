"""Pins that follow the tokens of their rows and columns."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Axis, Pin, build_stages
from attnviewer.compute.pins.pin import ENDLESS, Positions
from attnviewer.document.document import Document

Moves: TypeAlias = Sequence[tuple[Collection[Axis], NDArray[np.intp]]]
"""What rows and columns of the moved tokens stand for, and where each token was
before, shape (tokens,), with a negative number for a new one."""


def pins_after(document: Document, moves: Moves) -> tuple[Pin, ...]:
    """Return the pins after tokens were added, removed or moved.

    A pin goes with its tokens, and is dropped with the last of them. One for all rows
    or columns stays so, unless it has a number for each.

    Parameters
    ----------
    document : Document
        The document as it is before.
    moves : sequence of (collection of Axis, ndarray of int)
        Where the tokens of each sequence were before.
    """
    shapes = {name: matrix.shape for name, matrix in document.matrices.items()}
    stages = {s.name: s for s in build_stages(document.spec, shapes)}
    pins = document.pins
    for axes, sources in moves:
        for axis in (0, 1):
            followed = (
                _moved(pin, axis, sources)
                if stages[pin.step].axes[axis] in axes
                else pin
                for pin in pins
            )
            pins = tuple(pin for pin in followed if pin is not None)
    return pins


def _moved(pin: Pin, axis: int, sources: NDArray[np.intp]) -> Pin | None:
    """Return a pin whose rows (axis 0) or columns (1) have moved; None without any."""
    positions = (pin.rows, pin.columns)[axis]
    one = isinstance(pin.value, float)
    if one and isinstance(positions, range) and positions == range(0, ENDLESS):
        return pin
    where = _places(positions, int(sources.max(initial=-1)))
    found = [(k, where[old]) for k, old in enumerate(sources.tolist()) if old in where]
    if not found:
        return None
    kept = tuple(k for k, _ in found)
    value = pin.value
    if not one:
        block = pin.array().take([own for _, own in found], axis)  # (rows, columns)
        value = tuple(map(tuple, block.tolist()))
    if axis == 0:
        return replace(pin, rows=kept, value=value)
    return replace(pin, columns=kept, value=value)


def _places(positions: Positions, last: int) -> dict[int, int]:
    """Return which of a pin's rows or columns a position is."""
    if isinstance(positions, range):
        positions = tuple(
            range(positions.start, min(positions.stop, last + 1), positions.step)
        )
    return {position: own for own, position in enumerate(positions)}
