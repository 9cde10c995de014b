"""Two computations side by side, cell by cell."""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from attnviewer.compute import (
    NUMBERED,
    Aligned,
    Axis,
    Folded,
    Folding,
    IndexArray,
    LargestChanges,
    StepHead,
    Trace,
    Windowed,
    spans_around,
)
from attnviewer.document.alignment import matching_indices
from attnviewer.document.labels import Labels, axis_labels

ERRORS = 2**8
"""Tolerance of a sum, in rounding errors of its largest number."""


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
        Differences up to this share of the largest number are rounding: numbers that an
        edit has updated were summed in another order. 0 for inputs.
    folding : Folding, optional
        How rows and columns of both are combined.
    """

    after: tuple[Windowed, ...]
    before: tuple[Windowed, ...]
    partial: bool
    rounding: float
    folding: Folding | None = None

    def changes(self) -> LargestChanges:
        """Return the changes of all heads."""
        heads = list(zip(self.after, self.before, strict=True))
        return LargestChanges(heads, rounding=self.rounding)

    def folded(self, folding: Folding) -> "StepPair":
        """Return the same with rows and columns combined."""
        after, before = (
            tuple(Folded(head, folding) for head in heads)
            for heads in (self.after, self.before)
        )
        return replace(self, after=after, before=before, folding=folding)


class Incomparable(NamedTuple):
    """The reason why a step cannot be compared.

    Parameters
    ----------
    what : str
        ``step`` if A has no such step, ``heads`` or ``features`` if their numbers
        differ, ``tokens`` if A and B have none in common.
    after, before : int
        How many of them B and A have.
    """

    what: Literal["step", "heads", "features", "tokens"]
    after: int
    before: int


class Comparison:
    """The change of every step from A to B.

    Where the numbers of tokens differ, tokens are matched by name, see
    `matching_indices`.

    Parameters
    ----------
    after, before : Side
        B and A.
    """

    def __init__(self, after: Side, before: Side) -> None:
        self.after, self.before = after, before

    def pair(self, step: str) -> StepPair | Incomparable:
        """Return a step of B and its counterpart in A, or why there is none."""
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
        sources = self.indices(step)
        axes = after.stages[step].axes
        for axis, indices, *counts in zip(axes, sources, *shapes, strict=True):
            if axis in NUMBERED and counts[0] != counts[1]:
                return Incomparable("features", *counts)
            if (indices < 0).all():
                return Incomparable("tokens", *counts)
        # B gets the same gaps: what A lacks is not compared, rather than unchanged.
        same = [np.where(p < 0, p, np.arange(len(p))) for p in sources]
        return StepPair(
            tuple(Aligned(head, *same) for head in heads[0]),
            tuple(Aligned(head, *sources) for head in heads[1]),
            any((indices < 0).any() for indices in sources),
            self.rounding(step),
        )

    def indices(self, step: str) -> tuple[IndexArray, IndexArray]:
        """Return the rows and columns of A that match those of B, or −1.

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

    def foldings(self, step: str, folding: Folding) -> tuple[Folding, Folding]:
        """Return how both sides of a step are folded alike.

        Groups are folded whose tokens are neighbours in A as well.

        Parameters
        ----------
        step : str
            A step that both have.
        folding : Folding
            How B is to be folded.

        Returns
        -------
        after, before : Folding
            Those of B and of A.
        """
        sides = []
        shape = StepHead(self.before.trace, step, 0).shape
        asked = folding.rows, folding.columns
        for spans, sources, count in zip(asked, self.indices(step), shape, strict=True):
            alike = [
                (start, stop)
                for start, stop in spans
                if stop - start > 1
                and sources[start] >= 0
                and (np.diff(sources[start:stop]) == 1).all()
            ]
            first = sources.tolist()
            there = [(first[a], first[a] + b - a) for a, b in alike]
            sides.append(
                (spans_around(len(sources), alike), spans_around(count, there))
            )
        rows, columns = sides
        after, before = (
            replace(folding, rows=down, columns=across)
            for down, across in zip(rows, columns, strict=True)
        )
        return after, before

    def rounding(self, step: str) -> float:
        """Return the share of a step's largest number that is mere rounding."""
        traces = [side.trace for side in (self.after, self.before)]
        types = {trace[trace.spec.sources[0]].dtype for trace in traces}
        if len(types) == 1 and not self.after.trace.stages[step].inputs:
            return 0.0
        return ERRORS * max(float(np.finfo(dtype).eps) for dtype in types)

    def _sources(self, axis: Axis, after: int, before: int) -> IndexArray:
        """Return the row or column of A that matches each one of B, or −1."""
        if after == before:
            return np.arange(after)
        if axis in NUMBERED:
            return np.full(after, -1)
        return matching_indices(
            tuple(axis_labels(axis, self.after.labels, after)),
            tuple(axis_labels(axis, self.before.labels, before)),
        )


def _heads(trace: Trace, step: str) -> tuple[Windowed, ...]:
    """Return the heads of a step; a head shared by several query heads comes once."""
    return tuple(
        StepHead(trace, step, trace.served_by(step, own)[0])
        for own in range(trace.n_heads(step))
    )
