"""Numbers added to the scores."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, IndexArray, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Cell, Expression, Number, Sum
from attnviewer.compute.formula import Formula
from attnviewer.compute.positions import RelativeBias, alibi_slopes
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.bucketed import Bucketed
from attnviewer.compute.stages.by_distance import add_by_distance
from attnviewer.compute.stages.offsets import PerItem, query_positions, shifted
from attnviewer.compute.stages.over_keys import broadcast_index, narrowed, widened
from attnviewer.compute.stages.point_wise import PointWise


class AddBias(PointWise):
    """biased = scores + bias: the given one, that of a position scheme, or both.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    given : bool
        With the input ``bias``.
    alibi_heads : int
        Number of heads that ALiBi's slopes are for; 0 without ALiBi.
    relative : RelativeBias or None
        The buckets of the input ``relative_bias``; None without it.
    query_offset : int or tuple of int
        The position of the first query, for these two.
    n_keys : int
        Keys that have a position; those after them get nothing from these two.

    References
    ----------
    Press et al. 2022, "Train Short, Test Long" (ALiBi), section 3; Raffel et al. 2020
    (T5), section 2.1.
    """

    def __init__(
        self,
        source: str,
        *,
        given: bool,
        alibi_heads: int = 0,
        relative: RelativeBias | None = None,
        query_offset: PerItem = 0,
        n_keys: int,
    ) -> None:
        terms = [source]
        if given:
            terms.append("bias")
        if alibi_heads:
            terms.append("−slope·(i − j)")
        if relative:
            terms.append("relative_bias[bucket(j − i)]")
        formula = " + ".join(terms).replace("+ −", "− ")
        names = ["bias"] * given + ["ALiBi"] * bool(alibi_heads)
        names += ["relative bias"] * bool(relative)
        tables = ["bias"] * given + ["relative_bias"] * bool(relative)
        operation = f"+ {' + '.join(names)}"
        super().__init__(
            "biased",
            (source, *tables),
            formula,
            operation,
            ("queries", "keys"),
        )
        self.slopes = alibi_slopes(alibi_heads) if alibi_heads else None  # (h,)
        self.bucketed = Bucketed(relative, query_offset, n_keys) if relative else None
        self.query_offset = query_offset
        self.n_keys = n_keys

    @property
    def given(self) -> bool:
        """Whether the input ``bias`` is added."""
        return "bias" in self.inputs

    def from_row(self, row: int) -> "AddBias":
        return AddBias(
            self.inputs[0],
            given=self.given,
            alibi_heads=0 if self.slopes is None else len(self.slopes),
            relative=self.bucketed.scheme if self.bucketed else None,
            query_offset=shifted(self.query_offset, row),
            n_keys=self.n_keys,
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        if self.bucketed is not None and dirty[-1] is not None:
            return EVERYTHING  # a bucket has pairs of all queries
        return super().reach(dirty, shape)

    def spread(self, shape: Shape, *others: Array) -> tuple[Array, ...]:
        if not self.given:
            return others
        bias, *table = others
        wide = widened(bias, self.n_keys, shape[-1], 0)
        return np.broadcast_to(wide, shape), *table  # the table is not per pair

    def takes_row(self, number: int, shape: Shape) -> bool:
        if self.inputs[number] == "relative_bias":
            return False
        return super().takes_row(number, shape)

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        if self.given:
            scores += part.of(others[0])
        if self.bucketed is not None:
            self.bucketed.add(scores, part, others[-1])
        if self.slopes is not None:
            self._add_alibi(scores, part)

    def _add_alibi(self, scores: Array, part: Part) -> None:
        assert self.slopes is not None
        if scores.ndim == 2:
            head = part.lead[-1] if part.lead else 0
            slopes = self.slopes[head : head + 1]  # (1,)
        else:
            slopes = self.slopes[:, np.newaxis, np.newaxis]  # (h, 1, 1)

        def alibi(away: IndexArray) -> Array:
            return (slopes * away).astype(scores.dtype)  # (..., rows, columns)

        add_by_distance(scores, part, self.query_offset, self.n_keys, alibi)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        gradients: list[Array | None] = [gradient]
        if self.given:
            gradients.append(narrowed(gradient, inputs[1].shape, self.n_keys))
        if self.bucketed is not None:
            gradients.append(self.bucketed.on_table(gradient, inputs[-1]))
        return gradients

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        terms: list[Expression] = [number(steps, source, index)]
        symbols, note = f"{source}ᵢⱼ", ""
        if self.given:
            source_index = broadcast_index(index, steps.shape("bias"), self.n_keys)
            if source_index is not None:
                terms.append(number(steps, "bias", source_index))
                symbols += " + biasᵢⱼ"
        window = np.zeros((1, 1))
        rows, columns = (np.array([k]) for k in index[-2:])
        part = Part(index[:-2], rows, columns)
        if self.bucketed is not None:
            bucket = int(self.bucketed.buckets(window, part)[0, 0])
            if bucket < self.bucketed.scheme.n_buckets:
                head = index[-3] if len(index) > 2 else 0
                terms.append(number(steps, "relative_bias", (bucket, head)))
                symbols += " + relative_bias[bucket(j − i)]"
                offset = query_positions(window, part, self.query_offset)
                away = int(columns[0] - offset[0, 0])
                note = f"The distance j − i = {away} falls into bucket {bucket}."
        if self.slopes is not None:
            self._add_alibi(window, part)
            terms.append(Number(float(window[0, 0])))
            symbols += " − slope·(i − j)"
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), symbols, (Sum(tuple(terms)),), note)
