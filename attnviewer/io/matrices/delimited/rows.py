"""Splitting of a table's lines into rows of cells."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import NamedTuple

from attnviewer.io.matrices.delimited.names import Row

MOST_COLUMNS = 2**20
BLANKS = " "
"""The delimiter for any number of spaces and tabs."""
DELIMITERS = ("\t", ";", ",", BLANKS)

_ASCII_BLANKS = re.compile(r"[ \t]+")


class RowError(ValueError):
    """A row that cannot be split.

    Parameters
    ----------
    line : int
        The line where it begins, counted from one.
    reason : str
        The reason, as a sentence.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


class Cells(NamedTuple):
    """Rows of the expected width, all cells in one list."""

    lines: Sequence[int]
    """Where each row begins, counted from one."""
    cells: Row


class Rows(NamedTuple):
    """Rows of any width; a blank line has no cells."""

    lines: Sequence[int]
    rows: list[Row]


class Lines:
    """Iterates over the lines of a table once.

    Parameters
    ----------
    lines : iterable of str
        The lines, with their ends.
    delimiter : str
        The delimiter.
    above : int
        The number of lines above the first one.
    """

    def __init__(self, lines: Iterable[str], delimiter: str, above: int) -> None:
        self._lines = iter(lines)
        self._delimiter = delimiter
        self._above = above

    def take(self, count: int, width: int | None = None) -> Cells | Rows | None:
        """Return the next rows, or None at the end.

        Parameters
        ----------
        count : int
            How many lines; more if a quoted cell continues.
        width : int, optional
            The expected width. If all rows have it and need no further checks, their
            cells come in one list.

        Raises
        ------
        RowError
            If quotation marks are unbalanced, or a line is too long.
        """
        lines = list(islice(self._lines, count))
        if not lines:
            return None
        first = self._above + 1
        if max(map(len, lines)) > MOST_COLUMNS:
            check_lengths(lines, self._above)
        text = "".join(lines)
        if width is not None and self._is_even(text, lines, width):
            cells = self._cells(text)
            if cells is not None and (width > 1 or all(map(str.strip, cells))):
                self._above += len(lines)
                return Cells(range(first, self._above + 1), cells)
        if text.isspace():
            self._above += len(lines)
            return Rows([first], [[]])
        if self._delimiter == BLANKS:
            self._above += len(lines)
            return Rows(
                range(first, self._above + 1), list(map(_between_blanks, lines))
            )
        return self._read(lines)

    def _is_even(self, text: str, lines: list[str], width: int) -> bool:
        """Return whether lines have exactly this many cells, and no comments."""
        if self._delimiter == BLANKS or "#" in text:
            return False
        if self._delimiter not in text:
            return width == 1
        return set(map(str.count, lines, repeat(self._delimiter))) == {width - 1}

    def _cells(self, text: str) -> Row | None:
        """Return the cells between delimiters, or None if quoting affects them."""
        ended = text.endswith(("\n", "\r"))
        for end in ("\r\n", "\n", "\r"):
            text = text.replace(end, self._delimiter)
        if ended:
            text = text.removesuffix(self._delimiter)
        cells = text.split(self._delimiter)
        marks = text.count('"')
        if not marks:
            return cells
        # A delimiter or line break inside quotation marks leaves cells with one mark.
        whole = sum(len(cell) > 1 and cell[0] == '"' == cell[-1] for cell in cells)
        if marks != 2 * whole:
            return None
        return text.replace('"', "").split(self._delimiter)

    def _read(self, lines: list[str]) -> Rows:
        reader = csv.reader(
            chain(lines, self._lines), delimiter=self._delimiter, strict=True
        )
        begun: list[int] = []
        rows: list[Row] = []
        while reader.line_num < len(lines):
            begun.append(self._above + reader.line_num + 1)
            try:
                row = next(reader)
            except csv.Error as error:
                several = self._above + reader.line_num > begun[-1]
                raise RowError(begun[-1], _reason(str(error), several)) from None
            blank = len(row) == 1 and not row[0].strip()
            rows.append([] if blank else row)
        self._above += reader.line_num
        return Rows(begun, rows)


def check_lengths(lines: Iterable[str], above: int) -> None:
    """Check that lines do not have too many cells with any delimiter.

    Raises
    ------
    RowError
        If one has.
    """
    for number, line in enumerate(lines, above + 1):
        if len(line) > MOST_COLUMNS and max(map(line.count, DELIMITERS)) > MOST_COLUMNS:
            reason = f"A line may have {MOST_COLUMNS:,} cells at most."
            raise RowError(number, reason)


def sampled_rows(lines: Iterable[str], delimiter: str) -> Iterator[Row]:
    """Yield the non-empty rows of some lines, up to the first malformed one."""
    taking = Lines(lines, delimiter, 0)
    try:
        while taken := taking.take(1):
            if isinstance(taken, Rows):
                yield from filter(None, taken.rows)
    except RowError:
        return  # reported when that row is read


def _between_blanks(line: str) -> Row:
    # Non-ASCII spaces occur inside numbers, as thousands separators.
    return (
        line.split() if line.isascii() else _ASCII_BLANKS.split(line.strip(" \t\r\n"))
    )


def _reason(message: str, several: bool) -> str:
    most = f"{csv.field_size_limit():,} characters"
    if "end of data" in message:
        return "A quotation mark is opened here and never closed."
    if "limit" in message and several:
        return f"A quotation mark is opened here and not closed within {most}."
    if "limit" in message:
        return f"A cell may have {most} at most."
    return "The quotation marks do not match."
