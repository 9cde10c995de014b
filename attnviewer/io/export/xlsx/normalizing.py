"""Normalisers as formulas, from their rules.

A row of a helper sheet holds the named parts of the rule: numbers of the whole row, and
terms per key. Scores that are the text "-inf" are not numbers: sums and maxima skip
them. Overflowing scores are errors, and so are their weights.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviewer.compute import Array, Expression, Number
from attnviewer.compute.expression import Cell, Operation
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.notation import Piece, Pieces, Spreadsheet
from attnviewer.compute.notation.printer import BASE
from attnviewer.compute.rules import (
    SCORE,
    IsAt,
    KeyCount,
    Named,
    Reduction,
    RowMaximum,
    Rows,
    RowSum,
    RowWinner,
    Score,
    Threshold,
    is_of_row,
    nodes,
    vanishes,
)
from attnviewer.io.export.xlsx.cells import Computed
from attnviewer.io.export.xlsx.thresholds import candidates
from attnviewer.io.spreadsheet import cell_name, column_name


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRow:
    """A row of scores, and its row in the helper sheet.

    Parameters
    ----------
    scores : sequence of str
        References to its cells.
    whole : str
        The reference to the whole row.
    values : ndarray, shape (n_k,)
        The scores.
    row, column : int
        The first cell of the helper row in its sheet.
    sheet : str
        The reference prefix of that sheet.
    """

    scores: Sequence[str]
    whole: str
    values: Array
    row: int
    column: int
    sheet: str

    def helper(self, offset: int) -> str:
        """Return the reference to a cell of the helper row."""
        return f"{self.sheet}!{self.beside(offset)}"

    def beside(self, offset: int) -> str:
        """Return the same for formulas in that sheet, with an absolute column."""
        column = column_name(self.column + offset)
        return f"${column}{self.row + 1}"

    def span(self, first: int, count: int) -> str:
        """Return the reference, in that sheet, to a range of the helper row."""
        start = cell_name(self.row, self.column + first)
        return f"{start}:{cell_name(self.row, self.column + first + count - 1)}"


class Columns:
    """The columns of a normaliser's helper sheet.

    Parameters
    ----------
    normalizer : Normalizer
        The normaliser.
    reference : callable
        Returns the reference to a cell that the rule reads besides its scores.
    """

    def __init__(
        self, normalizer: Normalizer, reference: Callable[[Cell], str]
    ) -> None:
        self.normalizer = normalizer
        self.reference = reference
        self.rule = normalizer.rule
        every = list(nodes(self.rule))
        reductions = [node for node in every if isinstance(node, Reduction)]
        terms = [_body(node.term) for node in reductions]
        self.of_keys = [term for term in dict.fromkeys(terms) if term != SCORE]
        # A masked 0 adds nothing to a sum, but could be the maximum.
        compared = {_body(n.term) for n in reductions if not isinstance(n, RowSum)}
        self._vanishes = vanishes(self.rule)
        self._zeros = [t for t in self.of_keys if vanishes(t) and t not in compared]
        named = [node for node in every if isinstance(node, Named) and is_of_row(node)]
        varying = [node.body for node in named if SCORE in nodes(node)]
        self.of_row = varying if self.of_keys else []
        self.thresholds = [node for node in every if isinstance(node, Threshold)]

    @cached_property
    def per_key(self) -> int:
        """The number of columns per key."""
        return len(self.of_keys) + sum(t.power for t in self.thresholds)

    def count(self, n_keys: int) -> int:
        """Return the number of columns of the helper sheet; 0 without one."""
        return len(self.of_row) + n_keys * self.per_key

    def headings(self, keys: Sequence[str]) -> list[str]:
        """Return the headings of the helper sheet."""
        names = {n.body: n.name for n in nodes(self.rule) if isinstance(n, Named)}
        ranks = range(1, len(keys) + 1)
        return [
            *(names[node] for node in self.of_row),
            *(key for _ in self.of_keys for key in keys),
            *(f"{names[t]} {rank}" for t in self.thresholds for rank in ranks),
            *(f"sorted {r}" for t in self.thresholds for r in ranks if t.power > 1),
        ]

    def helping(self, row: ScoreRow) -> list[Computed]:
        """Return the formulas of a row of the helper sheet."""
        return list(self._helping(row))

    def weights(self, row: ScoreRow) -> list[str]:
        """Return the formulas of a row of weights."""
        return [self._weight(row, key) for key in range(len(row.scores))]

    def _helping(self, row: ScoreRow) -> Iterator[Computed]:
        n = len(row.scores)
        numbers = _SheetRows(row.values[np.newaxis] / self.temperature)
        blind = bool(np.isneginf(row.values).all())
        with np.errstate(all="ignore"):
            values = {node: numbers.value(node)[0] for node in self.columns}
        for node in self.of_row:
            shown = float(values[node][0])
            if isinstance(node, Threshold):
                first = self._candidates(node, n)
                yield Computed(f"MAX({row.span(first, n)})", shown)
            else:
                formula = _RuleFormula(self, row, None, node).text(node)
                if isinstance(node, RowWinner) and not blind:
                    shown += 1  # a spreadsheet counts from 1
                yield Computed(formula, shown if np.isfinite(shown) else 0.0)
        for node in self.of_keys:
            masked = "0" if node in self._zeros else '""'
            for key, score in enumerate(row.scores):
                formula = _RuleFormula(self, row, key, node).text(node)
                hidden = np.isneginf(row.values[key])
                empty = 0.0 if masked == "0" else ""
                value = empty if hidden else float(values[node][key])
                yield Computed(f"IF(ISTEXT({score}),{masked},{formula})", value)
        for threshold in self.thresholds:
            # A term of −∞ may be the largest.
            masked_keys = np.isneginf(row.values)  # (n_k,)
            terms = np.where(masked_keys, -np.inf, values[_body(threshold.term)])
            first = self._candidates(threshold, n)
            span = row.span(self.column_of(_body(threshold.term), n), n)
            yield from candidates(row, span, first, terms, threshold.power)

    @property
    def columns(self) -> list[Expression]:
        """The nodes of the rule that have columns."""
        return [*self.of_row, *self.of_keys]

    @property
    def temperature(self) -> float:
        """The divisor of scores."""
        given = self.normalizer
        return 1.0 if given.cancels_temperature else given.temperature

    def column_of(self, node: Expression, n_keys: int) -> int:
        """Return the column of a node, or its first one if it has one per key."""
        if node in self.of_row:
            return self.of_row.index(node)
        return len(self.of_row) + n_keys * self.of_keys.index(node)

    def _candidates(self, threshold: Threshold, n_keys: int) -> int:
        """Return the first column of a threshold's candidates."""
        before = self.thresholds[: self.thresholds.index(threshold)]
        passed = len(self.of_keys) + sum(t.power for t in before)
        return len(self.of_row) + n_keys * passed

    def _weight(self, row: ScoreRow, key: int) -> str:
        writer = _RuleFormula(self, row, key)
        formula = writer.text(self.rule)
        totals = [node for node in self.of_row if isinstance(node, RowSum)]
        if totals and self._vanishes:
            total = row.helper(self.column_of(totals[0], len(row.scores)))
            formula = f"IF({total}=0,0,{formula})"
            if self._zeros == self.of_keys:
                return formula
        return f"IF(ISTEXT({row.scores[key]}),0,{formula})"


