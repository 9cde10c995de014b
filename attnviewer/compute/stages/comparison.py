"""The base of stages that compare queries with keys."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.stages.base import Stage


class Comparison(Stage):
    """A stage that compares every query with every key.

    Its `forward` writes into `out` whenever it is given, and never returns a view of
    an input: the stages that follow work in place.
    """

    kind = "comparison"
    reads_rows = True
    slope: float | None = None
    """The factor of a difference of dot products; None for other scores."""

    def factors(self, query: Array, key: Array, *weights: Array) -> tuple[Array, ...]:
        """Return the factors of each term of a score, shape (terms,) each.

        By default those of a dot product.

        Parameters
        ----------
        query, key : ndarray, shape (terms,)
            Columns of a query and of a key.
        *weights : ndarray, shape (terms,)
            The same columns of the other inputs.
        """
        return query, key

    def shape(self, *inputs: Shape) -> Shape:
        queries, keys, *_ = inputs
        return *queries[:-1], keys[-2]

    def takes_row(self, number: int, shape: Shape) -> bool:
        return number == 0  # the queries

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        queries, keys, *others = dirty
        if any(block is not None for block in others):
            return EVERYTHING
        if keys is None:
            assert queries is not None
            return Dirty(rows=queries.rows, heads=queries.heads)
        if queries is None:
            return Dirty(columns=keys.rows)
        return EVERYTHING
