"""Sizes of matrices in words, singular or plural."""

from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Matrices")


def how_many_rows(count: int) -> str:
    """Return a number of rows."""
    return _tr("1 row") if count == 1 else _tr("{0} rows").format(count)


def how_many_columns(count: int) -> str:
    """Return a number of columns."""
    return _tr("1 column") if count == 1 else _tr("{0} columns").format(count)


def step_with_size(step: str, shape: tuple[int, int]) -> str:
    """Return the title of a step with its size, as a sentence for screen readers."""
    rows, columns = shape
    return _tr("{step}, {rows} and {columns}.").format(
        step=step_title(step),
        rows=how_many_rows(rows),
        columns=how_many_columns(columns),
    )
