"""The base of stages that change scores one by one."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index, Part, Shape
from attnviewer.compute.changes import Dirty, union
from attnviewer.compute.stages.base import Stage


class PointWise(Stage):
    """A stage that changes each score on its own, in place.

    Its first input are the scores; the others are broadcast to them.
    """

    kind = "scores one by one"
    slope: float | None = 1.0
    """The factor of a difference of scores; None where the stage is not linear."""

    hides = False
    """Whether the stage hides keys from queries; which ones, `hidden` returns."""

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        scores, *others = inputs
        window = part.of(scores).copy()  # (..., rows, columns)
        self.apply(window, part, *self.spread(scores.shape, *others))
        return window

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        return union(dirty)

    @abstractmethod
    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        """Overwrite a window of the scores.

        Parameters
        ----------
        scores : ndarray, shape (..., rows, columns)
            The window.
        part : Part
            Which part of the scores it is.
        *others : ndarray, shape (..., n_q, n_k)
            The other inputs, as `spread` returned them.
        """

    def spread(self, shape: Shape, *others: Array) -> tuple[Array, ...]:
        """Return the other inputs broadcast to the shape of all scores."""
        return tuple(np.broadcast_to(other, shape) for other in others)

    def takes_row(self, number: int, shape: Shape) -> bool:
        # Bias or mask, which may be one row for all queries.
        return shape[-2:-1] not in ((), (1,))

    def hidden(self, scores: Array, part: Part, *others: Array) -> BoolArray | None:
        """Return which scores of a window are hidden, to be broadcast to it.

        None where the stage hides none. The parameters are those of `apply`.
        """
        return None

    def seen(self, lead: Index, first: int, last: int, n_keys: int) -> slice:
        """Return a range of at least one key that holds all which the rows may see.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head.
        first, last : int
            The first and the last row.
        n_keys : int
            The number of keys.
        """
        return slice(0, n_keys)
