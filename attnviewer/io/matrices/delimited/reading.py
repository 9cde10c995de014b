"""Reading of a whole table."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.text.formula_guard import unguarded_text
from attnviewer.io.matrices.delimited.cells import BARS, CellError, CellReader
from attnviewer.io.matrices.delimited.commas import CommaError, Commas, Pairs
from attnviewer.io.matrices.delimited.dialect import Table
from attnviewer.io.matrices.delimited.names import Row, find_names, is_comment
from attnviewer.io.matrices.delimited.rows import Cells, Rows

_BLOCK = 2**16
"""Maximum number of cells that are held as text at a time."""


class TableError(ValueError):
    """An unusable table.

    Parameters
    ----------
    reason : str
        The reason, as a sentence.
    location : str or None
        The place, if there is one.
    """

    def __init__(self, reason: str, location: str | None = None) -> None:
        super().__init__(reason, location)
        self.reason = reason
        self.location = location


class TableReader:
    """Reads a table, and collects remarks on it for the user.

    Parameters
    ----------
    table : Table
        The table, not read yet.
    quoted : bool
        Whether some of its cells are quoted.
    by_commas : bool
        Whether files of this name usually separate cells by commas.

    Raises
    ------
    TableError, RowError
        If it has no rows.
    """

    def __init__(self, table: Table, *, quoted: bool, by_commas: bool) -> None:
        if not table.sample:
            table.lines.take(1)  # raises the reason if there is one
            raise TableError("There are no numbers in it.")
        self._table = table
        self._width = len(table.sample[0])
        self._ended = _ends_in_delimiters(table.sample)
        kept = self._width - self._ended
        self._headings = find_names([row[:kept] for row in table.sample])
        self._by_commas = by_commas
        self._names: list[str] = []
        self._cells = CellReader()
        self._commas = Commas(points_doubtful=table.delimiter == ";")
        named = self._headings.above or self._headings.beside
        self._pairs = Pairs(
            doubtful=table.delimiter == ","
            and self._width == 2
            and not (self._ended or table.declared or quoted or named)
        )
        self._first_line = 0
        self._blank_line = 0
        self._left_out = False
        self._comment_line = 0

    def values(self) -> Array:
        """Return the numbers, shape (rows, columns), −∞ included.

        Raises
        ------
        TableError, RowError
            At the first unreadable row.
        """
        values = bytearray()
        lines = self._table.lines
        while self._headings.above and not self._first_line:
            # The first row is known to be one, whatever it looks like.
            taken = lines.take(1)
            if isinstance(taken, Rows) and any(taken.rows):
                self._first_line = taken.lines[0]
        while taken := lines.take(max(1, _BLOCK // self._width), self._width):
            block = self._whole(taken)
            if block.cells:
                values += self._numbers(block).tobytes()
        if not values:
            raise TableError("There are only names of columns in it, and no numbers.")
        columns = self._width - self._ended - self._headings.beside
        return np.frombuffer(values).reshape(-1, columns)

    def names(self) -> tuple[str, ...]:
        """Return the names of the rows, if they have any."""
        return tuple(self._names) if any(self._names) else ()

    def notices(self) -> list[str]:
        """Return the remarks on the whole table.

        Raises
        ------
        TableError
            If its commas remain ambiguous.
        """
        notices = [self._headings.notice] if self._headings.notice else []
        if self._ended:
            notices.append("Every line ends with a separator, which was left out.")
        for line, width in self._table.comments:
            if width == self._width > 1:
                notices.append(f"Line {line} begins with # and was left out.")
        if self._comment_line:
            notices.append(
                f"Line {self._comment_line} and all others that begin with # were "
                "left out."
            )
        if self._left_out:
            notices.append("Empty lines between the rows were left out.")
        try:
            notices += self._pairs.notices(likely=self._by_commas)
            notices += self._commas.notices()
        except CommaError as error:
            raise TableError(str(error)) from None
        return notices + self._cells.notices()

    def _whole(self, taken: Cells | Rows) -> Cells:
        """Return rows of one width, without empty lines and comments."""
        if isinstance(taken, Cells):
            self._begin(taken.lines[0])
            return taken
        lines: list[int] = []
        cells: list[str] = []
        for line, row in zip(taken.lines, taken.rows, strict=True):
            if not row:
                self._blank_line = self._blank_line or line
            elif is_comment(row[0]) and not self._headings.beside:
                self._comment_line = self._comment_line or line
            else:
                self._begin(line)
                self._check_width(line, row)
                lines.append(line)
                cells += row
        return Cells(lines, cells)

    def _begin(self, line: int) -> None:
        """Note that the first row was found, and the comments before it."""
        if self._blank_line and self._width == 1:
            location = f"line {self._blank_line}"
            raise TableError("The line is empty. Write 0 for nothing.", location)
        self._left_out = self._left_out or bool(self._blank_line)
        self._first_line = self._first_line or line

    def _check_width(self, line: int, row: list[str]) -> None:
        if len(row) != self._width:
            raise TableError(
                "All rows must have the same number of cells. "
                f"Line {self._first_line} has {self._width}, line {line} has "
                f"{len(row)}.",
                f"line {line}",
            )

    def _check_ends(self, block: Cells) -> None:
        for line, cell in zip(
            block.lines, block.cells[self._width - 1 :: self._width], strict=True
        ):
            if cell.strip():
                raise TableError(
                    f"Line {self._first_line} ends with a separator and nothing after "
                    f"it, line {line} does not.",
                    f"line {line}",
                )

    def _numbers(self, block: Cells) -> Array:
        cells, width = block.cells, self._width
        if self._ended:
            self._check_ends(block)
            del cells[width - 1 :: width]
            width -= 1
        beside = int(self._headings.beside)
        if beside:
            if all("|" in cell for cell in cells[::width]):
                raise TableError(BARS, f"line {block.lines[0]}")
            self._names += map(unguarded_text, cells[::width])
            del cells[::width]
        if self._pairs.doubtful:
            self._pairs.take(cells)
        try:
            return self._cells.numbers(self._commas.with_points(cells))
        except (CellError, CommaError) as error:
            row, column = divmod(error.cell or 0, width - beside)
            location = f"line {block.lines[row]}, column {column + beside + 1}"
            raise TableError(str(error), location) from None


def _ends_in_delimiters(sample: list[Row]) -> bool:
    """Return whether the first rows all end with a delimiter and nothing after it."""
    width = len(sample[0])
    ends = [row[-1].strip() for row in sample if len(row) == width]
    return width > 1 and not any(ends)
