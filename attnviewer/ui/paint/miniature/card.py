"""A button with a small heatmap on it."""

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from attnviewer.ui.paint.focus import moves_focus
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position

_MOVES = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    *(Qt.Key.Key_Home, Qt.Key.Key_End),
)


class MiniatureCard(QAbstractButton):
    """A button that tracks the cell under the pointer and paints its own frame.

    Parameters
    ----------
    parent : QWidget
        The widget that holds the card.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMouseTracking(True)
        self._pointed: Position | None = None
        self._focus_shown = False

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The layout of the cells in the heatmap."""

    @property
    @abstractmethod
    def corner(self) -> QPoint:
        """Upper left corner of the heatmap."""

    @abstractmethod
    def _emit_pointed_at(self, cell: Position | None) -> None:
        """Emit the cell that the pointer has moved to."""

    def nextCheckState(self) -> None:
        """Do nothing: the selection decides which card is checked."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES:
            event.ignore()  # the container moves between its cards
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._point_at(self._cell_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if moves_focus(event):
            # A click needs no focus ring.
            clicked = event.reason() == Qt.FocusReason.MouseFocusReason
            self._focus_shown = not clicked
        super().focusInEvent(event)

    @property
    def _shows_focus(self) -> bool:
        return self.hasFocus() and self._focus_shown

    @property
    def _frame_width(self) -> float:
        return 2.0 if self.isChecked() else 1.0

    def _paint_frame(
        self, painter: QPainter, theme: Theme, rect: QRectF, radius: float
    ) -> None:
        """Paint the card's background and its frame: chosen, hovered or plain.

        Parameters
        ----------
        painter : QPainter
            What is painted on.
        theme : Theme
            Colours.
        rect : QRectF
            The card's rectangle with its frame.
        radius : float
            The radius of its corners.
        """
        pointed = theme.muted if self.underMouse() else theme.border
        color = theme.accent if self.isChecked() else pointed
        painter.setPen(QPen(QColor(color), self._frame_width))
        painter.setBrush(QColor(theme.surface))
        inset = self._frame_width / 2
        frame = rect.adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(frame, radius, radius)

    def _cell_at(self, event: QMouseEvent) -> Position | None:
        return self.grid.cell_at(event.position().toPoint() - self.corner)

    def _point_at(self, cell: Position | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self._emit_pointed_at(cell)
