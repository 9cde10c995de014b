"""The heatmap contents of a comparison: A, B, B − A or both, for one head."""

from typing import Literal, NamedTuple

from attnviewer.compute import LargestChanges, StepHead, Subtraction, Windowed
from attnviewer.document import Comparison
from attnviewer.document.comparison import Side, StepPair
from attnviewer.ui.paint.step_content import DerivedContent, DisplayedStep, StepContent
from attnviewer.ui.paint.step_scale import AROUND_ZERO, is_large, scale_for
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.views.step.difference.finder import (
    OTHER_PICTURE,
    PICTURE,
    ChangesFinder,
)

Showing = Literal["A", "B", "B − A", "A | B"]
SHOWINGS: tuple[Showing, ...] = ("A", "B", "B − A", "A | B")


class ChangesContent(DerivedContent):
    """The numbers of B minus those of A."""

    __slots__ = ()

    @property
    def writes_plus(self) -> bool:
        """Whether positive numbers have their sign: always."""
        return True


def compared_content(
    shown: DisplayedStep,
    pair: StepPair,
    changes: LargestChanges,
    showing: Showing,
    finder: ChangesFinder,
) -> StepContent | None:
    """Return the content of a comparison; None while it is being read.

    A and B share a scale, B − A has a symmetric one; all heads share them.

    Parameters
    ----------
    shown : DisplayedStep
        The step of B.
    pair : StepPair
        The step of A and B.
    changes : LargestChanges
        The differences known so far.
    showing : str
        ``A``, ``B`` or ``B − A``; see `side_contents` for both.
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
        scale = scale_for(limits, signed=True, theme=shown.theme, look=AROUND_ZERO)
    else:
        matrix = after if showing == "B" else before
        scale = scale_for(
            changes.limits, signed=stage.signed, theme=shown.theme, look=shown.look
        )
    whole = showing != "B − A" and not pair.partial
    partial = ChangesContent if showing == "B − A" else DerivedContent
    kind = StepContent if whole else partial
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


class Sides(NamedTuple):
    """The contents of two heatmaps, one for each side."""

    before: StepContent
    after: StepContent
    tolerance: float


def side_contents(
    shown: DisplayedStep, comparison: Comparison, finder: ChangesFinder
) -> Sides | None:
    """Return A and B in one scale; None while they are being read.

    Their shapes may differ, as nothing is subtracted.

    Parameters
    ----------
    shown : DisplayedStep
        The step of B; A has it as well.
    comparison : Comparison
        The two computations.
    finder : ChangesFinder
        Reads large matrices.
    """
    step = shown.step
    sides = comparison.before, comparison.after
    matrices = [head_of(side, step, shown.head) for side in sides]
    large = [is_large(matrix.shape) for matrix in matrices]
    pictures = OTHER_PICTURE, PICTURE
    overviews = [
        finder.overview((step, shown.head, "side"), matrix, picture) if wide else None
        for matrix, picture, wide in zip(matrices, pictures, large, strict=True)
    ]
    if any(w and o is None for w, o in zip(large, overviews, strict=True)):
        return None
    limits = [
        side.trace.limits(step) if overview is None else overview.limits()
        for side, overview in zip(sides, overviews, strict=True)
    ]
    known = [ends for ends in limits if ends is not None]
    lows, highs = zip(*known, strict=True) if known else ((0.0,), (0.0,))
    signed = any(side.trace.stages[step].signed for side in sides)
    scale = scale_for(
        (min(lows), max(highs)), signed=signed, theme=shown.theme, look=shown.look
    )
    contents = []
    for side, matrix, overview in zip(sides, matrices, overviews, strict=True):
        axes, (rows, columns) = side.trace.stages[step].axes, matrix.shape
        contents.append(
            StepContent(
                step,
                matrix,
                scale,
                axes,
                lines_along(axes[0], side.labels, rows),
                lines_along(axes[1], side.labels, columns),
                shown.look,
                overview,
                signed,
            )
        )
    before, after = contents
    largest = max(map(abs, (*lows, *highs)))
    return Sides(before, after, comparison.rounding(step) * largest)


def head_of(side: Side, step: str, head: int) -> StepHead:
    """Return the matrix of a query head, of the last one if there are fewer."""
    return StepHead(side.trace, step, present_head(side.trace, head))
