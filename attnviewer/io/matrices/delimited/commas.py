"""Commas, which may be decimal, thousands separators, or cell separators."""

import re
from dataclasses import dataclass, field

from attnviewer.document.text.doubtful_numbers import (
    DECIMAL_COMMA,
    GROUPED,
    commas_and_points,
    doubtful_comma,
    one_or_two,
)
from attnviewer.document.text.expression import shortened
from attnviewer.io.matrices.delimited.names import Row

_NUMBER = re.compile(r"[0-9eE+−.,\s-]+")
_GROUPED_BY_POINTS = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")


class CommaError(ValueError):
    """Commas that can be read in several ways.

    Parameters
    ----------
    cell : int or None
        Index of the cell among those given last, if it is one of them.
    reason : str
        The reason, as a sentence.
    """

    def __init__(self, cell: int | None, reason: ValueError) -> None:
        super().__init__(str(reason))
        self.cell = cell


@dataclass(slots=True)
class Commas:
    """The meaning of the commas inside the cells of a whole table.

    Parameters
    ----------
    points_doubtful : bool
        Whether points may be thousands separators, until a cell shows otherwise.
    """

    points_doubtful: bool
    _decimal: str = ""
    _points: str = ""
    _grouped: bool = field(default=True)

    def with_points(self, cells: Row) -> Row:
        """Return cells with their decimal commas replaced by points.

        Raises
        ------
        CommaError
            If a cell has a comma that is not decimal, or others have points.
        """
        together = " ".join(cells)
        if "." in together:
            self._take_points(cells)
        if "," not in together:
            return cells
        if not self._points and self._are_decimal(cells):
            return "\0".join(cells).replace(",", ".").split("\0")
        pointed = []
        for index, cell in enumerate(cells):
            number = "," in cell and _NUMBER.fullmatch(cell)
            if number:
                self._take_comma(index, cell.strip().replace("−", "-"))
            pointed.append(cell.replace(",", ".") if number else cell)
        return pointed

    def _are_decimal(self, cells: Row) -> bool:
        """Return whether all commas are clearly decimal, as nearly always."""
        commas = [cell for cell in cells if "," in cell]
        if not all(map(DECIMAL_COMMA.fullmatch, commas)):
            return False
        self._decimal = self._decimal or commas[0]
        self._grouped = self._grouped and all(map(GROUPED.fullmatch, commas))
        return True

    def notices(self) -> list[str]:
        """Return the remarks on all commas.

        Raises
        ------
        CommaError
            If each of them may be a thousands separator.
        """
        if self._decimal and self._grouped:
            raise CommaError(None, doubtful_comma(self._decimal))
        if self._decimal:
            return ["Commas were read as decimal points."]
        if self._points and self.points_doubtful:
            return [f"The point in {self._points} was read as a decimal point."]
        return []

    def _take_points(self, cells: Row) -> None:
        if self._points and not (self.points_doubtful or self._decimal):
            return
        for index, cell in enumerate(cells):
            if "." not in cell or not _NUMBER.fullmatch(cell):
                continue
            if self._decimal:
                raise CommaError(index, commas_and_points(cell.strip()))
            self._points = self._points or cell.strip()
            if not _GROUPED_BY_POINTS.fullmatch(cell.strip()):
                self.points_doubtful = False
                return

    def _take_comma(self, index: int, cell: str) -> None:
        if self._points or "." in cell:
            raise CommaError(index, commas_and_points(cell))
        if not DECIMAL_COMMA.fullmatch(cell):
            raise CommaError(index, doubtful_comma(cell))
        self._decimal = self._decimal or cell
        self._grouped = self._grouped and bool(GROUPED.fullmatch(cell))


@dataclass(slots=True)
class Pairs:
    """Two columns with commas between them, which may be one with decimal commas."""

    doubtful: bool
    _first: str = ""
    _grouped: bool = field(default=True)

    def take(self, cells: Row) -> None:
        """Inspect pairs of cells, until one of them settles the doubt."""
        for pair in zip(cells[::2], cells[1::2], strict=True):
            if not self.doubtful:
                return
            cell = ",".join(pair).strip()
            self._first = self._first or cell
            self.doubtful = bool(DECIMAL_COMMA.fullmatch(cell))
            self._grouped = self._grouped and bool(GROUPED.fullmatch(cell))

    def notices(self, *, likely: bool) -> list[str]:
        """Return the remarks on all commas.

        Parameters
        ----------
        likely : bool
            Whether such files usually separate cells by commas.

        Raises
        ------
        CommaError
            If each of them may also be a decimal comma or a thousands separator.
        """
        if not self.doubtful or not self._first:
            return []
        if self._grouped or not likely:
            raise CommaError(None, one_or_two(self._first))
        return [
            f"The comma in “{shortened(self._first)}” was read as one between two "
            "columns, not as a decimal comma."
        ]
