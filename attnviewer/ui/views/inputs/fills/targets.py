"""The target cells of a fill."""

from dataclasses import dataclass

from attnviewer.document import Document, Region
from attnviewer.document.labels import indexed_name
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("FillTargets")


@dataclass(frozen=True, slots=True)
class Target:
    """Cells of a matrix.

    Parameters
    ----------
    matrix : str
        The matrix.
    block : Region
        Its cells.
    shape : tuple of two int
        The shape of the matrix.
    """

    matrix: str
    block: Region
    shape: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Whether it covers the whole matrix."""
        return self.block == Region(0, 0, *self.shape)

    @property
    def is_cell(self) -> bool:
        """Whether it is a single cell."""
        return self.block.height == self.block.width == 1

    @property
    def text(self) -> str:
        """The cells in words, such as ``W_Q, rows 0–1, columns 0–2``."""
        if self.is_whole:
            return self.matrix
        if self.is_cell:
            return indexed_name(
                self.matrix, str(self.block.row), str(self.block.column)
            )
        rows = _span(self.block.rows, _tr("row {}"), _tr("rows {}–{}"))
        columns = _span(self.block.columns, _tr("column {}"), _tr("columns {}–{}"))
        return f"{self.matrix}, {rows}, {columns}"


def whole(document: Document, matrix: str) -> Target:
    """Return all cells of a matrix."""
    rows, columns = document.matrix(matrix).shape
    return Target(matrix, Region(0, 0, rows, columns), (rows, columns))


def targets_at(document: Document, selection: InputSelection | None) -> list[Target]:
    """Return the possible targets, the likeliest first; none without a matrix.

    A selection means itself; a single cell more likely its whole matrix.
    """
    if selection is None or selection.table not in document.matrices:
        return []
    every = whole(document, selection.table)
    selected = Target(selection.table, selection.block, every.shape)
    if selected.is_whole or not every.block.contains(selection.block):
        return [every]
    return [every, selected] if selected.is_cell else [selected, every]


def selection_after(
    selection: InputSelection | None, target: Target
) -> InputSelection | None:
    """Return the selection after a fill; None to keep the current one.

    Whoever fills a matrix from elsewhere should see which one it was.
    """
    if selection is not None and selection.table == target.matrix:
        return None
    return InputSelection(target.matrix, target.block)


def _span(part: slice, one: str, several: str) -> str:
    first, last = part.start, part.stop - 1
    return one.format(first) if first == last else several.format(first, last)
