"""An array that is not computed but given."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula
from attnviewer.compute.stages.base import Axis, Stage, Steps

_AXES: dict[str, tuple[Axis, Axis]] = {
    "X": ("tokens", "features"),
    "context": ("keys", "features"),
    "values": ("keys", "features"),
    "P": ("tokens", "features"),
    "Q": ("queries", "features"),
    "K": ("keys", "features"),
    "V": ("keys", "features"),
    "bias": ("queries", "keys"),
    "mask": ("queries", "keys"),
}


class Given(Stage):
    """An input of the pipeline, such as the embeddings X or a weight matrix."""

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            (),
            "given",
            "",
            _AXES.get(name, ("features", "features")),
            per_head=name in ("Q", "K", "V", "bias", "mask"),
        )

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return ()

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), "given")
