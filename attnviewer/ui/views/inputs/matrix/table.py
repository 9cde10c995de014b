"""The table of a matrix, in its look."""

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.text.number_format import AUTOMATIC
from attnviewer.ui.views.inputs.cells.fill_drag import FillDrag
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.cells.table_look import TableLook
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.matrix.painting import MatrixPainter
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.reason import ReasonBubble


class MatrixTable(CellTable):
    """A `CellTable` of numbers.

    The number format determines the column width, and rules separate heads.
    """

    def __init__(
        self, model: MatrixModel, reason: ReasonBubble, parent: QWidget | None = None
    ) -> None:
        self.matrix = model
        super().__init__(model, reason, model.name, AUTOMATIC.characters, parent)
        self.painter: MatrixPainter = MatrixPainter(self, model, self._flash)
        self._drags.append(FillDrag(self, self.painter))
        model.dataChanged.connect(self._fit_columns)
        model.headerDataChanged.connect(self._follow_headings)

    def apply_look(self, look: TableLook) -> None:
        super().apply_look(look)
        format_ = look.format_of(self.name)
        self.matrix.set_format(format_)
        self.set_characters(format_.characters)
        self.painter.heat = look.heat
        self.painter.sensitivity = look.sensitivity
        self.viewport().update()

    def selectionCommand(
        self, index: ModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        # Qt would wait for the release, as selected cells might be dragged.
        if (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonPress
            and event.button() == Qt.MouseButton.LeftButton
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
        ):
            return QItemSelectionModel.SelectionFlag.ClearAndSelect
        return super().selectionCommand(index, event)

    @property
    def narrowest(self) -> int:
        return min(super().narrowest, self.matrix.longest_text)

    @Slot()
    def _follow_headings(self) -> None:
        self.fit()
        self.viewport().update()
