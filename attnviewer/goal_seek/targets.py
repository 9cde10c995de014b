"""Targets: the numbers that a computation should have."""

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from attnviewer.compute import Cell
from attnviewer.compute.arguments import check_name, real_number, whole_number

Relation: TypeAlias = Literal["=", "<=", ">=", "≤", "≥"]
Statistic: TypeAlias = Literal["entropy", "effective_keys", "sum"]

_RELATIONS = {"=": "=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}
_IN_SYMBOLS = {"=": "=", "<=": "≤", ">=": "≥"}
STATISTICS = {"entropy": "entropy", "effective_keys": "effective keys", "sum": "sum"}
"""The statistics of a row, and their names in sentences."""
_UNITS = {"entropy": (" bit", " bits")}


@dataclass(frozen=True, slots=True)
class Target:
    """A number that a cell of a step should equal, reach or not exceed.

    Parameters
    ----------
    step : str
        Any step but the mask.
    row, column : int
        The cell, counted from zero.
    relation : str
        ``=``, ``<=`` or ``>=``; ``≤`` and ``≥`` are the same as the last two.
    value : float or Cell
        The number; or another cell, ``Cell(step, index)`` with the head before row and
        column where its step has heads, to compare with: ``Target("weights", 0, 1, "=",
        Cell("weights", (0, 2)))`` makes two weights equal.
    head : int, optional
        The head of the queries, counted from zero; of keys and values, the one that
        serves it. By default every head of the step, each by itself.

    Raises
    ------
    TypeError, ValueError
        If the relation is another, the value NaN or infinite, or a position not a
        whole number of at least 0.
    """

    step: str
    row: int
    column: int
    relation: Relation
    value: float | Cell
    head: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        _set(self, "row", whole_number("row", self.row, 0))
        _set(self, "column", whole_number("column", self.column, 0))
        _check_common(self)

    def __str__(self) -> str:
        """Return the target in symbols: ``weights[0, 2] ≥ 0.8``."""
        value = self.value
        wanted = cell_text(value) if isinstance(value, Cell) else f"{value:g}"
        return f"{self.place} {_IN_SYMBOLS[self.relation]} {wanted}"

    @property
    def place(self) -> str:
        """The quantity of the target, without its wanted value."""
        index = (self.row, self.column)
        return cell_text(Cell(self.step, index)) + _of_head(self.head)


@dataclass(frozen=True, slots=True)
class RowTarget:
    """A number that a statistic of a row should equal, reach or not exceed.

    Parameters
    ----------
    statistic : str
        ``entropy`` in bits and ``effective_keys``, both of the row divided by its sum,
        as in `RowStatistics`; or the ``sum`` of the row.
    row : int
        The row, counted from zero.
    relation : str
        ``=``, ``<=`` or ``>=``; ``≤`` and ``≥`` are the same as the last two.
    value : float
        The number.
    head : int, optional
        As in `Target`.
    step : str
        Whose row.

    Raises
    ------
    TypeError, ValueError
        If there is no such statistic or relation, the value is NaN or infinite, or the
        row not a whole number of at least 0.
    """

    statistic: Statistic
    row: int
    relation: Relation
    value: float
    head: int | None = field(default=None, kw_only=True)
    step: str = field(default="weights", kw_only=True)

    def __post_init__(self) -> None:
        check_name("statistic", self.statistic, STATISTICS)
        _set(self, "row", whole_number("row", self.row, 0))
        _check_common(self)

    def __str__(self) -> str:
        """Return the target in symbols: ``entropy of weights[0] ≤ 1 bit``."""
        units = _UNITS.get(self.statistic, ("", ""))
        unit = units[self.value != 1]
        sign = _IN_SYMBOLS[self.relation]
        return f"{self.place} {sign} {self.value:g}{unit}"

    @property
    def place(self) -> str:
        """The quantity of the target, without its wanted value."""
        row = row_text(self.step, self.row, self.head)
        return f"{STATISTICS[self.statistic]} of {row}"


AnyTarget: TypeAlias = Target | RowTarget


def cell_text(cell: Cell) -> str:
    """Return a cell as it is written in Python: ``weights[0, 2]``."""
    return f"{cell.step}[{', '.join(map(str, cell.index))}]"


def row_text(step: str, row: int, head: int | None) -> str:
    """Return a row as it is written in Python, and of which head it is."""
    return f"{step}[{row}]{_of_head(head)}"


def _of_head(head: int | None) -> str:
    return "" if head is None else f" of head {head}"


def _check_common(target: AnyTarget) -> None:
    check_name("relation", target.relation, _RELATIONS)
    _set(target, "relation", _RELATIONS[target.relation])
    if target.head is not None:
        _set(target, "head", whole_number("head", target.head, 0))
    if not (isinstance(target, Target) and isinstance(target.value, Cell)):
        value = real_number("value", target.value)
        if not math.isfinite(value):
            raise ValueError(
                f"The 'value' parameter must be a finite number. Got {value} instead."
            )
        _set(target, "value", value)


def _set(target: AnyTarget, name: str, value: object) -> None:
    object.__setattr__(target, name, value)
