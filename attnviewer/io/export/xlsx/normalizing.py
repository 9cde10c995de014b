"""Normalisers as formulas: what each row must know, and how its weights follow.

Scores that are the text "-inf" are no numbers there: sums and maxima pass them over.
Those beyond the range of numbers are errors, which their weights become as well.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.normalizers import Normalizer
from attnviewer.io.export.xlsx.cells import Computed
from attnviewer.io.spreadsheet import cell_name, column_name


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRow:
    """A row of scores, and a row of a sheet that helps to normalise it.

    Parameters
    ----------
    scores : sequence of str
        How formulas name its cells.
    whole : str
        How they name all of it.
    values : ndarray, shape (n_k,)
        The scores.
    row, column : int
        Where the helping row begins in its sheet.
    sheet : str
        How formulas name that sheet.
    """

    scores: Sequence[str]
    whole: str
    values: Array
    row: int
    column: int
    sheet: str

    def helper(self, place: int) -> str:
        """Return how formulas name a cell of the helping row."""
        return f"{self.sheet}!{self.beside(place)}"

    def beside(self, place: int) -> str:
        """Return the same for formulas in that sheet, whose column stays."""
        column = column_name(self.column + place)
        return f"${column}{self.row + 1}"

    def span(self, first: int, count: int) -> str:
        """Return how formulas in that sheet name some cells of the helping row."""
        start = cell_name(self.row, self.column + first)
        return f"{start}:{cell_name(self.row, self.column + first + count - 1)}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A normaliser as formulas.

    Parameters
    ----------
    weights : callable
        Returns the formulas of a row of weights.
    helping : callable, optional
        Returns the row of a sheet that helps.
    headings : tuple of str
        What the first columns of that sheet are called; those of the keys follow.
    sorted_heading : str
        What a second column for each key is called, with its rank; "" without them.
    """

    weights: Callable[[Any, ScoreRow], list[str]]
    helping: Callable[[Any, ScoreRow], list[Computed]] | None = None
    headings: tuple[str, ...] = ()
    sorted_heading: str = ""

    def columns(self, n_keys: int) -> int:
        """Return how many columns a sheet that helps has; 0 without one."""
        if self.helping is None:
            return 0
        return len(self.headings) + n_keys * (1 + bool(self.sorted_heading))

    def all_headings(self, keys: Sequence[str]) -> list[str]:
        """Return what the columns of a sheet that helps are called."""
        ranks = range(1, len(keys) + 1) if self.sorted_heading else ()
        ranked = [f"{self.sorted_heading} {rank}" for rank in ranks]
        return [*self.headings, *keys, *ranked]


def rule_of(normalizer: Normalizer) -> Rule | None:
    """Return a normaliser as formulas, if that is known."""
    return _RULES.get(normalizer.name)


@np.errstate(all="ignore")
def _exponentials(normalizer: Any, row: ScoreRow) -> list[Computed]:
    """Return the row's maximum, the sum of its exponentials, and these."""
    beside, t = normalizer.beside, normalizer.temperature
    visible = ~np.isneginf(row.values)  # (n_k,)
    largest = max([*row.values[visible].tolist(), *beside], default=0.0)
    powers = np.exp((row.values - largest) / t)  # (n_k,)
    total = float(powers.sum()) + sum(math.exp((s - largest) / t) for s in beside)

    def power(score: object) -> str:
        return f"EXP({_tempered(f'({score}-{row.beside(0)})', t)})"

    more = "".join(f"+{power(score)}" for score in beside)
    return [
        Computed(f"MAX({','.join([row.whole, *map(repr, beside)])})", largest),
        Computed(f"SUM({row.span(2, len(powers))}){more}", total),
        *(
            Computed(f"IF(ISTEXT({score}),0,{power(score)})", value)
            for score, value in zip(row.scores, powers.tolist(), strict=True)
        ),
    ]


def _quotients(normalizer: Any, row: ScoreRow) -> list[str]:
    total = row.helper(1)
    return [
        f"IF({total}=0,0,{row.helper(2 + key)}/{total})"
        for key in range(len(row.scores))
    ]


def _sigmoids(normalizer: Any, row: ScoreRow) -> list[str]:
    bias = f"LN({len(row.scores)})" if normalizer.length_bias else "0"
    tempered = (_tempered(score, normalizer.temperature) for score in row.scores)
    # Beyond 700 the exponential leaves the range of numbers.
    return [
        f"IF(ISTEXT({score}),0,1/(1+EXP(MIN(700,{bias}-{over}))))"
        for score, over in zip(row.scores, tempered, strict=True)
    ]


def _shares(normalizer: Any, row: ScoreRow) -> list[str]:
    return [f"IF(ISTEXT({score}),0,{score}/SUM({row.whole}))" for score in row.scores]


def _winners(normalizer: Any, row: ScoreRow) -> list[str]:
    first = f"MATCH(MAX({row.whole}),{row.whole},0)"
    return [
        f"IF(COUNT({row.whole})=0,0,IF({first}={place},1,0))"
        for place in range(1, len(row.scores) + 1)
    ]


