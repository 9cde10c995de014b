"""A combo box of arrays, whose long names differ at their ends."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from attnviewer.ui.tool_tips import plain_tip

_CHARACTERS = 16


class ArrayBox(QComboBox):
    """Shows the end of a name that has no room; the list and the tip show all of it.

    Parameters
    ----------
    parent : QWidget
        Where it stands.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMinimumContentsLength(_CHARACTERS)
        self.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.currentTextChanged.connect(self._tell)

    @Slot(str)
    def _tell(self, text: str) -> None:
        self.setToolTip(plain_tip(text))

    def showPopup(self) -> None:
        # As wide as the longest name, as far as the screen goes.
        view, frame = self.view(), 3 * self.fontMetrics().height()
        widest = min(view.sizeHintForColumn(0) + frame, self.screen().size().width())
        view.setMinimumWidth(max(widest, self.width()))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        left = Qt.TextElideMode.ElideLeft
        text = self.fontMetrics().elidedText(self.currentText(), left, room.width() - 4)
        option.currentText = text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
