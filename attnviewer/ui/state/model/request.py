"""A request to a model: which part of it to show, over which sentence."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.layer_documents import WeightPatch
    from attnviewer.models.parts import PartName


@dataclass(frozen=True, slots=True)
class ModelLocation:
    """The layer or head of a model that is shown.

    Parameters
    ----------
    layer : int
        The layer, counted from zero.
    alone : int or None
        The only head of the document; None for a layer with all its heads.
    """

    layer: int
    alone: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ModelRequest:
    """A request to show a part of a model.

    Parameters
    ----------
    source : Path or Experiment
        A checkpoint to be opened, or the runs of one that is open.
    location : ModelLocation
        The layer or head to show.
    text : str or None
        Another sentence to run over; None for the current one, or for a checkpoint the
        default one.
    patches : tuple of WeightPatch, or None
        Weights to put in place of the model's; None for the current ones.
    other : str or None
        Another sentence to compare with, "" for none; None for the current one.
    head : int or None
        The head to be chosen among all of a layer; None for the current one.
    stays : bool
        Whether the open document stays open.
    seeks : bool
        Whether the most telling head is to be found once all layers are computed.
    part : str or None
        The part of an encoder–decoder to show; None for the current one.
    """

    source: "Path | Experiment"
    location: ModelLocation
    text: str | None = None
    patches: "tuple[WeightPatch, ...] | None" = None
    other: str | None = None
    head: int | None = None
    stays: bool = False
    seeks: bool = False
    part: "PartName | None" = None

    def with_patch(self, patch: "WeightPatch") -> "ModelRequest":
        """Return the request with weights put in place of the model's, and shown.

        Parameters
        ----------
        patch : WeightPatch
            The weights of a layer or head; others of the same one are left out.
        """
        patches = self.patches
        if patches is None:
            patches = () if isinstance(self.source, Path) else self.source.patches
        place = ModelLocation(patch.layer, patch.head)
        others = (p for p in patches if ModelLocation(p.layer, p.head) != place)
        return replace(
            self,
            patches=(*others, patch),
            location=place,
            # Another sentence on its way brings another document.
            stays=self.text is None,
        )
