"""A step with its groups of tokens, some of which are folded."""

from dataclasses import replace

from attnviewer.compute import Axis, Folding, Span, Windowed, finite_limits
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent, content_of
from attnviewer.ui.paint.step_scale import is_large, scale_for
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folds import Bracket, Folds, line_of
from attnviewer.ui.state.looks.look import Look


def grouped_content(shown: DisplayedStep) -> StepContent:
    """Return one head of a step with its groups, see `with_groups`."""
    return with_groups(content_of(shown), shown.folds, shown.theme)


def with_groups(content: StepContent, folds: Folds, theme: Theme) -> StepContent:
    """Return a matrix with its groups of tokens; those of weights are folded.

    Large matrices have none, as they are shown in blocks, see `is_large`.

    Parameters
    ----------
    content : StepContent
        The matrix, with a row or column for each token.
    folds : Folds
        The groups, and which are folded.
    theme : Theme
        The current theme.
    """
    if not (folds.queries or folds.keys) or is_large(content.shape):
        return content
    of_weights = content.step == "weights"
    folding = folding_of_weights(folds, content.shape) if of_weights else None
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
    matrix = whole.folded(content.matrix)
    return replace(
        whole,
        matrix=matrix,
        overview=None,
        scale=_scale(content, matrix, folding, theme),
        row_labels=folds.names("queries", content.row_labels, folding.rows),
        column_labels=folds.names("keys", content.column_labels, folding.columns),
    )


def folding_of_weights(folds: Folds, shape: tuple[int, int]) -> Folding | None:
    """Return how weights are folded; None if they are not, as large ones."""
    return None if is_large(shape) else folds.folding(shape)


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
    content: StepContent, matrix: Windowed, folding: Folding, theme: Theme
) -> ColorScale:
    """Return the scale of the step, unless sums may exceed its limits."""
    look = content.look
    if look.policy in ("unit", "typed") or look.kept is not None:
        return content.scale
    if look.policy == "automatic" and folding.keeps_shares:
        return content.scale
    wide = Look(policy="extremes", colors=look.colors or "viridis", log=look.log)
    limits = finite_limits(matrix.window())
    return scale_for(limits, signed=False, theme=theme, look=wide)
