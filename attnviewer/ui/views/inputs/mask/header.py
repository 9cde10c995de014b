"""Vertical headings above narrow columns."""

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionHeader, QWidget

from attnviewer.ui.widgets.item_roles import DISPLAY

_SPACE = 5


class UprightHeader(QHeaderView):
    """Writes the names of narrow columns vertically, from bottom to top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        option = QStyleOptionHeader()
        self.initStyleOption(option)
        option.rect = rect
        option.section = section
        element = QStyle.ControlElement.CE_HeaderSection
        self.style().drawControl(element, option, painter, self)
        selected = self.selectionModel().columnIntersectsSelection(
            section, QModelIndex()
        )
        role = QPalette.ColorRole
        ink = role.WindowText if selected else role.PlaceholderText
        text = self.model().headerData(section, Qt.Orientation.Horizontal, DISPLAY)
        room = rect.height() - 2 * _SPACE
        shown = self.fontMetrics().elidedText(
            str(text), Qt.TextElideMode.ElideMiddle, room
        )
        painter.save()
        painter.setPen(self.palette().color(ink))
        painter.translate(rect.left(), rect.bottom() - _SPACE)
        painter.rotate(-90)
        upright = QRect(0, 0, room, rect.width())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(upright, left, shown)
        painter.restore()
