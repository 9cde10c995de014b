"""The mark of a pinned cell in a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from attnviewer.ui.paint.pin_mark import paint_mark
from attnviewer.ui.widgets.item_roles import PINNED


class PinDelegate(QStyledItemDelegate):
    """Marks the cells whose model says that they are pinned."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        if index.data(PINNED):
            chosen = option.state & QStyle.StateFlag.State_Selected
            role = QPalette.ColorRole
            # As the text of the cell, which is legible on its ground.
            ink = option.palette.color(role.HighlightedText if chosen else role.Text)
            paint_mark(painter, QRectF(option.rect), ink)
