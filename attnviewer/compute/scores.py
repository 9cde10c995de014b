"""The n × n steps of a computation, read window by window.

Nothing here stores n × n numbers: a window of the scores is the product of the
queries and keys it lies at, and each step after it a change in place.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Selection, Shape
from attnviewer.compute.stages import ApplyMask, Comparison, PointWise, Score, Stage


class Scores:
    """The comparison of queries with keys, and the steps on it before the weights.

    Parameters
    ----------
    stages : sequence of Stage
        All stages of the pipeline.
    values : mapping of str to ndarray
        The steps that the scores are computed from; read anew at each window.
    """

    def __init__(self, stages: Sequence[Stage], values: Mapping[str, Array]) -> None:
        (self._comparison,) = (s for s in stages if isinstance(s, Comparison))
        self._chain = [stage for stage in stages if isinstance(stage, PointWise)]
        self._values = values
        queries, keys = (values[name] for name in self._comparison.inputs[:2])
        self.shape: Shape = (*queries.shape[:-1], keys.shape[-2])
        self.spread()

    def spread(self) -> None:
        """Read bias and mask anew."""
        self._others = {
            stage.name: stage.spread(
                self.shape, *(self._values[name] for name in stage.inputs[1:])
            )
            for stage in self._chain
        }

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps, from the scores to what is normalised."""
        return self._comparison.name, *(stage.name for stage in self._chain)

    @property
    def dtype(self) -> "np.dtype[np.floating[Any]]":
        """The type of the numbers."""
        return self._values[self._comparison.inputs[0]].dtype

    @property
    def slope(self) -> float | None:
        """What a change of the dot products is multiplied by before it is normalised.

        None where they are no dot products, or a step on them is not linear.
        """
        slope = 1.0 if isinstance(self._comparison, Score) else None
        for stage in self._chain:
            if slope is None or stage.slope is None:
                return None
            slope *= stage.slope
        return slope

    @property
    def others(self) -> tuple[str, ...]:
        """The inputs of the comparison and of the steps on it beside the `sides`."""
        more = (name for stage in self._chain for name in stage.inputs[1:])
        return *self._comparison.inputs[2:], *more

    @property
    def sides(self) -> tuple[str, str]:
        """The steps whose rows are compared."""
        queries, keys, *_ = self._comparison.inputs
        return queries, keys

    def window(
        self,
        step: str,
        lead: Index = (),
        rows: Selection = ALL,
        columns: Selection = ALL,
        *,
        out: Array | None = None,
    ) -> Array:
        """Compute a window of a step.

        Parameters
        ----------
        step : str
            One of `steps`.
        lead : tuple of int
            Batch item and head; () for all.
        rows, columns : slice without step, or ndarray of intp
            The window.
        out : ndarray, shape (..., rows, columns), optional
            Where to write it.
        """
        inputs = (self._values[name] for name in self._comparison.inputs)
        window = self._comparison.window(lead, rows, columns, *inputs, out=out)
        for stage in self._chain[: self.steps.index(step)]:
            stage.apply(window, lead, rows, columns, *self._others[stage.name])
        return window

    def last(
        self,
        lead: Index = (),
        rows: Selection = ALL,
        columns: Selection = ALL,
        *,
        out: Array | None = None,
    ) -> Array:
        """Compute a window of the step that is normalised."""
        return self.window(self.steps[-1], lead, rows, columns, out=out)

    def hidden(
        self, lead: Index, rows: Selection = ALL, columns: Selection = ALL
    ) -> BoolArray | None:
        """Return which cells of a window a mask hides; None without a mask."""
        for stage in self._chain:
            if isinstance(stage, ApplyMask):
                window = np.empty(self.shape[-2:])[rows][..., columns]
                hidden = stage.hidden(
                    window, lead, rows, columns, *self._others[stage.name]
                )
                return np.broadcast_to(hidden, window.shape)
        return None

    def reach(self, lead: Index, first: int, last: int) -> slice:
        """Return the keys that some of the rows first to last may see; at least one."""
        n_keys = self.shape[-1]
        for stage in self._chain:
            if isinstance(stage, ApplyMask) and stage.n_keys == n_keys:
                start, stop = stage.visible(lead, first, last)
                start = min(start, n_keys - 1)
                return slice(start, max(stop, start + 1))
        return slice(0, n_keys)
