"""What the pages of the step view show: one head of one step, with its labels."""

from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import (
    Axis,
    BoolArray,
    Dirty,
    Given,
    Overview,
    StepHead,
    Windowed,
)
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.step_scale import is_large, step_scale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.text.tokens import lines_along


@dataclass(frozen=True, slots=True)
class Shown:
    """What the step view shows.

    Parameters
    ----------
    computed : Computed
        The newest trace and its labels.
    step : str
        A step of the trace.
    head : int
        Which head of the queries.
    look : Look
        How the step is coloured.
    theme : Theme
        The theme in force.
    changed : tuple of Dirty, or None
        Where the numbers may differ from those that the page shows already; None for
        everywhere.
    """

    computed: Computed
    step: str
    head: int
    look: Look
    theme: Theme
    changed: tuple[Dirty, ...] | None = None

    def after(self, before: "Shown | None") -> "Shown":
        """Return the same for a page that shows something already."""
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
        Its numbers, and which of them a mask hides.
    scale : ColorScale
        Its colours; those of the whole step unless each head has its own.
    axes : tuple of two Axis
        What rows and columns stand for.
    row_labels, column_labels : tuple of str
        Their labels.
    look : Look, optional
        What the scale comes from, and what else was chosen.
    overview : Overview, optional
        The matrix in blocks, if it is too large to be read for a picture.
    signed : bool, optional
        Whether its numbers may be negative.
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

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.matrix.shape

    @property
    def is_weights(self) -> bool:
        """Whether its rows are distributions over keys, which have statistics."""
        return self.step == "weights"

    @property
    def choosable(self) -> bool:
        """Whether its look is the step's, which can be chosen."""
        return True

    def shown(self, rows: slice, columns: slice) -> BoolArray | None:
        """Return which cells the filter does not dim, (rows, columns); None for all.

        Reads whole rows.
        """
        if self.look.filter is None:
            return None
        whole = self.matrix.window(rows)  # (rows, all columns)
        floors = self.look.filter.floors(whole)  # (rows,)
        return self.look.filter.shows(whole[:, columns], floors)

    @property
    def writes_hidden(self) -> bool:
        """Whether hidden cells bear their number; all such weights are zero."""
        return not self.is_weights

    def emptied(self) -> "StepContent":
        """Return the same with NaN in every cell, which takes no memory."""
        nothing = np.broadcast_to(np.float32(np.nan), self.shape)
        return replace(self, matrix=Given(nothing), overview=None)

    def value(self, row: int, column: int) -> float:
        """Return the number in a cell."""
        here = slice(row, row + 1), slice(column, column + 1)
        return float(self.matrix.window(*here)[0, 0])


def content_of(shown: Shown) -> StepContent:
    """Take one head of a step out of a trace, the last one if there are fewer."""
    computed = shown.computed
    trace, labels = computed.trace, computed.labels
    stage, head = trace.stages[shown.step], present_head(trace, shown.head)
    matrix = StepHead(trace, shown.step, head)
    rows, columns = matrix.shape
    return StepContent(
        shown.step,
        matrix,
        step_scale(computed, shown.step, head, shown.theme, shown.look),
        stage.axes,
        lines_along(stage.axes[0], labels, rows),
        lines_along(stage.axes[1], labels, columns),
        shown.look,
        computed.overview(shown.step, head) if is_large(matrix.shape) else None,
        signed=stage.signed,
    )
