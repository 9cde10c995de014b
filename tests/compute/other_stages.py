"""Stages that the product does not have, between scores and values, for tests."""

import numpy as np

from attnviewer.compute import Cell, Number
from attnviewer.compute.arrays import Part
from attnviewer.compute.changes import Dirty, union
from attnviewer.compute.expression import Difference, Product, Quotient, Sum
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.functions import Exponential
from attnviewer.compute.stages import PointWise, RowWise, Stage
from attnviewer.compute.stages.base import number
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)

AXES = ("queries", "keys")


class Gate(Stage):
    """gated = weights · σ(q₀ + k₀), with the first number of each query and key."""

    def __init__(self) -> None:
        inputs = ("weights", "Q", "K")
        super().__init__("gated", inputs, "weights · σ(q₀ + k₀)", "gate", AXES)

    def forward(self, part, *inputs, out=None):
        weights, queries, keys = inputs
        return part.of(weights) * self._open(part, queries, keys)

    @staticmethod
    def _open(part, queries, keys):
        shared = share(keys, part.lead, shared_by(queries.shape, keys.shape))
        left = queries[part.lead][..., part.rows, :1]  # (..., rows, 1)
        right = shared[..., part.columns, :1].swapaxes(-1, -2)  # (..., 1, columns)
        return 1 / (1 + np.exp(-(left + right)))

    def takes_row(self, number, shape):
        return number == 1

    def reach(self, dirty, shape):
        weights, queries, keys = dirty
        by_queries = queries and Dirty(rows=queries.rows, heads=queries.heads)
        by_keys = keys and Dirty(columns=keys.rows)
        return union([weights, by_queries, by_keys])

    def backward(self, inputs, output, gradient):
        weights, queries, keys = inputs
        gate = self._open(Part(), queries, keys)
        slope = gradient * weights * gate * (1 - gate)  # (..., h, n_q, n_k)
        on_queries, on_keys = (
            np.zeros((*slope.shape[:axis], n, queries.shape[-1]))
            for axis, n in ((-2, slope.shape[-2]), (-2, slope.shape[-1]))
        )
        on_queries[..., 0] = slope.sum(axis=-1)
        on_keys[..., 0] = slope.sum(axis=-2)
        group = shared_by(queries.shape, keys.shape)
        return gradient * gate, on_queries, gather(on_keys, group)

    def explain(self, steps, index, limit):
        *lead, query, key = index
        head = shared_index(tuple(lead), shared_by(steps.shape("Q"), steps.shape("K")))
        left = steps.value(Cell("Q", (*lead, query, 0)))
        right = steps.value(Cell("K", (*head, key, 0)))
        gate = Number(float(1 / (1 + np.exp(-(left + right)))))
        cell = Cell(self.name, index)
        written = Product(number(steps, "weights", index), gate)
        return Formula(cell, steps.value(cell), self.formula, (written,))


class Squares(Stage):
    """weights = s² / Σ s², another way from scores to weights; masked scores are 0."""

    def __init__(self, source: str) -> None:
        super().__init__("weights", (source,), "s² / Σ s²", "squares", AXES)

    def forward(self, part, *inputs, out=None):
        scores = Part(part.lead, part.rows).of(inputs[0])  # (..., rows, n_k)
        squares = np.where(np.isneginf(scores), 0, scores) ** 2
        shares = squares / squares.sum(axis=-1, keepdims=True)
        return shares[..., part.columns]

    def backward(self, inputs, output, gradient):
        scores = np.where(np.isneginf(inputs[0]), 0, inputs[0])
        inner = (gradient * output).sum(axis=-1, keepdims=True)
        total = (scores**2).sum(axis=-1, keepdims=True)
        return (2 * scores / total * (gradient - inner),)

    def explain(self, steps, index, limit):
        row = steps.row(self.inputs[0], index[:-1])  # (n_k,)
        total = Number(float((row[~np.isneginf(row)] ** 2).sum()))
        score = number(steps, self.inputs[0], index)
        cell = Cell(self.name, index)
        if np.isneginf(score.value):
            return Formula(cell, steps.value(cell), self.formula, (), "Masked.")
        written = Quotient(Product(score, score), total)
        return Formula(cell, steps.value(cell), self.formula, (written,))


