"""A small spreadsheet program: it computes what a workbook's formulas are worth."""

import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from openpyxl.utils import range_boundaries

_TOKENS = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<text>\"[^\"]*\")"
    r"|(?P<name>[A-Z]+)(?=\()"
    r"|(?P<place>(?:'(?:[^']|'')+'!)?\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?)"
    r"|(?P<sign><>|[-+*/^(),=<>]))"
)


class Spreadsheet:
    """The cells of a workbook; `change` one, and ask for others."""

    def __init__(self, path: Path) -> None:
        book = openpyxl.load_workbook(path)
        self._sheets = {
            sheet.title: {
                (cell.row, cell.column): cell.value for row in sheet for cell in row
            }
            for sheet in book
        }
        self.formulas = {
            name: {
                place: value
                for place, value in cells.items()
                if isinstance(value, str)
                and value.startswith("=")
                # and is no label that looks like one
                and book[name].cell(*place).data_type == "f"
            }
            for name, cells in self._sheets.items()
        }
        self.value = cache(self._computed)

    def change(self, sheet: str, row: int, column: int, value: float) -> None:
        """Write a number, below and beside the labels."""
        place = row + 2, column + 2
        assert place not in self.formulas[sheet]
        assert isinstance(self._sheets[sheet][place], float | int)
        self._sheets[sheet][place] = value
        self.value.cache_clear()

    def texts(self, sheet: str) -> list[str]:
        """Return the texts of a sheet."""
        return [cell for cell in self._sheets[sheet].values() if isinstance(cell, str)]

    def matrix(self, sheet: str) -> np.ndarray:
        """Return a sheet without its labels."""
        rows, columns = map(max, zip(*self._sheets[sheet], strict=True))
        return np.array(
            [
                [float(self.value(sheet, r, c)) for c in range(2, columns + 1)]
                for r in range(2, rows + 1)
            ]
        )

    def _computed(self, sheet: str, row: int, column: int):
        formula = self.formulas[sheet].get((row, column))
        if formula is None:
            return self._sheets[sheet].get((row, column))
        return _Reader(formula[1:], sheet, self.value).whole()


def check_kept_values(path: Path) -> None:
    """Compare what is kept beside each formula with what the formula is worth."""
    sheets = Spreadsheet(path)
    book = openpyxl.load_workbook(path, data_only=True)
    for name, cells in sheets.formulas.items():
        for row, column in cells:
            kept = book[name].cell(row, column).value
            want = sheets.value(name, row, column)
            if isinstance(want, str):
                assert (kept or "") == want, (name, row, column)
            else:
                assert kept == pytest.approx(want, rel=1e-12, abs=1e-13), name


class _Reader:
    def __init__(self, formula: str, sheet: str, value) -> None:
        self._tokens, end = [], 0
        while end < len(formula):
            match = _TOKENS.match(formula, end)
            assert match, formula[end:]
            self._tokens.append((match.lastgroup, match[match.lastgroup]))
            end = match.end()
        self._sheet, self._cell = sheet, value

    def whole(self):
        value = self._compared()
        assert not self._tokens
        return value

    def _next(self, *signs: str) -> str | None:
        kind, text = self._tokens[0] if self._tokens else ("", "")
        if kind == "sign" and text in signs:
            return self._tokens.pop(0)[1]
        return None

    def _compared(self):
        left = self._sum()
        while sign := self._next("=", "<>", ">", "<"):
            right = self._sum()
            left = {
                "=": lambda a, b: a == b,
                "<>": lambda a, b: a != b,
                ">": lambda a, b: a > b,
                "<": lambda a, b: a < b,
            }[sign](left, right)
        return left

    def _sum(self):
        left = self._product()
        while sign := self._next("+", "-"):
            right = self._product()
            if isinstance(left, list):  # ranges in a function that takes arrays
                left, right = np.array(left, float), np.array(right, float)
            left = left + right if sign == "+" else left - right
        return left

    def _product(self):
        left = self._power()
        while sign := self._next("*", "/"):
            right = self._power()
            if isinstance(left, list):  # a range in a function that takes arrays
                left = np.array(left, float)
            left = left * right if sign == "*" else left / right
        return left

    def _power(self):
        base = self._unit()
        return base ** self._unit() if self._next("^") else base

    def _unit(self):
        if self._next("-"):
            return -self._unit()
        if self._next("("):
            value = self._compared()
            assert self._next(")")
            return value
        kind, text = self._tokens.pop(0)
        if kind == "number":
            return float(text)
        if kind == "text":
            return text[1:-1]
        if kind == "place":
            return self._place(text)
        assert self._next("(")
        if text == "IF":
            return self._chosen()
        arguments = [self._compared()]
        while self._next(","):
            arguments.append(self._compared())
        assert self._next(")")
        return _FUNCTIONS[text](*arguments)

    def _chosen(self):
        """Compute the branch that is taken alone: the other may be an error."""
        condition = self._compared()
        branches = []
        for taken in (condition, not condition):
            assert self._next(",")
            branches.append(self._compared() if taken else self._skipped())
        assert self._next(")")
        return branches[0] if condition else branches[1]

    def _skipped(self) -> None:
        depth = 0
        while self._tokens[0] not in (("sign", ","), ("sign", ")")) or depth:
            kind, text = self._tokens.pop(0)
            depth += {"(": 1, ")": -1}.get(text, 0) if kind == "sign" else 0

    def _place(self, text: str):
        sheet, _, cells = text.rpartition("!")
        sheet = sheet[1:-1].replace("''", "'") if sheet else self._sheet
        left, top, right, bottom = range_boundaries(cells)
        values = [
            [self._cell(sheet, r, c) for c in range(left, right + 1)]
            for r in range(top, bottom + 1)
        ]
        return values if ":" in cells else values[0][0]


def _numbers(*ranges) -> list[float]:
    """Return the numbers of ranges, which functions look at, and not their texts."""
    cells = [
        cell
        for given in ranges
        for cell in (np.ravel(np.array(given, object)).tolist())
    ]
    return [cell for cell in cells if isinstance(cell, int | float)]


def _product_of(left, right) -> list[list[float]]:
    return (np.array(left, float) @ np.array(right, float)).tolist()


def _sum_of_products(*ranges) -> float:
    return float(np.prod([np.array(r, float) for r in ranges], axis=0).sum())


_FUNCTIONS = {
    "ABS": np.abs,
    "COUNT": lambda given: len(_numbers(given)),
    "EXP": math.exp,
    # Beyond the range of numbers there are errors, which are none.
    "ISNUMBER": lambda cell: isinstance(cell, int | float) and math.isfinite(cell),
    "ISTEXT": lambda cell: isinstance(cell, str),
    "LARGE": lambda given, k: sorted(_numbers(given), reverse=True)[int(k) - 1],
    "LN": math.log,
    "MATCH": lambda value, given, kind: given[0].index(value) + 1,
    "MAX": lambda *given: max(_numbers(*given), default=0),
    "MIN": lambda *given: min(_numbers(*given), default=0),
    "MMULT": _product_of,
    "POWER": np.power,
    "SQRT": math.sqrt,
    "SUM": lambda *given: math.fsum(_numbers(*given)),
    "SUMPRODUCT": _sum_of_products,
    "SUMSQ": lambda given: math.fsum(n * n for n in _numbers(given)),
    "TANH": np.tanh,
    "COS": np.cos,
    "SIN": np.sin,
}
