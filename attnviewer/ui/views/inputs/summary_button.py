"""A one-line summary of the inputs, which opens the dialog to change them."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from attnviewer.ui.widgets.tool_tips import plain_tip


class SummaryButton(QPushButton):
    """A flat button that is elided rather than widening its dock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inputs.summary")
        self.setFlat(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_summary(self, text: str) -> None:
        """Show a text; the tool tip has it in full and says what a click does."""
        self.setText(text)
        self.setToolTip(plain_tip(self.tr("{} (change dimensions)").format(text)))
        self.setAccessibleName(self.tr("Dimensions: {}").format(text))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = self.style().subElementRect(
            QStyle.SubElement.SE_PushButtonContents, option, self
        )
        option.text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, contents.width()
        )
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()