@np.errstate(all="ignore")
def _thresholds(normalizer: Any, row: ScoreRow) -> list[Computed]:
    """Return the row's maximum, τ, and what τ would be for the first 1, 2, … keys.

    It is the largest of these: Martins & Astudillo 2016, "From Softmax to Sparsemax",
    proposition 1, where the support is the last key for which they still grow.
    """
    t, n = normalizer.temperature, len(row.scores)
    visible = np.sort(row.values[~np.isneginf(row.values)])[::-1]  # (visible,)
    largest = float(visible[0]) if visible.size else 0.0
    sums = np.cumsum((visible - largest) / t)  # (visible,)
    candidates = (sums - 1) / np.arange(1, visible.size + 1)  # (visible,)
    cells = []
    for key in range(n):
        # Each follows from the one before: k·τ(k) = (k − 1)·τ(k − 1) + z(k).
        before = f"{key}*{row.beside(1 + key)}" if key else "-1"
        over = _tempered(f"(LARGE({row.whole},{key + 1})-{row.beside(0)})", t)
        formula = f'IF(COUNT({row.whole})>{key},({before}+{over})/{key + 1},"")'
        value = float(candidates[key]) if key < visible.size else ""
        cells.append(Computed(formula, value))
    tau = float(candidates.max()) if visible.size else 0.0
    return [
        Computed(f"MAX({row.whole})", largest),
        Computed(f"MAX({row.span(2, n)})", tau),
        *cells,
    ]


@np.errstate(all="ignore")
def _thresholds_of_squares(normalizer: Any, row: ScoreRow) -> list[Computed]:
    """Return the row's maximum, τ, its candidates, and half the scores in order.

    Peters, Niculae & Martins 2019, "Sparse Sequence-to-Sequence Models", algorithm 2:
    candidates rise with the number of keys, and τ is that of the last key above it.
    """
    t, n = normalizer.temperature, len(row.scores)
    visible = np.sort(row.values[~np.isneginf(row.values)])[::-1]  # (visible,)
    largest = float(visible[0]) if visible.size else 0.0
    z = np.maximum((visible - largest) / t / 2, -1)  # (visible,)
    count = np.arange(1, visible.size + 1)  # (visible,)
    mean = np.cumsum(z) / count  # (visible,)
    spread = (1 - np.cumsum(z * z)) / count + mean * mean  # (visible,)
    candidates = mean - np.sqrt(np.maximum(spread, 0))  # (visible,)
    inside = (candidates < z) & (z > -1)  # (visible,)
    cells, ordered = [], []
    for key in range(n):
        own, first = row.beside(2 + n + key), row.span(2 + n, key + 1)
        mean_of = f"SUM({first})/{key + 1}"
        candidate = f"{mean_of}-SQRT(MAX(0,(1-SUMSQ({first}))/{key + 1}+({mean_of})^2))"
        formula = (
            f'IF(ISTEXT({own}),"",IF({own}>-1,IF({candidate}<{own},{candidate},""),""))'
        )
        known = key < visible.size
        is_inside = known and bool(inside[key])
        cells.append(Computed(formula, float(candidates[key]) if is_inside else ""))
        over = _tempered(f"(LARGE({row.whole},{key + 1})-{row.beside(0)})", t)
        formula = f'IF(COUNT({row.whole})>{key},MAX(-1,{over}/2),"")'
        ordered.append(Computed(formula, float(z[key]) if known else ""))
    tau = float(candidates[inside].max()) if inside.any() else 0.0
    return [
        Computed(f"MAX({row.whole})", largest),
        Computed(f"MAX({row.span(2, n)})", tau),
        *cells,
        *ordered,
    ]


def _unchanged(normalizer: Any, row: ScoreRow) -> list[str]:
    return [
        f"IF(ISTEXT({score}),0,{_tempered(score, normalizer.temperature)})"
        for score in row.scores
    ]


def _above(normalizer: Any, row: ScoreRow) -> list[str]:
    return [
        f"IF(ISTEXT({score}),0,MAX(0,{over}-{row.helper(1)}))"
        for score, over in _below_largest(normalizer, row)
    ]


def _above_squared(normalizer: Any, row: ScoreRow) -> list[str]:
    return [
        f"IF(ISTEXT({score}),0,POWER(MAX(0,{over}/2-{row.helper(1)}),2))"
        for score, over in _below_largest(normalizer, row)
    ]


def _below_largest(normalizer: Any, row: ScoreRow) -> Iterator[tuple[str, str]]:
    """Yield each score, and how far it lies below the largest, in temperatures."""
    for score in row.scores:
        below = f"({score}-{row.helper(0)})"
        yield score, _tempered(below, normalizer.temperature)


_SOFTMAX = Rule(_quotients, _exponentials, ("max", "sum"))
_RULES = {
    "softmax": _SOFTMAX,
    "softmax1": _SOFTMAX,
    "sigmoid": Rule(_sigmoids),
    "sum": Rule(_shares),
    "hardmax": Rule(_winners),
    "none": Rule(_unchanged),
    "sparsemax": Rule(_above, _thresholds, ("max", "τ")),
    "entmax15": Rule(_above_squared, _thresholds_of_squares, ("max", "τ"), "sorted"),
}


def _tempered(score: str, temperature: float) -> str:
    return score if temperature == 1 else f"{score}/{temperature!r}"
