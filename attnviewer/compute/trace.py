"""The result of a computation: every step by name."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index, Shape
from attnviewer.compute.formula import Formula
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import ApplyMask, Stage
from attnviewer.compute.statistics import finite_limits

TERM_LIMIT = 12
"""How many terms of a sum an explanation writes before it sums up the rest."""


class Trace(Mapping[str, Array]):
    """Every step of one attention computation, inputs first, read-only.

    A mapping of step names to arrays: inputs and projections ``(rows, columns)``,
    the steps between the projections and the concatenation with a leading head
    axis where there are several heads.

    Parameters
    ----------
    spec : Spec
        The variant that was computed.
    stages : sequence of Stage
        Its stages in order.
    values : mapping of str to ndarray
        What each stage returned.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.compute import Spec, run
    >>> trace = run(Spec(projected=False), {"X": np.eye(2)})
    >>> list(trace)
    ['X', 'scores', 'scaled', 'weights', 'output']
    >>> trace["scores"]
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(
        self, spec: Spec, stages: Sequence[Stage], values: Mapping[str, Array]
    ) -> None:
        self.spec = spec
        self.stages: Mapping[str, Stage] = MappingProxyType({s.name: s for s in stages})
        self._values = {name: _read_only(array) for name, array in values.items()}
        # Looked up at each repaint, and worth a pass over n × n only once.
        self._hidden: BoolArray | None = None
        self._limits: dict[str, tuple[float, float] | None] = {}

    def __getitem__(self, step: str) -> Array:
        return self._values[step]

    def __iter__(self) -> Iterator[str]:
        return iter(self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    def shape(self, step: str) -> Shape:
        """Return the shape of a step, with the head axis if it has one."""
        return self._values[step].shape

    def n_heads(self, step: str) -> int:
        """Return how many heads a step has; 1 for a step without a head axis."""
        shape = self.shape(step)
        return shape[0] if len(shape) == 3 else 1

    def window(
        self,
        step: str,
        rows: slice = slice(None),
        columns: slice = slice(None),
        *,
        head: int = 0,
    ) -> Array:
        """Return a window of a step, shape (rows, columns).

        Parameters
        ----------
        step : str
            The step.
        rows, columns : slice
            The window; everything by default.
        head : int
            Which head, counted from zero. Steps without heads have only head 0
            and give the same window for all.
        """
        values = self._values[step]
        if values.ndim == 3:
            return values[head, rows, columns]
        return values[rows, columns]

    def hidden(self, step: str) -> BoolArray | None:
        """Return which cells of a step a mask hides, shape (n_q, n_k), read-only.

        None where nothing is hidden: before the mask, after the weights, and in
        variants without one.
        """
        mask = self.stages.get("masked")
        if step not in ("masked", "weights") or not isinstance(mask, ApplyMask):
            return None
        if self._hidden is None:
            n_q, n_k = self.shape(step)[-2:]
            self._hidden = mask.hidden(n_q, n_k)
            self._hidden.flags.writeable = False
        return self._hidden

    def limits(self, step: str) -> tuple[float, float] | None:
        """Return the smallest and largest finite number of a step, over all heads.

        None if it has none.
        """
        if step not in self._limits:
            self._limits[step] = finite_limits(self._values[step])
        return self._limits[step]

    def query(self, query: int, *, head: int = 0) -> dict[str, Array]:
        """Return what one query sees: its row of every step that has queries.

        The same numbers as in the matrix form, as the loop over one query would
        compute them.

        Parameters
        ----------
        query : int
            The query, counted from zero.
        head : int
            Which head, counted from zero.

        Returns
        -------
        dict of str to ndarray, shape (columns,)
            ``scores``, ``weights``, ``output`` and whatever lies between.

        Raises
        ------
        IndexError
            If there is no such query.
        """
        n_queries = self.shape("scores")[-2]
        if not 0 <= query < n_queries:
            raise IndexError(
                f"The 'query' must be from 0 to {n_queries - 1}. Got {query} instead."
            )
        return {
            name: self.window(name, slice(query, query + 1), head=head)[0]
            for name, stage in self.stages.items()
            if stage.axes[0] == "queries"
        }

    def explain(self, step: str, index: Index, *, limit: int = TERM_LIMIT) -> Formula:
        """Write a cell of a step out with its own numbers, one level deep.

        Parameters
        ----------
        step : str
            The step.
        index : tuple of int
            ``(row, column)``, or ``(head, row, column)`` where the step has heads.
        limit : int
            How many terms a sum may have before the smaller ones are summed up.
        """
        stage = self.stages[step]
        inputs = [self._values[name] for name in stage.inputs]
        with np.errstate(all="ignore"):
            return stage.explain(inputs, self._values[step], index, limit)


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
