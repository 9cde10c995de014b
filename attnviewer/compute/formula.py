"""A cell's number written as an expression of the numbers it came from."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import is_

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import (
    Cell,
    Expression,
    Number,
    Product,
    Sum,
    numbers,
    total_of,
)
from attnviewer.compute.html import DECIMALS
from attnviewer.compute.notation import plain_text, write
from attnviewer.compute.number_text import rounded, short_number


@dataclass(frozen=True, slots=True, repr=False)
class Formula:
    """The formula by which a cell holds its value.

    Parameters
    ----------
    cell : Cell
        The explained cell.
    value : float
        The number in it.
    symbols : str
        The rule in the field's symbols, such as ``Qᵢ · Kⱼ``.
    steps : tuple of expressions
        The rule with this cell's own numbers, each step simpler than the one
        before; empty for a number that is given. Every step evaluates to `value` up
        to rounding, unless its terms leave the range of numbers, see `in_range`.
    note : str
        What the rule does not show, such as why a key is masked.
    sources : tuple of Cell
        Cells that decide the value though no step names them, such as the score
        that a mask hides.
    computed : Formula or None
        What the number would be without the pins that act on it; None without any.
    """

    cell: Cell
    value: float
    symbols: str
    steps: tuple[Expression, ...] = ()
    note: str = ""
    sources: tuple[Cell, ...] = ()
    computed: "Formula | None" = None

    def __repr__(self) -> str:
        steps = [plain_text(write(step)) for step in self.steps[:1]]
        return " = ".join([self._name, *steps, short_number(self.value)])

    def _repr_html_(self) -> str:
        lines = [f"<b>{escape(self._name)}</b> = {escape(self.symbols)}"]
        lines += [f"= {escape(plain_text(write(step)))}" for step in self.steps]
        value = f"= {rounded(self.value, DECIMALS)}"
        if lines[-1] != value:
            lines.append(value)
        if self.note:
            lines.append(f"<small>{escape(self.note)}</small>")
        return f"<div>{'<br>'.join(lines)}</div>"

    @property
    def _name(self) -> str:
        """The name of the cell: ``weights[0, 2]``."""
        return f"{self.cell.step}[{', '.join(map(str, self.cell.index))}]"

    @property
    def in_range(self) -> bool:
        """Whether the steps are finite, infinite or NaN exactly where the value is.

        False where single terms overflow although the sum of products, which is
        computed in another order, does not, or where one is NaN and the other infinite.
        """
        kinds = (_kind(step.evaluate()) for step in self.steps)
        return all(kind == _kind(self.value) for kind in kinds)

    def told_out_of_range(self) -> "Formula":
        """Return the formula with a note that its steps overflow."""
        note = (
            "Some terms lie beyond the range of floating-point numbers: written out "
            "one by one they do not give the number in the cell."
        )
        return replace(self, note=f"{self.note} {note}".strip())

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells named by the steps in reading order, then `sources`, once each."""
        named = (number.cell for step in self.steps for number in numbers(step))
        cells = (cell for cell in named if cell is not None)
        computed = () if self.computed is None else self.computed.cells
        return tuple(dict.fromkeys([*cells, *self.sources, *computed]))


def _kind(value: float) -> str:
    return "finite" if math.isfinite(value) else repr(value)


def dot_product(
    left: Array,
    right: Array,
    left_cell: Callable[[int], Cell],
    right_cell: Callable[[int], Cell],
    limit: int,
) -> tuple[Sum, Sum]:
    """Write ``left · right`` out, first as products, then as their values.

    Parameters
    ----------
    left, right : ndarray, shape (n,)
        The two vectors.
    left_cell, right_cell : callable
        The cell that holds the k-th number of each vector.
    limit : int
        How many terms to write; the largest are kept, in their order.

    Returns
    -------
    tuple of two Sum
        ``2·2 + 0·4 + 2·3`` and ``4 + 0 + 6``.
    """
    products = left * right  # (n,)
    kept, omitted, remainder = largest_terms(products, limit)
    factors = tuple(
        Product(
            Number(float(left[k]), left_cell(k)), Number(float(right[k]), right_cell(k))
        )
        for k in kept
    )
    values = tuple(Number(float(products[k])) for k in kept)
    return Sum(factors, omitted, remainder), Sum(values, omitted, remainder)


def largest_terms(terms: Array, limit: int) -> tuple[Sequence[int], int, float]:
    """Choose the terms of a sum worth writing, by magnitude.

    Returns
    -------
    kept : sequence of int
        Positions of the terms to write, in their order.
    omitted : int
        How many are left out.
    remainder : float
        Their sum.
    """
    if terms.size <= limit:
        return range(terms.size), 0, 0.0
    order = np.argsort(-np.abs(terms), kind="stable")  # (n,)
    rest = terms[order[limit:]]  # (n - limit,)
    kept = sorted(int(k) for k in order[:limit])
    return kept, rest.size, total_of(rest.tolist())


def shortened(expression: Expression, limit: int) -> Expression:
    """Return an expression whose sums write only their largest terms.

    The same object if all of them are as short already.

    Parameters
    ----------
    expression : Expression
        The expression.
    limit : int
        How many terms a sum may have; one more is written rather than combined.
    """
    parts = expression.parts
    if (
        isinstance(expression, Sum)
        and len(parts) + bool(expression.omitted) > limit + 1
    ):
        values = np.array([part.evaluate() for part in parts])  # (terms,)
        kept, omitted, rest = largest_terms(values, limit)
        rest = total_of([rest, expression.remainder])
        terms = tuple(shortened(parts[k], limit) for k in kept)
        return Sum(terms, expression.omitted + omitted, rest)
    short = [shortened(part, limit) for part in parts]
    return expression if all(map(is_, short, parts)) else expression.of(short)
