"""The names of rows, columns and cells."""

from collections.abc import Callable
from typing import NamedTuple, Self

from attnviewer.compute import NUMBERED, Axis, Index, Stage
from attnviewer.document.token_grid import TokenGrid


class _Sides(NamedTuple):
    queries: tuple[str, ...]
    keys: tuple[str, ...]


class Labels(_Sides):
    """The names of the query and key tokens.

    Parameters
    ----------
    queries : tuple of str
        The query tokens: the rows of X, or of given queries.
    keys : tuple of str
        The key tokens: the same ones, or those of a second sequence.
    grid : TokenGrid, optional
        The grid that both lie on; no item of the pair, and not compared.
    """

    grid: TokenGrid | None

    def __new__(
        cls,
        queries: tuple[str, ...],
        keys: tuple[str, ...],
        grid: TokenGrid | None = None,
    ) -> Self:
        labels = super().__new__(cls, queries, keys)
        labels.grid = grid
        return labels

    def of(self, axis: Axis) -> tuple[str, ...]:
        """Return the tokens along an axis; none for one that is numbered."""
        if axis in NUMBERED:
            return ()
        return self.keys if axis == "keys" else self.queries


def axis_label(axis: Axis, labels: Labels, index: int) -> str:
    """Return the label of one row or column.

    Parameters
    ----------
    axis : Axis
        What rows or columns stand for, as in `Stage.axes`.
    labels : Labels
        The document's tokens.
    index : int
        Which one, counted from zero.

    Returns
    -------
    str
        The token, or the index for a feature and where there is no token (a step
        may be older than the tokens it is shown with).
    """
    tokens = labels.of(axis)
    return tokens[index] if index < len(tokens) else str(index)


def axis_labels(axis: Axis, labels: Labels, count: int) -> list[str]:
    """Return the labels of all rows or columns, see `axis_label`.

    Parameters
    ----------
    axis : Axis
        What they stand for.
    labels : Labels
        The document's tokens.
    count : int
        How many there are.
    """
    return [axis_label(axis, labels, index) for index in range(count)]


def distinct_label(
    axis: Axis,
    labels: Labels,
    index: int,
    shorten: Callable[[str], str] = str,
) -> str:
    """Return a label for running text, unique among equal tokens.

    A token that occurs more than once is followed by its position, as in ``the (4)``.
    The parameters are those of `axis_label` and of `cell_name`.
    """
    label = axis_label(axis, labels, index)
    if not labels.of(axis):
        return label  # a feature's number
    if labels.of(axis).count(label) > 1:
        return f"{shorten(label)} ({index})"
    return shorten(label)


def indexed_name(name: str, row: str, column: str) -> str:
    """Return the name of a cell, such as ``W_Q[0, 2]``, from labels."""
    return f"{name}[{row}, {column}]"


def cell_name(
    stage: Stage,
    labels: Labels,
    index: Index,
    shorten: Callable[[str], str] = str,
) -> str:
    """Return the name of a cell, such as ``weights[word 1, word 3]``.

    Parameters
    ----------
    stage : Stage
        Its step.
    labels : Labels
        The document's tokens.
    index : tuple of int
        ``(row, column)``, or ``(head, row, column)`` with heads: the head is
        named first, as in ``weights H0[word 1, word 3]``. One number alone is
        the column of a single row.
    shorten : callable
        Shortens a label for display; labels stay as they are by default.
    """
    name = f"{stage.name} H{index[0]}" if len(index) == 3 else stage.name
    row, column = (
        distinct_label(axis, labels, position, shorten)
        for axis, position in zip(stage.axes, (0, *index)[-2:], strict=True)
    )
    return indexed_name(name, row, column)
