"""A matrix that is not computed but given."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula
from attnviewer.compute.stages.base import Axis, Stage


class Given(Stage):
    """An input of the pipeline: the embeddings X or a weight matrix."""

    def __init__(self, name: str) -> None:
        rows: Axis = "tokens" if name == "X" else "features"
        super().__init__(name, (), "given", "", (rows, "features"))

    def forward(self, *inputs: Array) -> Array:
        (given,) = inputs
        return given

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        return Formula(Cell(self.name, index), float(output[index]), "given")
