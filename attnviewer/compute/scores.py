"""The n × n steps of a computation, read window by window.

No n × n array is stored here: a window of the scores is the product of its queries and
keys, and each later step changes that window in place.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Shape,
    count,
)
from attnviewer.compute.changes import Dirty, union
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.scale import Scale
from attnviewer.compute.stages.score import Score

_LEAST_BYTES = 4
"""The least bytes of numbers whose scale may multiply the queries instead."""


class Scores:
    """The comparison of queries with keys, and the steps on it before the weights.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    values : mapping of str to ndarray
        The steps that the scores are computed from; read at each window.
    """

    def __init__(self, pipeline: Pipeline, values: Mapping[str, Array]) -> None:
        self._comparison = pipeline.comparison
        self._chain = pipeline.on_scores
        self._values = values
        self._scaled = self._scaled_comparison()
        queries, keys = (values[name] for name in self._comparison.inputs[:2])
        self.shape: Shape = (*queries.shape[:-1], keys.shape[-2])
        self.spread()

    def spread(self) -> None:
        """Reread bias and mask."""
        self._others = {
            stage.name: stage.spread(
                self.shape, *(self._values[name] for name in stage.inputs[1:])
            )
            for stage in self._chain
        }

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps, from the scores to the one that is normalised."""
        return self._comparison.name, *(stage.name for stage in self._chain)

    @property
    def dtype(self) -> "np.dtype[np.floating[Any]]":
        """The type of the numbers."""
        return self._values[self._comparison.inputs[1]].dtype

    @property
    def slope(self) -> float | None:
        """The factor of a change of the dot products in the normalised step.

        None where the scores are not dot products, or a step on them is not linear.
        """
        slope = self._comparison.slope
        for stage in self._chain:
            if slope is None or stage.slope is None:
                return None
            slope *= stage.slope
        return slope

    @property
    def others(self) -> tuple[str, ...]:
        """The inputs of the comparison and of the steps on it, besides the `sides`."""
        more = (name for stage in self._chain for name in stage.inputs[1:])
        return *self._comparison.inputs[2:], *more

    @property
    def sides(self) -> tuple[str, str]:
        """The steps whose rows are compared."""
        queries, keys, *_ = self._comparison.inputs
        return queries, keys

    def reached_by(self, name: str, block: Dirty) -> Dirty | None:
        """Return the scores that a changed block of an input reaches.

        Parameters
        ----------
        name : str
            One of `others`.
        block : Dirty
            The block, as broadcast to the scores.
        """
        stages = [stage for stage in self._chain if name in stage.inputs[1:]]
        blocks = [[block if i == name else None for i in s.inputs] for s in stages]
        return union(
            [s.reach(b, self.shape) for s, b in zip(stages, blocks, strict=True)]
        )

    def pinned_rows(self, lead: Index) -> IndexArray:
        """Return the rows of a matrix in which a score is pinned."""
        stages = (self._comparison, *self._chain)
        rows = [s.pins.rows(lead, self.shape[-2]) for s in stages if s.pins is not None]
        if not rows:
            return np.empty(0, np.intp)
        return np.unique(np.concatenate(rows))

    def window(self, step: str, part: Part) -> Array:
        """Compute a part of a step, one of `steps`."""
        window = self.compare(part)
        self.finish(window, part, step)
        return window

    def last(self, part: Part) -> Array:
        """Compute a part of the step that is normalised."""
        return self.window(self.steps[-1], part)

    def write(self, part: Part, out: Array, step: str | None = None) -> None:
        """Write a part of a step into memory; by default, of the last step."""
        n_stages = len(self._chain) if step is None else self.steps.index(step)
        if self._scaled is not None and n_stages:
            sides = [self._values[name] for name in self._scaled.inputs]
            if self._scaled.stays_in_range(part, *sides):
                self._scaled.forward(part, *sides, out=out)
                self._apply(slice(1, n_stages), out, part)
                return
        self.compare(part, out)
        self.finish(out, part, step)

    def compare(self, part: Part, out: Array | None = None) -> Array:
        """Compute a part of the comparison, into `out` if it is given."""
        inputs = (self._values[name] for name in self._comparison.inputs)
        return self._comparison.forward(part, *inputs, out=out)

    def finish(self, window: Array, part: Part, step: str | None = None) -> None:
        """Turn a part of the comparison into that of a step; by default the last."""
        n_stages = None if step is None else self.steps.index(step)
        self._apply(slice(0, n_stages), window, part)

    def _apply(self, stages: slice, window: Array, part: Part) -> None:
        for stage in self._chain[stages]:
            stage.apply(window, part, *self._others[stage.name])

    def _scaled_comparison(self) -> Score | None:
        """Return the comparison and its scale in one, where the numbers are the same.

        They are where the scale is a power of two, but for overflow, see
        `Score.stays_in_range`, and underflow, which is common in half precision.
        """
        scale = self._chain[0] if self._chain else None
        comparison = self._comparison
        if type(scale) is not Scale or not isinstance(comparison, Score):
            return None
        if comparison.pins is not None:
            return None
        if self.dtype.itemsize < _LEAST_BYTES:
            return None
        factor = scale.slope
        if factor is None or math.frexp(factor)[0] != 0.5:
            return None
        return comparison.times(factor)

    def hidden(self, part: Part) -> BoolArray | None:
        """Return which cells of a part a mask hides; None without a mask."""
        counts = map(count, (part.rows, part.columns), self.shape[-2:])
        window = np.broadcast_to(0.0, tuple(counts))  # (rows, columns)
        for stage in self._chain:
            hidden = stage.hidden(window, part, *self._others[stage.name])
            if hidden is not None:
                return np.broadcast_to(hidden, window.shape)
        return None

    def reach(self, lead: Index, first: int, last: int) -> slice:
        """Return the keys that some of the rows first to last may see; at least one."""
        start, stop = 0, (n_keys := self.shape[-1])
        for stage in self._chain:
            seen = stage.seen(lead, first, last, n_keys)
            start, stop = max(start, seen.start), min(stop, seen.stop)
        return slice(start, max(stop, start + 1))
