"""Steps that somebody else computed, read like a trace."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index
from attnviewer.compute.trace import Trace


class GivenSteps(Trace):
    """Some steps of an attention as they are given, beside their inputs.

    Steps that are not given are not there. Which heads serve which is as in the
    computation that they are compared with.

    Parameters
    ----------
    like : Trace
        The computation that the steps belong to.
    given : mapping of str to ndarray
        The steps, each of the shape that it has in `like`; NaN is allowed.

    Raises
    ------
    ValueError
        If one is no step of `like`, or of another shape.
    """

    def __init__(self, like: Trace, given: Mapping[str, Array]) -> None:
        for name, array in given.items():
            if name not in like or array.shape != like.shape(name):
                expected = like.shape(name) if name in like else "none"
                raise ValueError(
                    f"The '{name}' must be a step of shape {expected}. "
                    f"Got {array.shape} instead."
                )
        inputs = {name: like[name] for name in like if not like.stages[name].inputs}
        values = {**inputs, **{n: np.asarray(a, np.float64) for n, a in given.items()}}
        stages = [stage for name, stage in like.stages.items() if name in values]
        super().__init__(like.spec, stages, values, like._weights)
        # The sections of the whole: some of the stages alone have none.
        self.pipeline = like.pipeline
        self._n_query_heads = like.n_query_heads

    @property
    def n_query_heads(self) -> int:
        """The number of heads of queries in the computation."""
        return self._n_query_heads

    def hidden(
        self,
        step: str,
        rows: slice = ALL,
        columns: slice = ALL,
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> BoolArray | None:
        """Return which cells are hidden, and hold nothing: −∞, or no weight.

        What is given may have numbers where the mask should hide them.
        """
        hidden = super().hidden(step, rows, columns, head=head, batch=batch)
        if hidden is None:
            return None
        given = self.window(step, rows, columns, head=head, batch=batch)
        nothing = -np.inf if step in self._weights.scores.steps else 0.0
        empty: BoolArray = hidden & (given == nothing)
        return empty
