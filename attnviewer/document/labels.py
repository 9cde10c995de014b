"""The names of rows, columns and cells."""

from collections.abc import Callable, Sequence

from attnviewer.compute import Axis, Index, Stage


def axis_label(axis: Axis, tokens: Sequence[str], index: int) -> str:
    """Return the label of one row or column.

    Parameters
    ----------
    axis : Axis
        What rows or columns stand for, as in `Stage.axes`.
    tokens : sequence of str
        The document's tokens.
    index : int
        Which one, counted from zero.

    Returns
    -------
    str
        The token, or the index for a feature and where there is no token (a step
        may be older than the tokens it is shown with).
    """
    if axis == "features" or index >= len(tokens):
        return str(index)
    return tokens[index]


def axis_labels(axis: Axis, tokens: Sequence[str], count: int) -> list[str]:
    """Return the labels of all rows or columns, see `axis_label`.

    Parameters
    ----------
    axis : Axis
        What they stand for.
    tokens : sequence of str
        The document's tokens.
    count : int
        How many there are.
    """
    return [axis_label(axis, tokens, index) for index in range(count)]


def distinct_label(
    axis: Axis,
    tokens: Sequence[str],
    index: int,
    shorten: Callable[[str], str] = str,
) -> str:
    """Return a label for running text, where nothing else tells equal tokens apart.

    A token that the document has more than once is followed by its place, as in
    ``the (4)``. The parameters are those of `axis_label` and of `cell_name`.
    """
    label = axis_label(axis, tokens, index)
    if axis != "features" and tokens.count(label) > 1:
        return f"{shorten(label)} ({index})"
    return shorten(label)


def indexed_name(name: str, row: str, column: str) -> str:
    """Return what a cell is called, such as ``W_Q[0, 2]``, from labels."""
    return f"{name}[{row}, {column}]"


def cell_name(
    stage: Stage,
    tokens: Sequence[str],
    index: Index,
    shorten: Callable[[str], str] = str,
) -> str:
    """Return what a cell is called, such as ``weights[word 1, word 3]``.

    Parameters
    ----------
    stage : Stage
        Its step.
    tokens : sequence of str
        The document's tokens.
    index : tuple of int
        ``(row, column)``, or ``(head, row, column)`` with heads: the head is
        named first, as in ``weights H0[word 1, word 3]``.
    shorten : callable
        Makes a label fit for where the name is shown; labels stay as they are by
        default.
    """
    name = f"{stage.name} H{index[0]}" if len(index) == 3 else stage.name
    row, column = (
        distinct_label(axis, tokens, place, shorten)
        for axis, place in zip(stage.axes, index[-2:], strict=True)
    )
    return indexed_name(name, row, column)
