"""Exact numbers from the cells of a table, or the reasons why not."""

import math
import re

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.text.doubtful_numbers import check_as_in_spreadsheets
from attnviewer.document.text.expression import PLAIN, shortened, too_large
from attnviewer.document.text.parsing import NO_NUMBERS, parse_number
from attnviewer.io.matrices.arrays import EXACT
from attnviewer.io.matrices.delimited.names import MISSING, TRUTH, Row

BARS = "There are bars between cells. Put commas or tabs there."
_LOWEST = "-inf"
_LONGEST_WORD = 12
_PLAIN = b"0123456789eE+-. \t"
_WHOLE = re.compile(r"[+-]?[0-9]+")
_COMPLEX = re.compile(r"\(?[-+0-9.eE \t]+[ij]\)?", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[+-]?0x[0-9a-f.p+-]+", re.IGNORECASE)
_FORTRAN = re.compile(r"([+-]?[0-9.]+)[dD]([+-]?[0-9]+)")
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d)"
    r"|\d{1,2}[-/ ]?[A-Z][a-z]{2}\b|\d+:\d\d"
)
_SIGNS_OF_MONEY = "$€£¥₹"


class CellError(ValueError):
    """A cell that is not a number.

    Parameters
    ----------
    cell : int
        Index of the cell among those given.
    reason : str
        Why not, as a sentence.
    """

    def __init__(self, cell: int, reason: str) -> None:
        super().__init__(reason)
        self.cell = cell


class CellReader:
    """Parses cells, and collects remarks on them for the user."""

    def __init__(self) -> None:
        self._rounded = ""
        self._vanished = ""
        self._of_truth: bool | None = None

    def numbers(self, cells: Row) -> Array:
        """Return the numbers in some cells, −∞ included.

        If all cells are truth values, as of a mask, they are 1 and 0.

        Parameters
        ----------
        cells : list of str
            The cells, with decimal points.

        Raises
        ------
        CellError
            If one of them is not a number, or too large.
        """
        values = _plain_numbers(cells)
        truth = _truth_values(cells) if values is None else None
        if self._of_truth is None:
            self._of_truth = truth is not None
        if self._of_truth and truth is not None:
            return truth
        if self._of_truth:
            other = next(i for i, cell in enumerate(cells) if not _is_truth(cell))
            raise CellError(other, "The cell must be TRUE or FALSE, as those above.")
        if values is None:
            values = _all_numbers(cells)
        self._look_for_rounded(cells, values)
        return values

    def notices(self) -> list[str]:
        """Return the remarks on all cells."""
        notices = []
        if self._of_truth:
            notices.append("TRUE and FALSE were read as 1 and 0, as of a mask.")
        if self._rounded:
            notices.append(
                f"{self._rounded} and maybe other whole numbers above 2⁵³ were rounded."
            )
        if self._vanished:
            notices.append(
                f"{self._vanished} and maybe other numbers are so small that they "
                "became 0."
            )
        return notices

    def _look_for_rounded(self, cells: Row, values: Array) -> None:
        if not self._rounded:
            for index in np.flatnonzero(np.abs(values) >= EXACT).tolist():
                text = _unquoted(cells[index])
                value = values[index]
                if _WHOLE.fullmatch(text) and int(_last(text)) != int(value):
                    self._rounded = shortened(text)
                    break
        if not self._vanished:
            nothing = {cells[index] for index in np.flatnonzero(values == 0).tolist()}
            vanished = (
                c for c in nothing if re.search("[1-9]", re.split("[eE]", c)[0])
            )
            self._vanished = shortened(min(vanished, default=""))


def _last(text: str) -> str:
    """Return a whole number without leading zeros; Python's digit limit counts them."""
    sign = "-" if text.startswith("-") else ""
    return sign + (text.lstrip("+-0") or "0")


def _plain_numbers(cells: Row) -> Array | None:
    """Return the numbers if all cells are plain ones, as nearly always."""
    characters = " ".join(cells).replace(_LOWEST, "").encode()
    if characters.translate(None, _PLAIN):
        return None
    try:
        # With only these characters, float accepts exactly the plain numbers.
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        return None
    infinite = {cells[index] for index in np.flatnonzero(np.isinf(values)).tolist()}
    return None if infinite - {_LOWEST} else values


def _truth_values(cells: Row) -> Array | None:
    """Return 1 and 0 for truth values if all cells are such."""
    different = {*cells}
    if not all(map(_is_truth, different)):
        return None
    true = {cell for cell in different if _unquoted(cell).lower() == "true"}
    return np.array([cell in true for cell in cells], dtype=np.float64)


def _is_truth(cell: str) -> bool:
    return _unquoted(cell).lower() in TRUTH


def _all_numbers(cells: Row) -> Array:
    values = np.empty(len(cells))
    known: dict[str, float] = {}
    for index, cell in enumerate(cells):
        value = known.get(cell)
        if value is None:
            try:
                value = known[cell] = _number(cell)
            except ValueError as error:
                raise CellError(index, str(error)) from None
        values[index] = value
    return values


def _unquoted(cell: str) -> str:
    text = cell.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1].strip()
    return text.replace("−", "-")


def _number(cell: str) -> float:
    text = _unquoted(cell)
    if PLAIN.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise too_large(text)
        return number
    if len(text) < _LONGEST_WORD and text.lower().lstrip("+-") in NO_NUMBERS:
        return parse_number(text, infinite=True)
    check_as_in_spreadsheets(text)
    raise _no_number(text)


def _no_number(text: str) -> ValueError:
    """Return the reason why a text is not a number, as exactly as it is known."""
    cell = f"“{shortened(text)}”"
    if not text:
        return ValueError("The cell is empty. Write 0 for nothing.")
    if text.lower() in MISSING:
        return ValueError(f"{cell} stands for a missing number. All must be there.")
    if text.lower() in TRUTH:
        return ValueError(f"{cell} is a truth value. Write 1 or 0 instead.")
    if text[0] in "=@":
        return ValueError(f"{cell} is a formula. Save its value instead.")
    if text[0] == "#":
        return ValueError(f"{cell} is not a number, but an error in a spreadsheet.")
    if not text.isascii() and any(c.isdecimal() and c > "9" for c in text):
        return ValueError(f"{cell} is not a number: it has other digits than 0 to 9.")
    if _COMPLEX.fullmatch(text):
        return ValueError(f"{cell} is a complex number, which cannot be used here.")
    if _HEXADECIMAL.fullmatch(text):
        return ValueError(f"{cell} is hexadecimal. Write it as a decimal number.")
    if "_" in text and PLAIN.fullmatch(text.replace("_", "")):
        return ValueError(f"{cell} is not a number: it has underscores between digits.")
    if fortran := _FORTRAN.fullmatch(text):
        better = shortened(f"{fortran[1]}e{fortran[2]}")
        return ValueError(f"{cell} is not a number here. Write {better} instead.")
    if text[-1] == "%" and PLAIN.fullmatch(text[:-1].rstrip()):
        return ValueError(f"{cell} is a percentage. Write it as a fraction.")
    if text[0] in _SIGNS_OF_MONEY or text[-1] in _SIGNS_OF_MONEY:
        return ValueError(f"{cell} is an amount of money. Write the number alone.")
    if "|" in text:
        return ValueError(BARS)
    if _DATE.match(text):
        return ValueError(f"{cell} is a date or a time, not a number.")
    if len(text.split()) > 1 and all(map(PLAIN.fullmatch, text.split())):
        return ValueError(f"{cell} is not one number: it has a space or line break.")
    return ValueError(f"{cell} is not a number.")
