"""Two computations side by side, cell by cell."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from attnviewer.compute import (
    Aligned,
    Axis,
    IndexArray,
    LargestChanges,
    StepHead,
    Trace,
    Windowed,
)
from attnviewer.document.alignment import matching_places
from attnviewer.document.labels import Labels, axis_labels

ERRORS = 2**8
"""Rounding errors of the largest number that a sum may be off by."""


class Side(NamedTuple):
    """One of two computations.

    Parameters
    ----------
    trace : Trace
        Its steps.
    labels : Labels
        Its tokens.
    """

    trace: Trace
    labels: Labels


@dataclass(frozen=True, slots=True, eq=False)
class StepPair:
    """A step in both computations, in the shape that it has in B.

    Parameters
    ----------
    after, before : tuple of Windowed
        B and A, each head of the step by itself.
    partial : bool
        Whether A lacks rows or columns that B has; these are hidden then.
    rounding : float
        Up to which share of the largest number differences mean nothing: numbers
        that an edit has updated were added up in another order. 0 for inputs.
    """

    after: tuple[Windowed, ...]
    before: tuple[Windowed, ...]
    partial: bool
    rounding: float

    def changes(self) -> LargestChanges:
        """Return what is to compare all heads."""
        heads = list(zip(self.after, self.before, strict=True))
        return LargestChanges(heads, rounding=self.rounding)


class Incomparable(NamedTuple):
    """Why a step cannot be compared.

    Parameters
    ----------
    what : str
        ``step`` if A has no such step, ``heads`` or ``features`` if their number
        is another one, ``tokens`` if B and A have none in common.
    after, before : int
        How many of them B and A have.
    """

    what: Literal["step", "heads", "features", "tokens"]
    after: int
    before: int


class Comparison:
    """What became of every step.

    Where the number of tokens is another one, those that are called the same are
    compared with each other, see `matching_places`.

    Parameters
    ----------
    after, before : Side
        B and A.
    """

    def __init__(self, after: Side, before: Side) -> None:
        self.after, self.before = after, before

    def pair(self, step: str) -> StepPair | Incomparable:
        """Return a step of B and what it is compared with, or why it is not."""
        after, before = self.after.trace, self.before.trace
        if step not in before:
            return Incomparable("step", 1, 0)
        n_heads = after.n_heads(step), before.n_heads(step)
        if n_heads[0] != n_heads[1]:
            return Incomparable("heads", *n_heads)
        heads = _heads(after, step), _heads(before, step)
        shapes = heads[0][0].shape, heads[1][0].shape
        if shapes[0] == shapes[1]:
            return StepPair(*heads, False, self.rounding(step))
        sources = self.places(step)
        axes = after.stages[step].axes
        for axis, places, *counts in zip(axes, sources, *shapes, strict=True):
            if axis == "features" and counts[0] != counts[1]:
                return Incomparable("features", *counts)
            if (places < 0).all():
                return Incomparable("tokens", *counts)
        # B with the same gaps: what A lacks has not changed, it is not compared.
        same = [np.where(p < 0, p, np.arange(len(p))) for p in sources]
        return StepPair(
            tuple(Aligned(head, *same) for head in heads[0]),
            tuple(Aligned(head, *sources) for head in heads[1]),
            any((places < 0).any() for places in sources),
            self.rounding(step),
        )

    def places(self, step: str) -> tuple[IndexArray, IndexArray]:
        """Return which row and column of A those of B are, −1 for those it lacks.

        Parameters
        ----------
        step : str
            A step that both have.

        Returns
        -------
        rows, columns : ndarray of intp, shape (rows of B,) and (columns of B,)
        """
        after, before = self.after.trace, self.before.trace
        rows, columns = (
            self._sources(axis, *counts)
            for axis, *counts in zip(
                after.stages[step].axes,
                StepHead(after, step, 0).shape,
                StepHead(before, step, 0).shape,
                strict=True,
            )
        )
        return rows, columns

    def rounding(self, step: str) -> float:
        """Return which share of a step's largest number rounding alone may change."""
        traces = [side.trace for side in (self.after, self.before)]
        types = {trace[trace.spec.sources[0]].dtype for trace in traces}
        if len(types) == 1 and not self.after.trace.stages[step].inputs:
            return 0.0
        return ERRORS * max(float(np.finfo(dtype).eps) for dtype in types)

    def _sources(self, axis: Axis, after: int, before: int) -> IndexArray:
        """Return which row or column of A each of B is, −1 for those it lacks."""
        if after == before:
            return np.arange(after)
        if axis == "features":
            return np.full(after, -1)
        return matching_places(
            tuple(axis_labels(axis, self.after.labels, after)),
            tuple(axis_labels(axis, self.before.labels, before)),
        )


def _heads(trace: Trace, step: str) -> tuple[Windowed, ...]:
    """Return the heads of a step; one that several queries share comes once."""
    return tuple(
        StepHead(trace, step, trace.served_by(step, own)[0])
        for own in range(trace.n_heads(step))
    )
