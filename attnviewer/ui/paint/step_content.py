"""The content of the pages of the step view: one head of a step, with its labels."""

from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import (
    Axis,
    BoolArray,
    Combined,
    Dirty,
    Folded,
    Folding,
    InMemory,
    Overview,
    StepHead,
    Subtraction,
    Windowed,
)
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.step_scale import is_large, step_scale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.folds import NO_FOLDS, Bracket, Folds
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.text.tokens import lines_along


@dataclass(frozen=True, slots=True)
class DisplayedStep:
    """The content of the step view.

    Parameters
    ----------
    computed : Computed
        The newest trace and its labels.
    step : str
        A step of the trace.
    head : int
        The query head.
    look : Look
        The step's colours.
    theme : Theme
        The current theme.
    changed : tuple of Dirty, or None
        Where the numbers may differ from those the page shows; None for everywhere.
    folds : Folds
        The groups of tokens, and which are folded.
    """

    computed: Computed
    step: str
    head: int
    look: Look
    theme: Theme
    changed: tuple[Dirty, ...] | None = None
    folds: Folds = NO_FOLDS

    def after(self, before: "DisplayedStep | None") -> "DisplayedStep":
        """Return the same for a page that already shows `before`."""
        if before is None or (self.step, self.head) != (before.step, before.head):
            return self
        own = own_head(self.computed.trace, self.step, self.head)
        changed = self.computed.changed_since(before.computed, self.step, own)
        return replace(self, changed=changed)


@dataclass(frozen=True, slots=True, eq=False)
class StepContent:
    """A matrix with its labels and colours.

    Parameters
    ----------
    step : str
        The step.
    matrix : Windowed
        Its numbers, and which of them are masked.
    scale : ColorScale
        Its colour scale; that of the whole step unless each head has its own.
    axes : tuple of two Axis
        The axes of rows and columns.
    row_labels, column_labels : tuple of str
        Their labels.
    look : Look, optional
        The choices that the scale and the filter follow from.
    overview : Overview, optional
        The matrix in blocks, if it is too large to be read for each picture.
    signed : bool, optional
        Whether its numbers can be negative.
    brackets : tuple of two tuple of Bracket, optional
        The groups of its rows and of its columns.
    folding : Folding, optional
        How the rows and columns of a step were combined.
    """

    step: str
    matrix: Windowed
    scale: ColorScale
    axes: tuple[Axis, Axis]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    look: Look = AUTOMATIC
    overview: Overview | None = None
    signed: bool = True
    brackets: tuple[tuple[Bracket, ...], tuple[Bracket, ...]] = ((), ())
    folding: Folding | None = None

    @property
    def picture_key(self) -> tuple[object, ...]:
        """All that its picture depends on, but for the numbers and the theme."""
        return self.scale, self.look, self.brackets, self.folding

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.matrix.shape

    @property
    def cells(self) -> int:
        """The count of numbers that are read of the step to show it whole."""
        if self.folding is not None:
            return self.folding.cells
        rows, columns = self.shape
        return rows * columns

    @property
    def is_weights(self) -> bool:
        """Whether its rows divide attention among keys, and so have statistics."""
        return self.step == "weights"

    @property
    def is_scores(self) -> bool:
        """Whether its rows compare a query with all keys, without being shares."""
        return self.axes == ("queries", "keys") and self.step != "weights"

    @property
    def sums_received(self) -> bool:
        """Whether a sum of a column is what its key receives of all queries."""
        whole = self.folding is None or (
            self.folding.keeps_shares and not self.folding.combines_rows
        )
        return self.is_weights and whole

    @property
    def choosable(self) -> bool:
        """Whether its look is that of the step and can be edited."""
        return True

    def shown(self, rows: slice, columns: slice) -> BoolArray | None:
        """Return the cells that the filter does not dim, (rows, columns); None for all.

        Reads whole rows.
        """
        if self.look.filter is None:
            return None
        whole = self.matrix.window(rows)  # (rows, all columns)
        floors = self.look.filter.floors(whole)  # (rows,)
        return self.look.filter.shows(whole[:, columns], floors)

    @property
    def writes_hidden(self) -> bool:
        """Whether masked cells show their number; masked weights are all zero."""
        return self.step != "weights"

    @property
    def writes_plus(self) -> bool:
        """Whether positive numbers have their sign, as differences do."""
        return False

    def folded(self, matrix: Windowed) -> Windowed:
        """Return another matrix of the step, folded as this one is."""
        return matrix if self.folding is None else Folded(matrix, self.folding)

    def with_matrix(self, matrix: Windowed) -> "StepContent":
        """Return another matrix with the same labels and colours."""
        return replace(self, matrix=matrix, overview=None)

    def emptied(self) -> "StepContent":
        """Return the same with NaN in every cell, without allocating them."""
        nothing = np.broadcast_to(np.float32(np.nan), self.shape)
        return self.with_matrix(InMemory(nothing))

    def value(self, row: int, column: int) -> float:
        """Return the number in a cell."""
        here = slice(row, row + 1), slice(column, column + 1)
        return float(self.matrix.window(*here)[0, 0])

    def pinned(self, rows: slice, columns: slice) -> BoolArray | None:
        """Return which cells are pinned, (rows, columns); None where none can be."""
        if isinstance(
            self.matrix, StepHead | Subtraction | Combined | Folded | InMemory
        ):
            return self.matrix.pinned(rows, columns)
        return None

    def computed_value(self, row: int, column: int) -> float | None:
        """Return the number of a pinned cell before its pins; None for other cells."""
        if not isinstance(self.matrix, StepHead):
            return None
        return self.matrix.computed_value(row, column)


class DerivedContent(StepContent):
    """A matrix that is no step: its rows have no statistics, its look no choices."""

    __slots__ = ()

    @property
    def is_weights(self) -> bool:
        """Whether its rows are distributions over keys: never."""
        return False

    @property
    def is_scores(self) -> bool:
        """Whether its rows have the statistics of scores: never."""
        return False

    @property
    def writes_hidden(self) -> bool:
        """Whether masked cells show their number: never."""
        return False

    @property
    def choosable(self) -> bool:
        """Whether its look can be edited: no."""
        return False


def content_of(shown: DisplayedStep) -> StepContent:
    """Return one head of a step of a trace, the last one if there are fewer."""
    computed = shown.computed
    trace, labels = computed.trace, computed.labels
    stage, head = trace.stages[shown.step], present_head(trace, shown.head)
    matrix = StepHead(trace, shown.step, head)
    rows, columns = matrix.shape
    # Made first: the limits of the colours would otherwise make a smaller one.
    overview = computed.overview(shown.step, head) if is_large(matrix.shape) else None
    return StepContent(
        shown.step,
        matrix,
        step_scale(computed, shown.step, head, shown.theme, shown.look),
        stage.axes,
        lines_along(stage.axes[0], labels, rows),
        lines_along(stage.axes[1], labels, columns),
        shown.look,
        overview,
        signed=stage.signed,
    )
