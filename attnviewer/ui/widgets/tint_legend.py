"""The legend of the tint of heads by how much they differ."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.paint.tint import tint_color
from attnviewer.ui.state.head_report import Tint
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.widgets.tool_tips import plain_tip

DIGITS = 3


class TintLegend(QWidget):
    """Says what heads are tinted by, from 0 to the largest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heads.tint")
        self._title, self._largest = QLabel(self), QLabel(self)
        self._ramp = _Ramp(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for widget in (self._title, QLabel("0", self), self._ramp, self._largest):
            row.addWidget(widget)
        row.addStretch(1)
        self.hide()

    @property
    def text(self) -> str:
        """Its text."""
        return f"{self._title.text()} 0 … {self._largest.text()}"

    def set_theme(self, theme: Theme) -> None:
        """Paint it in another theme."""
        self._ramp.theme = theme
        self._ramp.update()

    def show_tint(self, tint: Tint | None) -> None:
        """Show the largest difference; None hides the legend."""
        self.setVisible(tint is not None)
        if tint is not None:
            title = self.tr("Tint: {title}").format(title=tint.column.title)
            self._title.setText(title)
            self.setToolTip(plain_tip(tint.column.tip))
            self._largest.setText(significant_number(tint.largest, DIGITS))


class _Ramp(QWidget):
    """The tints side by side."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        fixed = QSizePolicy.Policy.Fixed
        self.setSizePolicy(fixed, fixed)

    def sizeHint(self) -> QSize:
        return QSize(72, 10)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRect(0, 0, self.width() - 1, self.height() - 1)
        ramp = QLinearGradient(0, 0, self.width(), 0)
        for share in (0.0, 1.0):
            ramp.setColorAt(share, tint_color(self.theme, share))
        painter.fillRect(place, ramp)
        painter.setPen(QColor(self.theme.muted))
        painter.drawRect(place)
        painter.end()
