"""A tint of the maps by how much heads differ, and its legend."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.text.numbers import significant_number

STRONGEST = 0.6
"""How much of a map the tint of the largest difference covers."""
DIGITS = 3
Shares = dict[HeadLocation, float]
"""The difference of each head as a share of the largest."""


def tint_color(theme: Theme, share: float) -> QColor:
    """Return the tint for a share from 0 to 1 of the largest difference."""
    color = QColor(theme.accent)
    color.setAlphaF(STRONGEST * share)
    return color


class TintLegend(QWidget):
    """Says what the maps are tinted by, from 0 to the largest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("atlas.tint")
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
        """What it says."""
        return f"{self._title.text()} 0 … {self._largest.text()}"

    def set_theme(self, theme: Theme) -> None:
        """Paint it in another theme."""
        self._ramp.theme = theme
        self._ramp.update()

    def show_tint(self, title: str, tip: str, largest: float | None) -> None:
        """Show the largest difference; None hides the legend."""
        self.setVisible(largest is not None)
        if largest is not None:
            self._title.setText(self.tr("Tint: {title}").format(title=title))
            self.setToolTip(tip)
            self._largest.setText(significant_number(largest, DIGITS))


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
