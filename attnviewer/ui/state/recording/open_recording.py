"""The recording that was opened last, and which of its layers is open."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.document import Document
from attnviewer.ui.state.recording.layer_origin import LayerOrigin

# Imported with the first recording that is opened.
if TYPE_CHECKING:
    from attnviewer.recording.recorded_layer import RecordedLayer


class OpenRecording(QObject):
    """The recording that was opened last, and which of its layers is open.

    Attributes
    ----------
    changed : Signal
        Another recording is open, or another layer of it, or none any more.
    wanted : Signal
        The `LayerOrigin` of a layer to be opened.
    """

    changed = Signal()
    wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: LayerOrigin | None = None
        self._document: Document | None = None

    @property
    def place(self) -> LayerOrigin | None:
        """The layer that was opened last; None if no recording was."""
        return self._place

    @property
    def is_open(self) -> bool:
        """Whether the open document is that layer."""
        return self._document is not None

    @property
    def layers(self) -> "tuple[RecordedLayer, ...]":
        """The layers of the recording."""
        place = self._place
        if place is None or place.file.known is None:
            return ()
        return place.file.known.layers

    @property
    def layer(self) -> "RecordedLayer | None":
        """The layer that was opened last; None if its file has lost it."""
        if self._place is None or self._place.layer >= len(self.layers):
            return None
        return self.layers[self._place.layer]

    @property
    def head(self) -> int | None:
        """The head that is open; None for all of the layer."""
        if self._place is None or self._place.head is not None:
            return None if self._place is None else self._place.head
        one = self._document is not None and self._document.spec.n_heads == 1
        layer = self.layer
        return 0 if one and layer is not None and layer.spec.n_heads > 1 else None

    def show(self, place: LayerOrigin | None, document: Document) -> None:
        """Follow the document that is open now.

        Parameters
        ----------
        place : LayerOrigin or None
            Where it is from; None if not from a recording.
        document : Document
            The document.
        """
        self._document = None if place is None else document
        if place is not None:
            self._place = place
        self.changed.emit()

    @Slot(object)
    def open_layer(self, layer: int) -> None:
        """Open a layer, with the same batch item and head as far as it has them."""
        place = self._place
        if place is None or not 0 <= layer < len(self.layers):
            return
        found = self.layers[layer]
        n_heads = found.spec.n_heads
        has_head = place.head is not None and place.head < n_heads
        self._want(
            replace(
                place,
                layer=layer,
                item=min(place.item, found.n_items - 1),
                head=place.head if has_head else None,
            )
        )

    @Slot()
    def previous(self) -> None:
        """Open the layer before."""
        if self._place is not None:
            self.open_layer(self._place.layer - 1)

    @Slot()
    def following(self) -> None:
        """Open the layer after."""
        if self._place is not None:
            self.open_layer(self._place.layer + 1)

    def choose_item(self, item: int) -> None:
        """Open another batch item of the layer."""
        if self._place is not None:
            self._want(replace(self._place, item=item))

    def choose_head(self, head: int | None) -> None:
        """Open one head of the layer, or all."""
        if self._place is not None:
            self._want(replace(self._place, head=head))

    def _want(self, place: LayerOrigin) -> None:
        if place != self._place or not self.is_open:
            self.wanted.emit(place)
