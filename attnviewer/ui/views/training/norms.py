"""The norms of the gradients as bars."""

import math
from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.numbers import significant_number

DECADES = 6
"""Orders of magnitude from an empty bar to a full one."""
DIGITS = 3
GAP = 8


class NormBars(QWidget):
    """Shows how large the gradient on each matrix is, on a logarithmic scale.

    A full bar is the largest norm since `forget`.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.norms")
        self.setAccessibleName(self.tr("Norms of the gradients"))
        self.setToolTip(
            self.tr(
                "The Frobenius norm of the gradient with respect to each matrix, on a "
                "logarithmic scale: a full bar is the largest norm so far, and a bar "
                "that is shorter by a sixth of that is a norm ten times smaller."
            )
        )
        self.norms: dict[str, float] = {}
        self._largest = 0.0
        self._theme: Theme | None = None

    def show_norms(self, norms: Mapping[str, float], theme: Theme) -> None:
        """Show the norms of a step."""
        count = len(self.norms)
        self.norms, self._theme = dict(norms), theme
        self._largest = max(self._largest, *norms.values(), 0.0)
        self.setAccessibleDescription(
            ", ".join(f"{name} {_text(norm)}" for name, norm in norms.items())
        )
        if len(norms) != count:
            self.updateGeometry()
        self.update()

    def forget(self) -> None:
        """Reset the largest norm."""
        self._largest = 0.0

    def sizeHint(self) -> QSize:
        return QSize(0, len(self.norms) * self._line_height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def _line_height(self) -> int:
        return self.fontMetrics().lineSpacing() + 4

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        if theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, metrics = self._line_height, self.fontMetrics()
        names = max((metrics.horizontalAdvance(name) for name in self.norms), default=0)
        painter.setFont(fixed_font())
        numbers = painter.fontMetrics().horizontalAdvance("0.00e+00")
        room = self.width() - names - numbers - 2 * GAP
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, (name, norm) in enumerate(self.norms.items()):
            top = place * high
            painter.setFont(self.font())
            painter.setPen(QColor(theme.color_of(name) or theme.text))
            painter.drawText(QRectF(0, top, names, high), left, name)
            bar = QRectF(names + GAP, top + high / 2 - 3, max(room, 0), 6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.sunken))
            painter.drawRoundedRect(bar, 3, 3)
            bar.setWidth(bar.width() * self._share(norm))
            painter.setBrush(QColor(theme.color_of(name) or theme.bar))
            painter.drawRoundedRect(bar, 3, 3)
            painter.setFont(fixed_font())
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(0, top, self.width(), high), right, _text(norm))
        painter.end()

    def _share(self, norm: float) -> float:
        if not 0 < norm < math.inf or not self._largest < math.inf:
            return 0.0
        return max(0.0, 1 + math.log10(norm / self._largest) / DECADES)


def _text(norm: float) -> str:
    return significant_number(norm, DIGITS)
