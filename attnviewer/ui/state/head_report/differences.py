"""Another checkpoint, and columns of how it differs."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.ui.state.head_report.columns import Column, Group
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Stopped

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import Model, WeightDifferences

_tr = translate_in("HeadReport")
DIGITS = 3
OVERALL = "difference.norm"
"""The column that the maps are tinted by unless another difference is chosen."""
MEAN_CHANGE, LARGEST_CHANGE = "change.mean", "change.largest"
CHANGES = frozenset((MEAN_CHANGE, LARGEST_CHANGE))
"""Columns about attention over the same sentence."""


class CheckpointReading:
    """Opens another checkpoint and compares the weights, as a job for a worker.

    Parameters
    ----------
    path : Path
        The other checkpoint.
    model : Model
        The open model.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    layer : int
        The layer being compared.
    other : Model or None
        The other checkpoint.
    differences : mapping of Model to WeightDifferences
        The result, for each part of the open model.
    """

    def __init__(self, path: Path, model: "Model") -> None:
        self.path, self.model = path, model
        self.stopped = False
        self.layer = 0
        self.other: Model | None = None
        self.differences: dict[Model, WeightDifferences] = {}

    def run(self) -> None:
        """Compare.

        Raises
        ------
        FileError
            If the checkpoint cannot be read.
        ValueError
            If it has another architecture, or other tokens.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models import load, weight_differences
        from attnviewer.models.weight_differences import check_comparable

        other = load(self.path)
        if other.tower != self.model.tower and other.other is not None:
            other = other.other
        if other.parts != self.model.parts:
            check_comparable(self.model, other)
        for part in self.model.parts:
            own = self.model.part(part)
            self.differences[own] = weight_differences(
                own, other.part(part), progress=self._on_layer
            )
        self.other = other

    def _on_layer(self, layer: int) -> None:
        self.layer = layer
        if self.stopped:
            raise Stopped


class DifferenceColumns:
    """The differences of the heads in weights and attention.

    Parameters
    ----------
    differences : WeightDifferences
        The differences of the weights.
    model : Model
        The open model, or the part of it that they are of.

    Attributes
    ----------
    group : Group
        The columns; those of `CHANGES` are computed by an `AttentionChangeJob`.
    model
        The parameter.
    """

    def __init__(self, differences: "WeightDifferences", model: "Model") -> None:
        self.model = model
        self._weights = {
            f"difference.{weight}": weight for weight in differences.weights
        }
        self._grids = {
            OVERALL: differences.overall(),
            "difference.largest": differences.overall("largest"),
            **{name: differences.grid(w) for name, w in self._weights.items()},
        }
        self._differences = differences
        heading = _tr("Difference from “{other}”").format(other=differences.other)
        self.group = Group(heading, tuple(self._columns()))

    def values(self, name: str) -> "Array | None":
        """Return a column, shape (heads,); None if it is not of weights."""
        grid = self._grids.get(name)
        return None if grid is None else grid.values.ravel()

    def notes(self, name: str) -> list[str]:
        """Tell the norm and the largest difference; nothing of other columns."""
        weight = self._weights.get(name)
        if weight is None:
            return []
        norms, largest = (
            self._differences.grid(weight, measure).values.ravel().tolist()
            for measure in ("norm", "largest")
        )
        text = _tr("norm {norm}, largest {largest}")
        return [
            text.format(
                norm=significant_number(norm, DIGITS),
                largest=significant_number(most, DIGITS),
            )
            for norm, most in zip(norms, largest, strict=True)
        ]

    def _columns(self) -> Iterator[Column]:
        yield Column(
            OVERALL,
            _tr("ΔW, norm"),
            _tr("Norm of the difference of all weights of the head.")
            + "\n√ Σ ‖W − W′‖²",
        )
        yield Column(
            "difference.largest",
            _tr("ΔW, largest"),
            _tr("Largest difference of a weight of the head.") + "\nmax |W − W′|",
        )
        tip = _tr(
            "Norm of the difference of the head’s part of {weight} to that of "
            "“{other}”, relative to the norm of the latter."
        )
        shared = _tr(
            "Norm of the difference of b_O to that of “{other}”, relative to the norm "
            "of the latter. All heads of a layer have one b_O."
        )
        for name, weight in self._weights.items():
            text = shared if weight == "b_O" else tip
            yield Column(
                name,
                _tr("Δ{weight}, relative").format(weight=weight),
                f"{text.format(weight=weight, other=self._differences.other)}\n"
                f"‖{weight} − {weight}′‖ / ‖{weight}′‖",
            )
        yield Column(
            MEAN_CHANGE,
            _tr("Δ attention, mean"),
            _tr(
                "How much of the attention of a query goes elsewhere in the other "
                "checkpoint, over the same sentence: mean of the total variation "
                "distance over the queries, from 0 to 1."
            )
            + "\nmeanᵢ ½ Σⱼ |αᵢⱼ − α′ᵢⱼ|",
        )
        yield Column(
            LARGEST_CHANGE,
            _tr("Δ attention, largest"),
            _tr("Largest difference of a weight of attention over the same sentence.")
            + "\nmax |αᵢⱼ − α′ᵢⱼ|",
        )
