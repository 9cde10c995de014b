"""The painting of answer cells: framed and ticked, or framed and crossed."""

from math import ceil

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from attnviewer.teaching import CellVerdict
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.views.lesson.answers.cells import AnswerCells
from attnviewer.ui.widgets.editor_delegate import EditorDelegate
from attnviewer.ui.widgets.item_roles import DISPLAY, ModelIndex

_FRAME, _STROKE = 2, 2.0
_BESIDE, _SIGN = 5, 0.5
"""Beside the text in pixels, and the size of a sign in heights of a line."""


class AnswerDelegate(EditorDelegate):
    """Paints a cell in the colours of the theme, and writes what is typed into it."""

    def write_cell(self, index: ModelIndex, text: str) -> None:
        model = index.model()
        assert isinstance(model, AnswerCells)
        model.write(index, text)

    def write_selection(self, text: str) -> None:
        self.write_cell(self._view.currentIndex(), text)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        model, theme = index.model(), Appearance.theme_in_force()
        assert isinstance(model, AnswerCells)
        # Copied: the option owns its rectangle.
        cell = QRect(option.rect)
        asked = model.is_asked(index.row(), index.column())
        if not asked:
            painter.fillRect(cell, QColor(theme.sunken))
            return
        ground = theme.surface if model.locked else theme.editable
        painter.fillRect(cell, QColor(ground))
        verdict = model.verdict(index)
        if verdict is not None:
            hue = QColor(theme.value if verdict.right else theme.error)
            style = Qt.PenStyle.DashLine if verdict.carried else Qt.PenStyle.SolidLine
            self._frame(painter, cell, QPen(hue, _FRAME, style))
            self._sign(painter, cell, verdict, hue)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if focused:
            inside = cell.adjusted(2, 2, -2, -2) if verdict else cell
            self._frame(painter, inside, QPen(QColor(theme.text), _FRAME))
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text))
        metrics = option.fontMetrics
        beside = _BESIDE + (ceil(_SIGN * metrics.height()) if verdict else 0)
        room = cell.adjusted(beside, 0, -_BESIDE, 0)
        painter.drawText(
            room,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            metrics.elidedText(
                index.data(DISPLAY), Qt.TextElideMode.ElideRight, room.width()
            ),
        )

    def _frame(self, painter: QPainter, cell: QRect, pen: QPen) -> None:
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(cell.adjusted(1, 1, -1, -1))

    def _sign(
        self, painter: QPainter, cell: QRect, verdict: CellVerdict, hue: QColor
    ) -> None:
        side = _SIGN * painter.fontMetrics().height()
        left, middle = cell.left() + _BESIDE, cell.center().y() + 1
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(hue, _STROKE))
        painter.drawPath(sign(verdict.right, side).translated(left, middle))
        painter.restore()


def sign(right: bool, side: float) -> QPainterPath:
    """Return a tick or a cross, its left end at the origin.

    Parameters
    ----------
    right : bool
        Whether it is a tick.
    side : float
        Its width and height.
    """
    path, half = QPainterPath(), side / 2
    if right:
        path.moveTo(QPointF(0, 0))
        path.lineTo(QPointF(side * 0.38, half * 0.8))
        path.lineTo(QPointF(side, -half))
    else:
        short = side * 0.8
        path.moveTo(QPointF(0, -short / 2))
        path.lineTo(QPointF(short, short / 2))
        path.moveTo(QPointF(0, short / 2))
        path.lineTo(QPointF(short, -short / 2))
    return path