class _SheetRows(Rows):
    """Rows whose numbers are those of a spreadsheet, where MAX of no numbers is 0."""

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        value = super()._computed(node, parts)
        if isinstance(node, Reduction):
            value = np.where(self._masked.all(axis=-1, keepdims=True), 0, value)
        return value


class _RuleFormula(Spreadsheet):
    """Prints a rule as formulas for one row.

    Parameters
    ----------
    columns : Columns
        The columns of the helper sheet.
    row : ScoreRow
        The row.
    key : int or None
        The key; None for a number of the whole row.
    inside : Expression or None
        The node that the formula computes, if it is in the helper sheet.
    """

    def __init__(
        self,
        columns: Columns,
        row: ScoreRow,
        key: int | None,
        inside: Expression | None = None,
    ) -> None:
        super().__init__(columns.reference)
        self._columns = columns
        self._row = row
        self._key = key
        self._inside = inside

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        body, row = _body(expression), self._row
        if body != self._inside and body in self._columns.columns:
            offset = self._columns.column_of(body, len(row.scores)) + self._offset(body)
            return (
                Piece(
                    row.helper(offset) if self._inside is None else row.beside(offset)
                ),
            )
        match body:
            case Score():
                assert self._key is not None
                return (Piece(self._tempered(row.scores[self._key])),)
            case KeyCount():
                return (Piece(str(len(row.scores))),)
            case RowMaximum(term):
                largest = f"MAX({self._terms(term)})"
                return (Piece(self._tempered(largest) if term == SCORE else largest),)
            case RowSum(term):
                return (Piece(f"SUM({self._terms(term)})"),)
            case RowWinner(term):
                terms = self._terms(term)
                found = f"MATCH(MAX({terms}),{terms},0)"
                if term != SCORE:  # they may all be masked
                    found = f"IF(COUNT({terms})=0,0,{found})"
                return (Piece(found),)
            case IsAt(winner):
                assert self._key is not None
                return (Piece(f"IF({self.text(winner)}={self._key + 1},1,0)"),)
        return super().operation(body, leading=leading)

    def strength(self, expression: Expression) -> int:
        body = _body(expression)
        own = isinstance(body, Operation) and body not in self._columns.columns
        return super().strength(body) if own or isinstance(body, Number) else BASE

    def _terms(self, term: Expression) -> str:
        body, n = _body(term), len(self._row.scores)
        if body == SCORE:
            return self._row.whole
        return self._row.span(self._columns.column_of(body, n), n)

    def _offset(self, body: Expression) -> int:
        """Return the offset of the key's column among those of a node."""
        return 0 if is_of_row(body) else self._key or 0

    def _tempered(self, score: str) -> str:
        temperature = self._columns.temperature
        return score if temperature == 1 else f"({score}/{temperature!r})"


def _body(node: Expression) -> Expression:
    return node.body if isinstance(node, Named) else node
