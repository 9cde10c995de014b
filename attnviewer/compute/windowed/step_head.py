"""One head of a step."""

from attnviewer.compute.arrays import ALL, Array, BoolArray, IndexArray
from attnviewer.compute.expression import Cell
from attnviewer.compute.steps import StepReader
from attnviewer.compute.windowed.overview import MOST, Overview


class StepHead:
    """One head of a step as a matrix that is read by window.

    Two are equal if they are the same head of the same steps, and so have the same
    numbers.

    Parameters
    ----------
    steps : StepReader
        A trace, or the like.
    step : str
        The step.
    head : int
        The head of the queries, counted from zero; see `StepReader.window`.
    """

    def __init__(self, steps: StepReader, step: str, head: int = 0) -> None:
        self._steps = steps
        self._step = step
        self._head = head

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StepHead) and self._which == other._which

    def __hash__(self) -> int:
        return hash(self._which)

    @property
    def _which(self) -> tuple[object, ...]:
        return self._steps, self._step, self._head

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns; a step that is a row or a number counts as a matrix."""
        rows, columns = self._steps.matrix_shape(self._step)
        return rows, columns

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the numbers, shape (rows, columns)."""
        return self._steps.window(self._step, rows, columns, head=self._head)

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None if it hides none."""
        return self._steps.hidden(self._step, rows, columns, head=self._head)

    def sample(self, rows: IndexArray) -> tuple[Array, BoolArray | None]:
        """Return some ascending rows, and which of their cells a mask hides."""
        return self._steps.sample(self._step, rows, head=self._head)

    def overview(self, most: int = MOST, *, read: bool = True) -> Overview:
        """Return an overview of the head, exact or, of long sequences, as a sketch.

        Parameters
        ----------
        most, read
            As in `Overview`; what is read row by row is read at once in any case.
        """
        own = self._steps.own_overview(
            self, self._step, most, head=self._head, read=read
        )
        return Overview(self, most) if own is None else own

    def pinned(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells are pinned, (rows, columns); None if the step has none."""
        return self._steps.pinned(self._step, rows, columns, head=self._head)

    def computed_value(self, row: int, column: int) -> float | None:
        """Return the number of a pinned cell before its pins; None for other cells."""
        pinned = self.pinned(slice(row, row + 1), slice(column, column + 1))
        if pinned is None or not pinned[0, 0]:
            return None
        lead = self._steps.matrix_index(self._step, self._head)
        return self._steps.computed_value(Cell(self._step, (*lead, row, column)))
