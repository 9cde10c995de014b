"""Turns scores into attention weights."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.stages.base import Stage, Steps


class Normalize(Stage):
    """weights = each row of scores, normalised.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    normalizer : Normalizer
        The normaliser.
    """

    kind = "normalization"
    stacks = True

    def __init__(self, source: str, normalizer: Normalizer) -> None:
        super().__init__(
            "weights",
            (source,),
            normalizer.described(source),
            normalizer.title,
            ("queries", "keys"),
            signed=normalizer.signed,
        )
        self.normalizer = normalizer

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        rows = Part(part.lead, part.rows).of(inputs[0])  # (..., rows, n_k)
        return self.normalizer.normalize(rows)[..., part.columns]

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        # What a row holds depends on the whole row.
        (scores,) = dirty
        return scores and Dirty(rows=scores.rows, heads=scores.heads)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (self.normalizer.backward(inputs[0], output, gradient),)

    def normalizer_at(self, steps: Steps, row: Index) -> Normalizer:
        """Return the normaliser of the row at ``(…, row)``, with all its constants."""
        return self.normalizer

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        return self.normalizer_at(steps, index[:-1]).explain(
            steps.row(source, index[:-1]),  # (n_k,)
            index[-1],
            Cell(self.name, index),
            source,
            limit,
        )
