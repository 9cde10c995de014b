"""A step with its groups of tokens, some of which are folded."""

from dataclasses import replace

from attnviewer.compute import Axis, Folded, Folding, Span, finite_limits
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
    if not (folds.queries or folds.keys):
        return content
    of_weights = content.step == "weights"
    folding = folds.folding(content.shape) if of_weights else None
    spans: tuple[tuple[Span, ...] | None, ...] = (None, None)
    if folding is not None:
        spans = folding.rows, folding.columns
    rows, columns = (
        _brackets(folds, axis, count, lines)
        for axis, count, lines in zip(content.axes, content.shape, spans, strict=True)
    )
    whole = replace(content, brackets=(rows, columns), folding=folding)
    if folding is None:
        return whole
    step = stored or FoldedStep(Folded(content.matrix, folding))
    return replace(
        whole,
        matrix=step.matrix,
        overview=step.overview,
        scale=_scale(content, step, folding, theme),
        row_labels=folds.names("queries", content.row_labels, folding.rows),
        column_labels=folds.names("keys", content.column_labels, folding.columns),
    )


def _brackets(
    folds: Folds, axis: Axis, count: int, spans: tuple[Span, ...] | None
) -> tuple[Bracket, ...]:
    side = "keys" if axis == "keys" else "queries"
    return tuple(
        Bracket(group, group.start, group.stop - 1, folded=False)
        if spans is None
        else Bracket(
            group,
            line_of(spans, group.start),
            line_of(spans, group.stop - 1),
            folded=(side, group) in folds.folded,
        )
        for group in folds.along(axis, count)
    )


def _scale(
    content: StepContent, step: FoldedStep, folding: Folding, theme: Theme
) -> ColorScale:
    """Return the scale of the step, unless sums may exceed its limits."""
    look = content.look
    if look.policy in ("unit", "typed") or look.kept is not None:
        return content.scale
    if look.policy == "automatic" and folding.keeps_shares:
        return content.scale
    wide = Look(policy="extremes", colors=look.colors or "viridis", log=look.log)
    if step.overview is None:
        limits = finite_limits(step.matrix.window())
    else:
        limits = step.overview.limits()
    return scale_for(limits, signed=False, theme=theme, look=wide)
