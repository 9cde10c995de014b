"""What the pages of the step view show: one head of one step, with its labels."""

from dataclasses import dataclass

from attnviewer.compute import Array, Axis, BoolArray
from attnviewer.document import axis_labels
from attnviewer.ui.colors import ColorScale, scale_for
from attnviewer.ui.engine import Computed
from attnviewer.ui.heads import present_head
from attnviewer.ui.theme import Theme
from attnviewer.ui.tokens import one_line


@dataclass(frozen=True, slots=True, eq=False)
class StepContent:
    """One head of one step.

    Parameters
    ----------
    step : str
        The step.
    values : ndarray, shape (rows, columns)
        Its numbers.
    hidden : ndarray of bool, shape (rows, columns), or None
        Cells that a mask hides.
    scale : ColorScale
        Colours of the whole step, the same for all its heads.
    axes : tuple of two Axis
        What rows and columns stand for.
    row_labels, column_labels : tuple of str
        Their labels.
    """

    step: str
    values: Array
    hidden: BoolArray | None
    scale: ColorScale
    axes: tuple[Axis, Axis]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.values.shape
        return rows, columns

    @property
    def is_weights(self) -> bool:
        """Whether its rows are distributions over keys, which have statistics."""
        return self.step == "weights"


def content_of(computed: Computed, step: str, head: int, theme: Theme) -> StepContent:
    """Take one head of a step out of a trace.

    Parameters
    ----------
    computed : Computed
        The trace and its labels.
    step : str
        A step of the trace.
    head : int
        Which head of the queries; the last one if there are fewer.
    theme : Theme
        The theme in force.
    """
    trace, labels = computed.trace, computed.labels
    stage = trace.stages[step]
    head = present_head(trace, head)
    values = trace.window(step, head=head)  # (rows, columns)
    return StepContent(
        step,
        values,
        trace.hidden(step, head=head),
        scale_for(trace.limits(step), signed=stage.signed, theme=theme),
        stage.axes,
        tuple(map(one_line, axis_labels(stage.axes[0], labels, values.shape[0]))),
        tuple(map(one_line, axis_labels(stage.axes[1], labels, values.shape[1]))),
    )
