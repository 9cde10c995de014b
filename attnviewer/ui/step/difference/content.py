"""What the heatmap shows of a comparison: A, B or B − A of one head of a step."""

from typing import Literal

from attnviewer.compute import LargestChanges, Subtraction, Windowed
from attnviewer.document import StepPair
from attnviewer.ui.heads import own_head
from attnviewer.ui.look.look import AUTOMATIC
from attnviewer.ui.look.step_scale import is_large, scale_for
from attnviewer.ui.step.content import Shown, StepContent
from attnviewer.ui.step.difference.finder import ChangesFinder
from attnviewer.ui.tokens import lines_along

Showing = Literal["A", "B", "B − A"]
SHOWINGS: tuple[Showing, ...] = ("A", "B", "B − A")


class DifferenceContent(StepContent):
    """A matrix whose rows are no distributions, and whose hidden cells are blank."""

    __slots__ = ()

    @property
    def is_weights(self) -> bool:
        """Whether its rows are distributions over keys: never."""
        return False

    @property
    def writes_hidden(self) -> bool:
        """Whether hidden cells bear their number: never."""
        return False

    @property
    def choosable(self) -> bool:
        """Whether its look can be chosen: no, it follows from what is compared."""
        return False


def compared_content(
    shown: Shown,
    pair: StepPair,
    changes: LargestChanges,
    showing: Showing,
    finder: ChangesFinder,
) -> StepContent | None:
    """Return what is shown of a comparison; None as long as it is being read.

    A and B have one scale, B − A one that is symmetric; all heads share them.

    Parameters
    ----------
    shown : Shown
        The step of B, and how it is shown.
    pair : StepPair
        The step of both.
    changes : LargestChanges
        What is known of the differences.
    showing : str
        ``A``, ``B`` or ``B − A``.
    finder : ChangesFinder
        Reads large matrices.
    """
    trace, labels = shown.computed.trace, shown.computed.labels
    stage, own = trace.stages[shown.step], own_head(trace, shown.step, shown.head)
    after, before = pair.after[own], pair.before[own]
    matrix: Windowed
    if showing == "B − A":
        matrix = Subtraction(after, before, changes.tolerance)
        limits = -changes.reach, changes.reach
        scale = scale_for(limits, signed=True, theme=shown.theme)
    else:
        matrix = after if showing == "B" else before
        scale = scale_for(
            changes.limits, signed=stage.signed, theme=shown.theme, look=shown.look
        )
    whole = showing != "B − A" and not pair.partial
    kind = StepContent if whole else DifferenceContent
    rows, columns = after.shape
    overview = None
    if is_large(after.shape):
        if changes.finished:
            overview = finder.overview((shown.step, own, showing), matrix)
        if overview is None:
            return None
    return kind(
        shown.step,
        matrix,
        scale,
        stage.axes,
        lines_along(stage.axes[0], labels, rows),
        lines_along(stage.axes[1], labels, columns),
        shown.look if whole else AUTOMATIC,
        signed=stage.signed or showing == "B − A",
        overview=overview,
    )
