"""Scores that are a sum over the columns of queries and keys."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell, Expression, Number, Product, Sum
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.rules import (
    KEY,
    QUERY,
    Entry,
    Evaluation,
    Named,
    term_symbols,
)
from attnviewer.compute.stages.base import Steps, grouped, number
from attnviewer.compute.stages.comparison import Comparison
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)


class ColumnSum(Comparison):
    """scores = Σ term(query, key), over the columns of both.

    Parameters
    ----------
    queries, keys : str
        The steps that hold them: (…, n_q, d) and (…, n_k, d).
    term : Expression
        The rule for one column, of `QUERY`, `KEY` and entries of the weights.
    weights : tuple of str
        Inputs with one number per column, (d,) or (1, d).
    operation : str
        The rule in short, for the arrow that leads to the step; "" for the term.
    """

    takes_keys = True

    def __init__(
        self,
        queries: str,
        keys: str,
        term: Expression,
        weights: tuple[str, ...] = (),
        operation: str = "",
    ) -> None:
        names: dict[Expression, str] = {Entry(w): w for w in weights}
        written = term_symbols(term, {QUERY: queries, KEY: keys, **names})
        super().__init__(
            "scores",
            (queries, keys, *weights),
            f"Σ {written}",
            operation or f"Σ {term_symbols(term, {QUERY: 'q', KEY: 'k', **names})}",
            ("queries", "keys"),
        )
        self.term = term
        self.weights = weights

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        left, right = _sides(part, *inputs[:2])  # (..., rows, d), (..., columns, d)
        if out is None:
            out = np.empty((*left.shape[:-1], right.shape[-2]), dtype=left.dtype)
        out[...] = 0
        # A column at a time: all at once would need n_q · n_k · d numbers.
        for column in range(left.shape[-1]):
            out += self._column(column, left, right, inputs).value(self.term)
        return out

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        queries, keys, *weights = inputs
        left, right = _sides(Part(), queries, keys)
        on_left, on_right = np.zeros_like(left), np.zeros_like(right)
        on_weights = [np.zeros(weight.size, weight.dtype) for weight in weights]
        none = np.zeros_like(gradient)  # (..., n_q, n_k)
        for column in range(left.shape[-1]):
            evaluation = self._column(column, left, right, inputs)
            passed = evaluation.gradients(self.term, gradient)
            on_query, on_key, *others = (
                passed.get(symbol, none) for symbol in (QUERY, KEY, *self._entries)
            )  # (..., n_q, n_k) each
            on_left[..., column] = on_query.sum(axis=-1)
            on_right[..., column] = on_key.sum(axis=-2)
            for on_weight, other in zip(on_weights, others, strict=True):
                on_weight[column] = other.sum()
        group = shared_by(queries.shape, keys.shape)
        shaped = zip(on_weights, weights, strict=True)
        return (
            on_left,
            gather(on_right, group),
            *(on_weight.reshape(weight.shape) for on_weight, weight in shaped),
        )

    def factors(self, query: Array, key: Array, *weights: Array) -> tuple[Array, ...]:
        known: dict[Expression, Array] = {QUERY: query, KEY: key}
        known.update(zip(self._entries, weights, strict=True))
        evaluation, term = Evaluation(known), self.term
        parts = term.parts if isinstance(term, Product) else (term,)
        return tuple(np.broadcast_to(evaluation.value(p), query.shape) for p in parts)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        queries, keys, *weights = self.inputs
        group = shared_by(steps.shape(queries), steps.shape(keys))
        rows: dict[Expression, tuple[str, Index]] = {QUERY: (queries, index[:-1])}
        rows[KEY] = keys, (*shared_index(index[:-2], group), index[-1])
        for entry, weight in zip(self._entries, weights, strict=True):
            rows[entry] = weight, (0,) * (len(steps.shape(weight)) - 1)
        evaluation = Evaluation(
            {node: steps.row(*row) for node, row in rows.items()}  # (d,) each
        )
        terms = evaluation.value(self.term)  # (d,)
        kept, omitted, remainder = largest_terms(terms, limit)

        def written(column: int, *, parts_as_numbers: bool) -> Expression:
            def fill(node: Expression) -> Expression | None:
                if node in rows:
                    step, row = rows[node]
                    return number(steps, step, (*row, column))
                if not isinstance(node, Named):
                    return None
                if parts_as_numbers:
                    return Number(float(evaluation.value(node)[column]))
                return _filled(node.body, fill)

            return _filled(self.term, fill)

        sums = (
            Sum(
                tuple(written(k, parts_as_numbers=short) for k in kept),
                omitted,
                remainder,
            )
            for short in (False, True)
        )
        cell = Cell(self.name, index)
        names: dict[Expression, str] = {
            QUERY: f"{grouped(queries)}ᵢₖ",
            KEY: f"{grouped(keys)}ⱼₖ",
        }
        names |= {Entry(weight): f"{weight}ₖ" for weight in weights}
        rule = f"Σₖ {term_symbols(self.term, names)}"
        return Formula(cell, steps.value(cell), rule, tuple(sums))

    @cached_property
    def _entries(self) -> list[Entry]:
        return [Entry(weight) for weight in self.weights]

    def _column(
        self, column: int, left: Array, right: Array, inputs: Sequence[Array]
    ) -> Evaluation:
        """Return the term of a column, of symbols (..., rows, 1) and (..., 1, n_k)."""
        known: dict[Expression, Array] = {
            QUERY: left[..., column, np.newaxis],
            KEY: right[..., np.newaxis, :, column],
        }
        for entry, weight in zip(self._entries, inputs[2:], strict=True):
            known[entry] = weight.reshape(-1)[column]
        return Evaluation(known)


def _sides(part: Part, queries: Array, keys: Array) -> tuple[Array, Array]:
    group = shared_by(queries.shape, keys.shape)
    right = share(keys, part.lead, group)  # (..., n_k, d)
    left = queries[part.lead][..., part.rows, :]  # (..., rows, d)
    return left.astype(keys.dtype, copy=False), right[..., part.columns, :]


def _filled(
    node: Expression, fill: Callable[[Expression], Expression | None]
) -> Expression:
    """Return an expression in which nodes are replaced by what `fill` returns."""
    filled = fill(node)
    if filled is not None:
        return filled
    return node.of([_filled(part, fill) for part in node.parts]) if node.parts else node
