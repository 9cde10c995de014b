"""Blocks of numbers from and to clipboard text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.document.text.brackets import bracketed_rows
from attnviewer.document.text.data_frames import data_frame, is_shortened_frame
from attnviewer.document.text.doubtful_numbers import (
    DECIMAL_COMMA,
    GROUPED,
    check_as_in_spreadsheets,
    commas_and_points,
    doubtful_comma,
    one_or_two,
)
from attnviewer.document.text.expression import PLAIN, literal
from attnviewer.document.text.lines import unquoted_rows
from attnviewer.document.text.matlab_display import as_plain_rows
from attnviewer.document.text.parsing import parse_number

MOST_CHARACTERS = 64 * 2**20
MOST_COPIED = 16 * 10**6
"""Maximum number of cells of a block that is copied or pasted."""
MOST_FORMULAS = 100_000
"""Maximum number of distinct texts other than plain numbers."""

_GROUPING = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_BLANKS = str.maketrans("\u00a0\u2007\u2009\u202f", "    ", "\ufeff")
_TRUTH = re.compile(r"\b(?:np\.)?(true|false)_?\b", re.IGNORECASE)
_SCALAR = re.compile(r"\b(?:np|numpy)\.(?:float|int)[0-9]+\(([^()]*)\)")
_WORD = re.compile(r"(?!nan|inf|null)[^\W\d][\w .·-]*", re.IGNORECASE)
# A whole number except −0.0, which would lose its sign.
_WHOLE = re.compile(r"\.0(?<!-0\.0)(?=[\t\n]|\Z)")

Rows = list[list[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The result of reading a text.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    notices : tuple of str
        Remarks for the user on how the text was read.
    names : tuple of str
        The names of the rows, if the text has them.
    """

    values: Array
    notices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def block_text(values: Array | BoolArray) -> str:
    """Write numbers as spreadsheets exchange them: tab-separated lines.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        Numbers, or booleans, which are written as 1 and 0.

    Returns
    -------
    str
        Reads back as the same numbers, bit for bit.
    """
    cells = values.astype(np.int8) if values.dtype == np.bool_ else values
    text = "\n".join(["\t".join(map(repr, row)) for row in cells.tolist()])
    return _WHOLE.sub("", text)


