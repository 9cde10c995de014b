"""The heatmap contents of a comparison: A, B, B − A or both, for one head."""

import math
from dataclasses import replace
from typing import Literal, NamedTuple

from attnviewer.compute import (
    Folded,
    Folding,
    LargestChanges,
    StepHead,
    Subtraction,
    Windowed,
    finite_limits,
)
from attnviewer.document import Comparison
from attnviewer.document.comparison import Side, StepPair
from attnviewer.ui.paint.folded_content import folded_scale, in_groups
from attnviewer.ui.paint.step_content import DerivedContent, DisplayedStep, StepContent
from attnviewer.ui.paint.step_scale import (
    AROUND_ZERO,
    is_large,
    scale_for,
    with_scaling,
)
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.views.step.difference.finder import (
    OTHER_PICTURE,
    PICTURE,
    ChangesFinder,
)
from attnviewer.ui.views.step.difference.groups import foldings_of, folds_of_before

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
    after, before = _readable(pair.after[own]), _readable(pair.before[own])
    matrix: Windowed
    if showing == "B − A":
        matrix = Subtraction(after, before, changes.tolerance)
        limits = -changes.reach, changes.reach
        scale = scale_for(limits, signed=True, theme=shown.theme, look=AROUND_ZERO)
    else:
        matrix = after if showing == "B" else before
        look = with_scaling(shown.look, after.shape, signed=stage.signed)
        scale = scale_for(
            changes.limits, signed=stage.signed, theme=shown.theme, look=look
        )
    whole = showing != "B − A" and not pair.partial
    partial = ChangesContent if showing == "B − A" else DerivedContent
    kind = StepContent if whole else partial
    rows, columns = trace.matrix_shape(shown.step)
    overview = None
    if is_large(after.shape):
        if changes.finished:
            overview = finder.overview((shown.step, own, showing), matrix)
        if overview is None:
            return None
    content = kind(
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
    content = in_groups(content, shown.folds, pair.folding)
    if pair.folding is None or showing == "B − A":
        return content
    scale = folded_scale(content, pair.folding, lambda: changes.limits, shown.theme)
    return replace(content, scale=scale)


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
    foldings = foldings_of(shown, comparison)
    matrices = [
        _readable(head_of(side, step, shown.head, folding))
        for side, folding in zip(sides, foldings, strict=True)
    ]
    large = [is_large(matrix.shape) for matrix in matrices]
    pictures = OTHER_PICTURE, PICTURE
    overviews = [
        finder.overview((step, shown.head, "side"), matrix, picture) if wide else None
        for matrix, picture, wide in zip(matrices, pictures, large, strict=True)
    ]
    if any(w and o is None for w, o in zip(large, overviews, strict=True)):
        return None
    limits = [
        overview.limits()
        if overview is not None
        else side.trace.limits(step)
        if folding is None
        else finite_limits(matrix.window())
        for side, overview, folding, matrix in zip(
            sides, overviews, foldings, matrices, strict=True
        )
    ]
    known = [ends for ends in limits if ends is not None]
    lows, highs = zip(*known, strict=True) if known else ((0.0,), (0.0,))
    signed = any(side.trace.stages[step].signed for side in sides)
    largest = max((matrix.shape for matrix in matrices), key=math.prod)
    look = with_scaling(shown.look, largest, signed=signed)
    scale = scale_for(
        (min(lows), max(highs)), signed=signed, theme=shown.theme, look=look
    )
    contents = []
    groups = folds_of_before(shown, comparison, foldings), shown.folds
    for side, matrix, overview, folding, folds in zip(
        sides, matrices, overviews, foldings, groups, strict=True
    ):
        axes, (rows, columns) = (
            side.trace.stages[step].axes,
            side.trace.matrix_shape(step),
        )
        content = StepContent(
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
        content = in_groups(content, folds, folding)
        contents.append(content)
    before, after = contents
    if foldings[1] is not None:
        ends = min(lows), max(highs)
        scale = folded_scale(after, foldings[1], lambda: ends, shown.theme)
        before, after = replace(before, scale=scale), replace(after, scale=scale)
    largest = max(map(abs, (*lows, *highs)))
    return Sides(before, after, comparison.rounding(step) * largest)


def head_of(
    side: Side, step: str, head: int, folding: Folding | None = None
) -> StepHead | Folded:
    """Return the matrix of a query head, of the last one if there are fewer."""
    matrix = StepHead(side.trace, step, present_head(side.trace, head))
    return matrix if folding is None else Folded(matrix, folding)


def _readable(matrix: Windowed) -> Windowed:
    """Return combined numbers in memory, as they are read for each picture."""
    if isinstance(matrix, Folded) and not is_large(matrix.shape):
        return matrix.stored()
    return matrix
