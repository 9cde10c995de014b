"""An array that is given, not computed."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.stages.base import Axis, Stage, Steps

_AXES: dict[str, tuple[Axis, Axis]] = {
    "X": ("tokens", "features"),
    "context": ("keys", "features"),
    "values": ("keys", "features"),
    "P": ("tokens", "features"),
    "R": ("distances", "features"),
    "Q": ("queries", "features"),
    "K": ("keys", "features"),
    "V": ("keys", "features"),
    "S": ("queries", "keys"),
    "bias": ("queries", "keys"),
    "mask": ("queries", "keys"),
}


class Given(Stage):
    """An input of the pipeline, such as the embeddings X or a weight matrix.

    Parameters
    ----------
    name : str
        The input.
    heads_joined : bool
        Whether the heads of the input are side by side.
    """

    def __init__(self, name: str, *, heads_joined: bool = False) -> None:
        rows, columns = _AXES.get(name, ("features", "features"))
        if heads_joined and name == "S":
            columns = "features"  # of several heads side by side, not keys
        super().__init__(
            name,
            (),
            "given",
            "",
            (rows, columns),
            per_head=name in ("Q", "K", "V", "S", "bias", "mask"),
        )

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        raise TypeError(f"'{self.name}' is given, not computed.")

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return ()

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), "given")