def parse_block(text: str, *, infinite: bool = False) -> Block:
    """Parse a block of numbers that was copied elsewhere.

    Tables of spreadsheets (with tabs), CSV with commas or semicolons, columns separated
    by spaces, tables of pandas, and arrays as NumPy, PyTorch, Python and MATLAB write
    them. A cell is what `parse_number` reads, or True or False for 1 and 0.

    Parameters
    ----------
    text : str
        The copied text.
    infinite : bool
        Whether −inf is allowed.

    Returns
    -------
    Block
        The numbers, and how commas or spaces in them were read; names only of the rows
        of a table of pandas.

    Raises
    ------
    ValueError
        With a sentence on what cannot be read, and where.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"A text to paste must have at most {MOST_CHARACTERS:,} characters. "
            f"Got {len(text):,} instead."
        )
    if "..." in text or "…" in text:
        whole = (
            "In pandas, print it whole: print(frame.to_string())"
            if is_shortened_frame(text)
            else "Print it whole: np.set_printoptions(threshold=np.inf) in NumPy, "
            'torch.set_printoptions(profile="full") in PyTorch'
        )
        raise ValueError(f"The text leaves numbers out where it has “...”. {whole}")
    notices = []
    if "|" in text:
        raise ValueError(
            "The text has bars between its cells, as tables in Markdown have. Copy it "
            "as numbers with tabs, commas or spaces between them."
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("−", "-")
    text = as_plain_rows(text)
    if not text.isascii():
        text, joined = _GROUPING.subn("", text)
        text = text.translate(_BLANKS)
        if joined:
            notices.append("Spaces between digits were read as marks of thousands.")
    if (frame := data_frame(text)) is not None:
        cells = [[_TRUTH.sub(_as_digit, cell) for cell in row] for row in frame.rows]
        values = _Reader(infinite, frame.place).values(cells)
        return Block(values, (*notices, *frame.notices), frame.names)
    text = _SCALAR.sub(r"\1", _TRUTH.sub(_as_digit, text))
    rows = bracketed_rows(text)
    if rows is None:
        rows, commas = _table_rows(text)
        if commas:
            notices.append("Commas were read as decimal points.")
    try:
        _check_shape(rows)
        values = _Reader(infinite).values(rows)
    except ValueError as error:
        if _has_headings(rows):
            raise ValueError(
                f"{error} Copy the numbers without their headings."
            ) from None
        raise
    return Block(values, tuple(notices))


def _as_digit(truth: re.Match[str]) -> str:
    return "1" if truth[1].lower() == "true" else "0"


# ------------------------------------------------------------- lines and columns


def _table_rows(text: str) -> tuple[Rows, bool]:
    """Return the cells of a table, and whether its commas are decimal."""
    text = text.strip("\n")
    if not text.strip():
        raise ValueError("The text to paste is empty: it must hold numbers.")
    between = next((sign for sign in "\t;," if sign in text), None)
    if between is None:
        return _blank_separated(text), False
    if between == ",":
        _refuse_two_ways(text)
    if '"' in text:
        rows = unquoted_rows(text, between)
    else:
        rows = [line.split(between) for line in text.split("\n")]
    if (between != "," and "," in text) or (between == "," and '"' in text):
        return _with_points(rows)
    return rows, False


def _blank_separated(text: str) -> Rows:
    rows = [line.split() for line in text.split("\n")]
    if len(rows) == 1 and not all(map(PLAIN.fullmatch, rows[0])):
        # A single cell of arithmetic, as it is typed: 1 / 3.
        return [[text.strip()]] if is_number_text(text) else rows
    return rows


def is_number_text(text: str) -> bool:
    """Return whether a text can be typed into a cell, or into one of the bias."""
    try:
        parse_number(text, infinite=True)
    except ValueError:
        return False
    return True


def _refuse_two_ways(text: str) -> None:
    lines = text.split("\n")
    if all(DECIMAL_COMMA.fullmatch(line.strip()) for line in lines):
        raise one_or_two(lines[0].strip())


def _with_points(rows: Rows) -> tuple[Rows, bool]:
    """Replace decimal commas by points, if that is what the commas are."""
    cells = {cell.strip() for cell in chain.from_iterable(rows)}
    commas = {cell for cell in cells if "," in cell}
    if not commas:
        return rows, False
    one = min(commas)
    if any("." in cell for cell in cells):
        raise commas_and_points(one)
    other = next((c for c in commas if not DECIMAL_COMMA.fullmatch(c)), None)
    if other is not None or all(map(GROUPED.fullmatch, commas)):
        raise doubtful_comma(one if other is None else other)
    return [[cell.replace(",", ".") for cell in row] for row in rows], True


# ------------------------------------------------------------------------ cells


def _check_shape(rows: Rows) -> None:
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if not row or row == [""]:
            raise ValueError(f"Line {number} of the text is empty.")
        if len(row) != width:
            raise ValueError(
                "All lines must have the same number of cells. "
                f"Line 1 has {width}, line {number} has {len(row)}."
            )
    if width * len(rows) > MOST_COPIED:
        raise ValueError(
            f"A block must have at most {MOST_COPIED:,} cells. "
            f"Got {width * len(rows):,} instead."
        )


def _has_headings(rows: Rows) -> bool:
    """Return whether the first line, or the first cell of each line, is a heading."""
    above, beside = rows[0], [row[0] for row in rows[1:] if row]
    return any(
        all(map(_WORD.fullmatch, cells))
        for cells in (
            [c.strip() for c in line if c.strip()] for line in (above, beside)
        )
        if cells and max(map(len, rows)) * len(rows) > 1
    )


def _line_and_cell(row: int, column: int) -> str:
    return f"Line {row + 1}, cell {column + 1}"


class _Reader:
    """Parses cells, and caches those that are not plain numbers."""

    def __init__(
        self, infinite: bool, place: Callable[[int, int], str] = _line_and_cell
    ) -> None:
        self._infinite = infinite
        self._place = place
        self._known: dict[str, float] = {}

    def values(self, rows: Rows) -> Array:
        width = len(rows[0])
        values = np.empty((len(rows), width))  # (rows, columns)
        for number, row in enumerate(rows):
            values[number] = self._row(row, number)
        return values

    def _row(self, row: list[str], number: int) -> list[float]:
        try:
            # Python's float reads more than cells may hold, such as nan and 1_000.
            if _all_plain(row):
                return _plain_numbers(row)
        except ValueError:
            pass
        return [self._cell(cell, number, column) for column, cell in enumerate(row)]

    def _cell(self, cell: str, row: int, column: int) -> float:
        number = self._known.get(cell)
        if number is not None:
            return number
        where = self._place(row, column)
        if not cell.strip():
            raise ValueError(f"{where} of the text is empty: write 0 for nothing.")
        try:
            check_as_in_spreadsheets(cell.strip())
            number = parse_number(cell, infinite=self._infinite)
        except ValueError as error:
            raise ValueError(f"{where} of the text: {error}") from None
        if not PLAIN.fullmatch(cell.strip()):
            self._known[cell] = number
            if len(self._known) > MOST_FORMULAS:
                raise ValueError(
                    f"A text may have {MOST_FORMULAS:,} different formulas at most."
                )
        return number


_NEITHER = re.compile(r"[^0-9eE+\-. \t]")


def _all_plain(row: list[str]) -> bool:
    # With only these characters, float accepts the same texts as parse_number.
    return _NEITHER.search(" ".join(row)) is None


def _plain_numbers(row: list[str]) -> list[float]:
    numbers = list(map(float, row))
    if 0.0 in numbers or np.inf in numbers or -np.inf in numbers:
        for text in {row[i] for i, n in enumerate(numbers) if n == 0 or n * 0 != 0}:
            literal(text.strip())
    return numbers
