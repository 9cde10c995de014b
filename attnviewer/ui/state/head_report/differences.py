"""Columns of the differences to another checkpoint."""

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
    from attnviewer.models.weight_differences import HeadWeight

_tr = translate_in("HeadReport")
DIGITS = 3


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
    differences : WeightDifferences or None
        The result.
    """

    def __init__(self, path: Path, model: "Model") -> None:
        self.path, self.model = path, model
        self.stopped = False
        self.layer = 0
        self.other: Model | None = None
        self.differences: WeightDifferences | None = None

    def run(self) -> None:
        """Compare.

        Raises
        ------
        FileError
            If the checkpoint cannot be read.
        ValueError
            If it has another architecture, or other tokens, or both an encoder and a
            decoder.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models import load, weight_differences

        if len(self.model.parts) > 1:
            raise ValueError(
                _tr(
                    "Checkpoints with an encoder and a decoder are compared in Python "
                    "only, with models.weight_differences."
                )
            )
        other = load(self.path)
        if other.tower != self.model.tower and other.other is not None:
            other = other.other
        self.differences = weight_differences(
            self.model, other, progress=self._on_layer
        )
        self.other = other

    def _on_layer(self, layer: int) -> None:
        self.layer = layer
        if self.stopped:
            raise Stopped


class DifferenceColumns:
    """The relative difference of each projection of the heads.

    Parameters
    ----------
    differences : WeightDifferences
        The differences.
    model : Model
        The open model.

    Attributes
    ----------
    group : Group
        The columns.
    model
        The parameter.
    """

    def __init__(self, differences: "WeightDifferences", model: "Model") -> None:
        self.model = model
        self._differences = differences
        self._weights: dict[str, HeadWeight] = {
            f"difference.{weight}": weight for weight in differences.weights
        }
        tip = _tr(
            "Norm of the difference of the head’s part of {weight} to that of "
            "“{other}”, relative to the norm of the latter."
        )
        heading = _tr("Difference to “{other}”").format(other=differences.other)
        columns = (
            Column(
                name,
                _tr("Δ{weight}, relative").format(weight=weight),
                f"{tip.format(weight=weight, other=differences.other)}\n"
                f"‖{weight} − {weight}′‖ / ‖{weight}′‖",
            )
            for name, weight in self._weights.items()
        )
        self.group = Group(heading, tuple(columns))

    def values(self, name: str) -> "Array | None":
        """Return a column, shape (heads,); None if there is none."""
        weight = self._weights.get(name)
        return None if weight is None else self._differences.grid(weight).values.ravel()

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
