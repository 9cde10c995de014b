"""Scores that are given, not computed."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.comparison import Comparison


class GivenScore(Comparison):
    """scores = S, a given number for every query and key.

    Parameters
    ----------
    scores, values : str
        The steps that hold the numbers, and the values, a row for each key.
    """

    kind = "given scores"

    def __init__(self, scores: str, values: str) -> None:
        super().__init__(
            "scores", (scores, values), scores, "as given", ("queries", "keys")
        )

    def shape(self, *inputs: Shape) -> Shape:
        return inputs[0]

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        window = part.of(inputs[0])  # (..., rows, columns)
        if out is None:
            return window.astype(inputs[1].dtype)  # which later stages overwrite
        out[...] = window
        return out

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return gradient, None

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        cell = Cell(self.name, index)
        given = number(steps, self.inputs[0], index)
        return Formula(cell, steps.value(cell), f"{self.inputs[0]}ᵢⱼ", (given,))

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        return dirty[0]
