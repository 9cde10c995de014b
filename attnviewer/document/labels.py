"""The names of rows, columns and cells."""

from collections.abc import Sequence

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


def cell_name(stage: Stage, tokens: Sequence[str], index: Index) -> str:
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
    """
    head = f" H{index[0]}" if len(index) == 3 else ""
    labels = (
        axis_label(axis, tokens, place)
        for axis, place in zip(stage.axes, index[-2:], strict=True)
    )
    return f"{stage.name}{head}[{', '.join(labels)}]"
