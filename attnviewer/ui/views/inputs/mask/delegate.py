"""The painting of mask cells: visible ones filled, hidden ones hatched."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from attnviewer.ui.views.inputs.mask.model import MaskModel
from attnviewer.ui.widgets.item_roles import ModelIndex

_INSET = 2
_FRAME = 2


class MaskDelegate(QStyledItemDelegate):
    """Paints cells in the colours of the palette, which follows the theme.

    Filled or hatched, they differ by more than colour.
    """

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: ModelIndex,
    ) -> None:
        model = index.model()
        assert isinstance(model, MaskModel)
        # Copied: the option owns its rectangle and palette.
        cell, palette = QRect(option.rect), QPalette(option.palette)
        role = QPalette.ColorRole
        if model.is_visible(index.row(), index.column()):
            painter.fillRect(cell, palette.color(role.Base))
            inner = cell.adjusted(_INSET, _INSET, -_INSET, -_INSET)
            painter.fillRect(inner, palette.color(role.Highlight))
        else:
            painter.fillRect(cell, palette.color(role.AlternateBase))
            ink = palette.color(role.PlaceholderText)
            painter.fillRect(cell, QBrush(ink, Qt.BrushStyle.BDiagPattern))
        active = bool(option.widget.property("active"))
        if active and option.state & QStyle.StateFlag.State_Selected:
            current = option.state & QStyle.StateFlag.State_HasFocus
            self._frame(painter, cell, palette, _FRAME if current else 1)

    def _frame(
        self, painter: QPainter, cell: QRect, palette: QPalette, width: int
    ) -> None:
        painter.save()
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Text), width))
        inset = width - width // 2
        painter.drawRect(cell.adjusted(width // 2, width // 2, -inset, -inset))
        painter.restore()
