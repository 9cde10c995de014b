"""Where in a model's checkpoint a document comes from."""

from dataclasses import dataclass

from attnviewer.compute import HeadPlace


@dataclass(frozen=True, slots=True)
class CheckpointPlace:
    """A layer or a head of a checkpoint, and the sentence that the model ran over.

    It only names the checkpoint: whoever opens a document opens no other file.

    Parameters
    ----------
    path : str
        The checkpoint's folder, or its weights, when the document was made.
    fingerprint : str
        What tells the checkpoint from others, wherever it lies.
    layer : int
        The layer, counted from zero.
    head : int or None
        The head, counted from zero; None for all of the layer.
    ids : tuple of int
        The ids of the tokens.
    text : str
        The sentence as it was typed; "" if that is not known.
    """

    path: str
    fingerprint: str
    layer: int
    head: int | None
    ids: tuple[int, ...]
    text: str = ""

    @property
    def name(self) -> str:
        """What the place is called: ``L3``, or ``L3 H1``."""
        return place_name(self.layer, self.head)


def place_name(layer: int, head: int | None = None) -> str:
    """Return what a layer or a head is called: ``L3``, or ``L3 H1``."""
    return f"L{layer}" if head is None else HeadPlace(layer, head).name
