"""The base of the layers over the picture of a step."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject

from attnviewer.ui.paint.theme import LIGHT

if TYPE_CHECKING:
    from attnviewer.ui.paint.step_content import StepContent


class CellsLayer(QGraphicsObject):
    """Draws over the visible cells of a step, in cell coordinates."""

    def __init__(self) -> None:
        super().__init__()
        self._content: StepContent | None = None
        self._theme = LIGHT
        self._sight = QRectF()
        # So that the paint event has the exposed rows.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def forget(self) -> None:
        """Drop the numbers."""
        if self._content is not None:
            self._content = self._content.emptied()

    def set_sight(self, sight: QRectF) -> None:
        """Set the visible part of the matrix, in cells."""
        self._sight = QRectF(sight)

    def boundingRect(self) -> QRectF:
        if self._content is None:
            return QRectF()
        rows, columns = self._content.shape
        return QRectF(0, 0, columns, rows)
