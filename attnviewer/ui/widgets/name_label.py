"""The label of a matrix, such as W_Q, with its subscript."""

import math

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from attnviewer.ui.paint.subscripts import print_in, printed_width


class NameLabel(QLabel):
    """Shows a name with its subscript; its text, which is read aloud, is the name."""

    def sizeHint(self) -> QSize:
        hint, name = super().sizeHint(), self.text()
        plain = self.fontMetrics().horizontalAdvance(name)
        return hint - QSize(plain - math.ceil(printed_width(name, self.font())), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        print_in(painter, self.contentsRect(), self.alignment(), self.text())
        painter.end()
