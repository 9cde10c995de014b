"""Between the rows and columns that are shown and those of the step."""

from collections.abc import Iterable

from attnviewer.compute import Folding
from attnviewer.document import Region
from attnviewer.ui.state.folds import line_of
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position


class FoldedLines:
    """Maps rows and columns of a step to those that show them, and back.

    Parameters
    ----------
    folding : Folding or None
        How rows and columns are combined; None if they are not.
    """

    def __init__(self, folding: Folding | None = None) -> None:
        self._folding = folding

    @property
    def folding(self) -> Folding | None:
        """The folding of rows and columns; None if they are not combined."""
        return self._folding

    def shown(self, cell: Position | None) -> Position | None:
        """Return the row and column that show a cell of the step."""
        if cell is None or self._folding is None:
            return cell
        folding = self._folding
        return line_of(folding.rows, cell[0]), line_of(folding.columns, cell[1])

    def of_step(self, cell: Position | None) -> Position | None:
        """Return the cell of the step that a shown one stands for, the first of all."""
        if cell is None or self._folding is None:
            return cell
        return self._folding.rows[cell[0]][0], self._folding.columns[cell[1]][0]

    def combines(self, cell: Position) -> bool:
        """Return whether a shown cell combines several of the step."""
        if self._folding is None:
            return False
        spans = self._folding.rows[cell[0]], self._folding.columns[cell[1]]
        return any(stop - start > 1 for start, stop in spans)

    def tokens(self, index: int, *, rows: bool) -> range:
        """Return the rows or columns of the step that a shown one stands for."""
        if self._folding is None:
            return range(index, index + 1)
        return range(*(self._folding.rows if rows else self._folding.columns)[index])

    def number(self, index: int, *, rows: bool) -> int | None:
        """Return which row or column of the step is shown; None for several in one."""
        tokens = self.tokens(index, rows=rows)
        return tokens[0] if len(tokens) == 1 else None

    def block_of_step(self, block: Region) -> Region:
        """Return all cells of the step that shown ones stand for."""
        if self._folding is None:
            return block
        top, bottom = (self._folding.rows[k] for k in (block.row, block.rows.stop - 1))
        left, right = (
            self._folding.columns[k] for k in (block.column, block.columns.stop - 1)
        )
        return Region(top[0], left[0], bottom[1] - top[0], right[1] - left[0])

    def shown_marks(self, marked: Marked) -> Marked:
        """Return the rows and columns that show marked ones of the step."""
        there = self._shown_lines(marked.rows, marked.columns)
        return Marked(*map(frozenset, there))

    def shown_links(self, linked: Linked) -> Linked:
        """Return the rows and columns that show linked ones of the step."""
        there = self._shown_lines(linked.rows, linked.columns)
        return Linked(*map(tuple, there))

    def marks_of_step(self, marked: Marked) -> Marked:
        """Return all rows and columns of the step that marked ones show."""
        if self._folding is None:
            return marked
        rows = (range(*self._folding.rows[line]) for line in marked.rows)
        columns = (range(*self._folding.columns[line]) for line in marked.columns)
        return Marked(
            frozenset(token for line in rows for token in line),
            frozenset(token for line in columns for token in line),
        )

    def _shown_lines(
        self, rows: Iterable[int], columns: Iterable[int]
    ) -> tuple[Iterable[int], Iterable[int]]:
        if self._folding is None:
            return rows, columns
        spans = self._folding.rows, self._folding.columns
        return (
            sorted({line_of(spans[0], row) for row in rows}),
            sorted({line_of(spans[1], column) for column in columns}),
        )


def numbered(name: str, number: int | None) -> str:
    """Return the name of a line, followed by the number of its token if it is one."""
    return name if number is None else f"{name} ({number})"
