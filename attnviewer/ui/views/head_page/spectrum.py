"""Singular values as bars, one of which is chosen."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.views.head_page.texts import norm_text
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.models.circuits import Circuit

LINES = 4
"""Its height, in lines of text."""
WIDEST = 16
"""The largest width of a bar, in pixels."""
LOWEST = 1.0
"""The least height of a bar, so that zeros can be seen."""


class Spectrum(QWidget):
    """Paints the singular values of a circuit, the largest first.

    Left, Right, Home, End and a click choose one.

    Attributes
    ----------
    chosen : Signal
        The number of another singular value, from zero.
    """

    chosen = Signal(int)

    def __init__(self, name: str, title: str, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self._circuit: Circuit | None = None
        self.index = 0
        appearance.changed.connect(self._restyle)

    def show_circuit(self, circuit: "Circuit", index: int) -> None:
        """Show other values, and which of them is chosen."""
        self._circuit = circuit
        self.index = min(index, len(circuit.singular_values) - 1)
        self.setAccessibleDescription(norm_text(circuit, self.index))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, LINES * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._circuit is None:
            return
        theme, painter = self._appearance.theme, QPainter(self)
        for index in range(len(self._circuit.singular_values)):
            is_chosen = index == self.index
            color = theme.accent if is_chosen else theme.bar
            painter.fillRect(self.bar(index), QColor(color))
        painter.setPen(QColor(theme.control))
        below = self.height() - 1
        painter.drawLine(0, below, self.width(), below)
        if self.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def bar(self, index: int) -> QRectF:
        """Return where the bar of a singular value is."""
        assert self._circuit is not None
        values = self._circuit.singular_values
        most = float(np.max(values)) or 1.0
        height = max(LOWEST, float(values[index]) / most * (self.height() - 4))
        pitch = self._pitch
        gap = 1.0 if pitch > 3 else 0.0
        left = 1 + index * pitch
        return QRectF(left, self.height() - 1 - height, pitch - gap, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = self._count - 1
        goals = {
            Qt.Key.Key_Left: self.index - 1,
            Qt.Key.Key_Right: self.index + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        goal = goals.get(Qt.Key(event.key()))
        if goal is None:
            super().keyPressEvent(event)
        elif 0 <= goal <= last:
            self.chosen.emit(goal)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._at(event.position().x())
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(index)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._at(event.pos().x())
            if index is None or self._circuit is None:
                QToolTip.hideText()
            else:
                text = plain_tip(norm_text(self._circuit, index))
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    @property
    def _count(self) -> int:
        return 0 if self._circuit is None else len(self._circuit.singular_values)

    @property
    def _pitch(self) -> float:
        """The distance from one bar to the next."""
        return min(WIDEST, (self.width() - 2) / max(1, self._count))

    def _at(self, x: float) -> int | None:
        index = int((x - 1) // self._pitch)
        return index if 0 <= index < self._count else None

    @Slot()
    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
