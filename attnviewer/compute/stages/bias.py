"""Numbers added to the scores."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.expression import Cell, Expression, Number, Sum
from attnviewer.compute.formula import Formula
from attnviewer.compute.positions import alibi_slopes
from attnviewer.compute.stages.base import PointWise, Steps, number
from attnviewer.compute.stages.offsets import (
    PerItem,
    key_positions,
    query_positions,
    shifted,
)
from attnviewer.compute.stages.over_keys import broadcast_index, narrowed, widened


class AddBias(PointWise):
    """biased = scores + bias, the given one, that of ALiBi, or both.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    given : bool
        With the input ``bias``.
    alibi_heads : int
        Number of heads that ALiBi's slopes are for; 0 without ALiBi.
    query_offset : int or tuple of int
        The position of the first query, for ALiBi.
    n_keys : int
        Keys that have a position; those after them get nothing from ALiBi.

    References
    ----------
    Press et al. 2022, "Train Short, Test Long" (ALiBi), section 3.
    """

    def __init__(
        self,
        source: str,
        *,
        given: bool,
        alibi_heads: int = 0,
        query_offset: PerItem = 0,
        n_keys: int,
    ) -> None:
        terms = [source]
        if given:
            terms.append("bias")
        if alibi_heads:
            terms.append("−slope·(i − j)")
        formula = " + ".join(terms).replace("+ −", "− ")
        names = ["bias"] * given + ["ALiBi"] * bool(alibi_heads)
        operation = f"+ {' + '.join(names)}"
        super().__init__(
            "biased",
            (source, "bias") if given else (source,),
            formula,
            operation,
            ("queries", "keys"),
        )
        self.slopes = alibi_slopes(alibi_heads) if alibi_heads else None  # (h,)
        self.query_offset = query_offset
        self.n_keys = n_keys

    def from_query(self, query: int) -> "AddBias":
        return AddBias(
            self.inputs[0],
            given=len(self.inputs) == 2,
            alibi_heads=0 if self.slopes is None else len(self.slopes),
            query_offset=shifted(self.query_offset, query),
            n_keys=self.n_keys,
        )

    def spread(self, shape: Shape, *others: Array) -> tuple[Array, ...]:
        wide = (widened(bias, self.n_keys, shape[-1], 0) for bias in others)
        return tuple(np.broadcast_to(bias, shape) for bias in wide)

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        for bias in others:
            scores += part.of(bias)
        if self.slopes is not None:
            scores += self._alibi(scores, part)

    def _alibi(self, scores: Array, part: Part) -> Array:
        assert self.slopes is not None
        queries = query_positions(scores, part, self.query_offset)  # (..., rows, 1)
        keys = key_positions(scores, part)  # (columns,)
        away = np.where(keys < self.n_keys, keys - queries, 0)  # (..., rows, columns)
        if scores.ndim == 2:
            head = part.lead[-1] if part.lead else 0
            slopes = self.slopes[head : head + 1]  # (1,)
        else:
            slopes = self.slopes[:, np.newaxis, np.newaxis]  # (h, 1, 1)
        alibi: Array = slopes * away  # (..., rows, columns)
        return alibi.astype(scores.dtype)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        shapes = (bias.shape for bias in inputs[1:])
        return gradient, *(narrowed(gradient, s, self.n_keys) for s in shapes)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        terms: list[Expression] = [number(steps, source, index)]
        symbols = f"{source}ᵢⱼ"
        if len(self.inputs) == 2:
            source_index = broadcast_index(index, steps.shape("bias"), self.n_keys)
            if source_index is not None:
                terms.append(number(steps, "bias", source_index))
                symbols += " + biasᵢⱼ"
        if self.slopes is not None:
            window = np.zeros((1, 1))
            rows, columns = (np.array([k]) for k in index[-2:])
            alibi = self._alibi(window, Part(index[:-2], rows, columns))
            terms.append(Number(float(alibi[0, 0])))
            symbols += " − slope·(i − j)"
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), symbols, (Sum(tuple(terms)),))
