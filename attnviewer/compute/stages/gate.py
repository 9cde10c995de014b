"""The gate on what each head has found."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, Part
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import Cell, Number, Product
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import Logistic
from attnviewer.compute.stages.base import RowWise, Steps, number


class Gate(RowWise):
    """gated = heads · σ(G), number by number or with one gate for each row of a head.

    Parameters
    ----------
    name : str
        ``gated``, or ``output`` where nothing follows.
    headwise : bool
        Whether G has one column for each head, for all columns of its output.

    References
    ----------
    Qiu et al. 2025, "Gated Attention for Large Language Models", arXiv:2505.06708,
    section 2.2, at the position G1 with a sigmoid; the attention of Qwen3-Next.
    """

    kind = "gate"
    stacks = True

    def __init__(self, name: str, *, headwise: bool) -> None:
        super().__init__(
            name, ("heads", "G"), "heads · σ(G)", "· σ(G)", ("queries", "features")
        )
        self.headwise = headwise

    def takes_row(self, number: int, shape: tuple[int, ...]) -> bool:
        return True

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        heads, gates = inputs  # (..., h, n_q, d_v), (..., h, n_q, d_v or 1)
        own = part._replace(columns=ALL) if self.headwise else part
        return part.of(heads) * _opening(own.of(gates))

    def reach(self, dirty: Sequence[Dirty | None], shape: tuple[int, ...]) -> Dirty:
        heads, gates = dirty
        if gates is not None and self.headwise:
            gates = Dirty(rows=gates.rows, heads=gates.heads)
        return union([heads, gates]) or EVERYTHING

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        heads, gates = inputs
        opening = _opening(gates)
        # An output of NaN only counts where it has a gradient.
        moved = gradient * np.where(gradient == 0, 0, heads)  # (..., h, n_q, d_v)
        if self.headwise:
            moved = moved.sum(axis=-1, keepdims=True)  # (..., h, n_q, 1)
        return gradient * opening, moved * opening * (1 - opening)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        heads, gates = self.inputs
        own = (*index[:-1], 0) if self.headwise else index
        found, logit = number(steps, heads, index), number(steps, gates, own)
        opening = Logistic(logit)
        cell = Cell(self.name, index)
        return Formula(
            cell,
            steps.value(cell),
            "headsᵢⱼ · σ(Gᵢ)" if self.headwise else "headsᵢⱼ · σ(Gᵢⱼ)",
            (Product(found, opening), Product(found, Number(opening.evaluate()))),
            "The head has one gate for the whole row." if self.headwise else "",
        )


def _opening(gates: Array) -> Array:
    """Return how far gates are open, from 0 to 1."""
    # e^12 is beyond half precision.
    exact = gates.astype(np.promote_types(gates.dtype, np.float32), copy=False)
    opening: Array = Logistic.compute(exact).astype(gates.dtype, copy=False)
    return opening
