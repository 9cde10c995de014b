"""The choice among the parts of an encoder–decoder."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from attnviewer.ui.widgets.named import name_control

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import Model


class PartBox(QComboBox):
    """Shows and sets which part of a model is shown; hidden if it has one part.

    Attributes
    ----------
    chosen : Signal
        The name of another part.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("model.part")
        name_control(self, self.tr("Part of the model"))
        self.setToolTip(self.tr("Which attention of the encoder–decoder is shown"))
        self.addItem(self.tr("Encoder"), "encoder")
        self.addItem(self.tr("Decoder"), "decoder")
        self.addItem(self.tr("Cross-attention"), "cross")
        self.activated.connect(self._on_activated)
        self._shown = ""
        self.hide()

    def show_part(self, model: "Model") -> None:
        """Show which part of a model the open run is of."""
        from attnviewer.models.parts import own_part

        self._shown = own_part(model.architecture)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(self._shown))
        self.setVisible(len(model.parts) > 1)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        part = self.itemData(index)
        if part != self._shown:
            self.chosen.emit(part)
