"""The place in a checkpoint that a document comes from."""

from dataclasses import dataclass

from attnviewer.compute import HeadLocation


@dataclass(frozen=True, slots=True)
class CheckpointLocation:
    """A layer or a head of a checkpoint, and the sentence that the model ran over.

    Only a reference: opening a document opens no other file.

    Parameters
    ----------
    path : str
        The checkpoint's folder, or its weights, at the time the document was made.
    fingerprint : str
        Identifies the checkpoint wherever it is stored.
    layer : int
        The layer, counted from zero.
    head : int or None
        The head, counted from zero; None for the whole layer.
    ids : tuple of int
        The ids of the tokens.
    text : str
        The sentence as it was typed; "" if unknown.
    part : str
        Of an encoder–decoder, ``encoder``, ``decoder`` or ``cross``; "" of others.
    encoder_ids : tuple of int
        The ids that its encoder ran over, of a decoder or its cross-attention.
    """

    path: str
    fingerprint: str
    layer: int
    head: int | None
    ids: tuple[int, ...]
    text: str = ""
    part: str = ""
    encoder_ids: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The short name: ``L3``, ``L3 H1``, or with its part ``cross L3 H1``."""
        return f"{self.part} {location_name(self.layer, self.head)}".lstrip()


def location_name(layer: int, head: int | None = None) -> str:
    """Return the short name of a layer or a head: ``L3``, or ``L3 H1``."""
    return f"L{layer}" if head is None else HeadLocation(layer, head).name
