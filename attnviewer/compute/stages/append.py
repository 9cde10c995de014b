"""Rows of extra keys or values after the projected ones."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape, sum_to
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.stages.base import Steps, Stored, number
from attnviewer.compute.stages.project import join_heads, split_heads


class Append(Stored):
    """extended K = the rows of K, then those of extra_keys.

    Extra keys have no position: positional masks, ALiBi and rotation do not apply.
    PyTorch's ``add_bias_kv`` and ``add_zero_attn`` are such rows.

    Parameters
    ----------
    source, extra : str
        The step, and the rows (m, h·d) or (batch, m, h·d) that follow.
    n_heads : int or None
        How many heads share the columns of the extra rows.
    """

    def __init__(self, source: str, extra: str, n_heads: int | None) -> None:
        super().__init__(
            f"extended {source.split()[-1]}",
            (source, extra),
            f"rows of {source}, then {extra}",
            f"append {extra}",
            ("keys", "features"),
            per_head=n_heads is not None,
        )
        self.n_heads = n_heads

    def shape(self, *inputs: Shape) -> Shape:
        source, extra = inputs
        return *source[:-2], source[-2] + extra[-2], source[-1]

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        source, extra = inputs  # (..., n, d), (m, h·d)
        rows = split_heads(extra, self.n_heads)  # (..., m, d)
        shape = (*source.shape[:-2], *rows.shape[-2:])
        extended = np.concatenate([source, np.broadcast_to(rows, shape)], axis=-2)
        return part.of(extended)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        source, extra = inputs
        n = source.shape[-2]
        on_extra = gradient[..., n:, :]  # (..., m, d)
        if self.n_heads is not None:
            on_extra = join_heads(on_extra)  # (..., m, h·d)
        return gradient[..., :n, :], sum_to(on_extra, extra.shape)

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        source, extra = dirty
        return EVERYTHING if extra is not None or source is None else source

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source, extra = self.inputs
        shape = steps.shape(source)
        row = index[-2] - shape[-2]
        if row < 0:
            origin = number(steps, source, index)
            note = ""
        else:
            batch, head = index[:-2], 0
            if self.n_heads is not None:
                batch, head = index[:-3], index[-3]
            batch = batch[: len(steps.shape(extra)) - 2]
            column = head * shape[-1] + index[-1]
            origin = number(steps, extra, (*batch, row, column))
            note = "An extra row, after the projected ones."
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), f"{source}, {extra}", (origin,), note)