class Unfolded(RowWise):
    """φ(x) = elu(x) + 1, which is positive, as in linear attention."""

    def __init__(self, source: str) -> None:
        axes = ("queries" if source == "Q" else "keys", "features")
        super().__init__(f"φ({source})", (source,), f"elu({source}) + 1", "φ", axes)

    def forward(self, part, *inputs, out=None):
        chosen = part.of(inputs[0])
        return np.where(chosen > 0, chosen + 1, np.exp(np.minimum(chosen, 0)))

    def backward(self, inputs, output, gradient):
        return (gradient * np.where(inputs[0] > 0, 1, output),)

    def explain(self, steps, index, limit):
        cell, source = Cell(self.name, index), number(steps, self.inputs[0], index)
        above = source + 1.0
        written = above if source.value > 0 else Exponential(source)
        return Formula(cell, steps.value(cell), self.formula, (written,))


class Shares(Stage):
    """weights = s / Σ s over the visible keys, of scores that are not negative."""

    def __init__(self, source: str) -> None:
        super().__init__("weights", (source,), "s / Σ s", "shares", AXES)

    def forward(self, part, *inputs, out=None):
        scores = Part(part.lead, part.rows).of(inputs[0])  # (..., rows, n_k)
        seen = np.where(np.isneginf(scores), 0, scores)
        return (seen / seen.sum(axis=-1, keepdims=True))[..., part.columns]

    def backward(self, inputs, output, gradient):
        seen = np.where(np.isneginf(inputs[0]), 0, inputs[0])
        total = seen.sum(axis=-1, keepdims=True)
        inner = (gradient * output).sum(axis=-1, keepdims=True)
        return (np.where(np.isneginf(inputs[0]), 0, (gradient - inner) / total),)

    def explain(self, steps, index, limit):
        row = steps.row(self.inputs[0], index[:-1])  # (n_k,)
        kept, omitted, remainder = largest_terms(np.maximum(row, 0), limit)
        score, cell = number(steps, self.inputs[0], index), Cell(self.name, index)
        if np.isneginf(score.value):
            return Formula(cell, steps.value(cell), self.formula, (), "Masked.")
        terms = tuple(
            number(steps, self.inputs[0], (*index[:-1], key))
            for key in kept
            if not np.isneginf(row[key])
        )
        written = Quotient(score, Sum(terms, omitted, remainder))
        return Formula(cell, steps.value(cell), self.formula, (written,))


class Subtract(Stage):
    """weights = first − λ · second, of two maps, as in differential attention."""

    def __init__(self, first: str, second: str, factor: float) -> None:
        formula = f"{first} − λ · {second}"
        super().__init__("weights", (first, second), formula, "− λ", AXES)
        self.factor = factor

    def forward(self, part, *inputs, out=None):
        first, second = (part.of(array) for array in inputs)
        return first - self.factor * second

    def reach(self, dirty, shape):
        return union(dirty)

    def backward(self, inputs, output, gradient):
        return gradient, -self.factor * gradient

    def explain(self, steps, index, limit):
        first, second = (number(steps, name, index) for name in self.inputs)
        cell = Cell(self.name, index)
        written = Difference(first, Product(Number(self.factor), second))
        return Formula(cell, steps.value(cell), self.formula, (written,))


class Hold(PointWise):
    """A step whose numbers in one row and column are held at a value."""

    def __init__(self, name: str, source: str, row: int, column: int, value: float):
        super().__init__(name, (source,), source, "hold", AXES)
        self.slope = None
        self.place, self.value = (row, column), value

    def from_row(self, query):
        row, column = self.place
        return Hold(self.name, self.inputs[0], row - query, column, self.value)

    def _held(self, scores, part):
        rows, columns = (
            np.arange(n) + (chosen.start or 0)
            if isinstance(chosen, slice)
            else np.asarray(chosen)
            for n, chosen in zip(
                scores.shape[-2:], (part.rows, part.columns), strict=True
            )
        )
        row, column = self.place
        return (rows == row)[:, np.newaxis] & (columns == column)

    def apply(self, scores, part, *others):
        np.copyto(scores, self.value, where=self._held(scores, part))

    def backward(self, inputs, output, gradient):
        return (np.where(self._held(gradient, Part()), 0, gradient),)

    def explain(self, steps, index, limit):
        cell = Cell(self.name, index)
        held = index[-2:] == self.place
        source = number(steps, self.inputs[0], index)
        written = Number(self.value) if held else source
        return Formula(cell, steps.value(cell), self.formula, (written,))
