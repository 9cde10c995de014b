"""A step with its groups of tokens, some of which are folded."""

from collections.abc import Callable
from dataclasses import replace

from attnviewer.compute import Axis, Folded, Folding, Span
from attnviewer.compute.statistics import Limits
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent, content_of
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folds import Bracket, Folds, line_of
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.live import FoldedStep
from attnviewer.ui.state.looks.look import Look


def grouped_content(shown: DisplayedStep) -> StepContent:
    """Return one head of a step with its groups, see `with_groups`."""
    content, folding = content_of(shown), folding_of(shown.folds, shown)
    if folding is None:
        return with_groups(content, shown.folds, shown.theme)
    computed, head = shown.computed, present_head(shown.computed.trace, shown.head)
    stored = computed.folded(shown.step, head, folding)
    return with_groups(content, shown.folds, shown.theme, stored)


def folding_of(folds: Folds, shown: DisplayedStep) -> Folding | None:
    """Return how a step is folded; None if it is not, as all but the weights."""
    if shown.step != "weights":
        return None
    rows, columns = shown.computed.trace.matrix_shape(shown.step)
    return folds.folding((rows, columns))


def with_groups(
    content: StepContent, folds: Folds, theme: Theme, stored: FoldedStep | None = None
) -> StepContent:
    """Return a matrix with its groups of tokens; those of weights are folded.

    Parameters
    ----------
    content : StepContent
        The matrix, with a row or column for each token.
    folds : Folds
        The groups, and which are folded.
    theme : Theme
        The current theme.
    stored : FoldedStep, optional
        The same with the groups folded, where that is known already.
    """
    folding = folds.folding(content.shape) if content.step == "weights" else None
    whole = in_groups(content, folds, folding)
    if folding is None:
        return whole
    step = stored or FoldedStep(Folded(content.matrix, folding))
    return replace(
        whole,
        matrix=step.matrix,
        overview=step.overview,
        scale=folded_scale(content, folding, step.limits, theme),
    )


def in_groups(
    content: StepContent, folds: Folds, folding: Folding | None
) -> StepContent:
    """Return a matrix with its groups of tokens, and what they are called.

    Parameters
    ----------
    content : StepContent
        The matrix, with labels of single tokens.
    folds : Folds
        The groups.
    folding : Folding or None
        How its numbers were combined.
    """
    if not (folds.queries or folds.keys):
        return content
    counts = len(content.row_labels), len(content.column_labels)
    spans = None if folding is None else (folding.rows, folding.columns)
    brackets = brackets_of(folds, content.axes, counts, spans)
    whole = replace(content, brackets=brackets, folding=folding)
    if folding is None:
        return whole
    return replace(
        whole,
        row_labels=folds.names("queries", content.row_labels, folding.rows),
        column_labels=folds.names("keys", content.column_labels, folding.columns),
    )


def folded_scale(
    content: StepContent,
    folding: Folding,
    limits: Callable[[], Limits | None],
    theme: Theme,
) -> ColorScale:
    """Return the scale of a step, or another one where sums may exceed its limits.

    Parameters
    ----------
    content : StepContent
        The step before it is folded.
    folding : Folding
        How it is folded.
    limits : callable
        Returns the smallest and the largest combined number.
    theme : Theme
        The current theme.
    """
    look = content.look
    if look.policy in ("unit", "typed") or look.kept is not None:
        return content.scale
    if look.policy == "automatic" and folding.keeps_shares:
        return content.scale
    log = content.scale.scaling != "linear"
    wide = Look(policy="extremes", colors=look.colors or "viridis", log=log)
    return scale_for(limits(), signed=False, theme=theme, look=wide)


def brackets_of(
    folds: Folds,
    axes: tuple[Axis, Axis],
    counts: tuple[int, int],
    spans: tuple[tuple[Span, ...], tuple[Span, ...]] | None,
) -> tuple[tuple[Bracket, ...], tuple[Bracket, ...]]:
    """Return the groups of the rows and of the columns of a matrix.

    Parameters
    ----------
    folds : Folds
        The groups.
    axes : tuple of two Axis
        What rows and columns stand for.
    counts : tuple of two int
        How many tokens these have.
    spans : tuple of two tuple of (int, int), or None
        The tokens of each row and of each column; None for one each.
    """
    if not (folds.queries or folds.keys):
        return (), ()
    rows, columns = (
        _brackets(folds, axis, count, lines)
        for axis, count, lines in zip(axes, counts, spans or (None, None), strict=True)
    )
    return rows, columns


def _brackets(
    folds: Folds, axis: Axis, count: int, spans: tuple[Span, ...] | None
) -> tuple[Bracket, ...]:
    if spans is None:
        return tuple(
            Bracket(group, group.start, group.stop - 1, folded=False)
            for group in folds.along(axis, count)
        )
    side = "keys" if axis == "keys" else "queries"
    brackets = []
    for group in folds.along(axis, count):
        first, last = line_of(spans, group.start), line_of(spans, group.stop - 1)
        folded = (side, group) in folds.folded and spans[first] == group[1:]
        brackets.append(Bracket(group, first, last, folded=folded))
    return tuple(brackets)
