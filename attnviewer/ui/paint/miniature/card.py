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

from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position

_MOVES = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    *(Qt.Key.Key_Home, Qt.Key.Key_End),
)


class MiniatureCard(QAbstractButton):
    """Knows the cell under the pointer, how it is framed, and when its focus shows.

    Parameters
    ----------
    parent : QWidget
        Where the card stands.
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
        """Where the cells are in the heatmap."""

    @property
    @abstractmethod
    def corner(self) -> QPoint:
        """Upper left corner of the heatmap."""

    @abstractmethod
    def _tell_pointed(self, cell: Position | None) -> None:
        """Tell which cell the pointer has come to."""

    def nextCheckState(self) -> None:
        """Leave it to the selection which card is chosen."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES:
            event.ignore()  # who holds the cards moves between them
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._point_at(self._cell_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        reason = Qt.FocusReason
        # Who clicks needs no ring to see where; a window that comes back changes
        # nothing.
        if event.reason() not in (
            reason.ActiveWindowFocusReason,
            reason.PopupFocusReason,
        ):
            self._focus_shown = event.reason() != reason.MouseFocusReason
        super().focusInEvent(event)

    @property
    def _shows_focus(self) -> bool:
        return self.hasFocus() and self._focus_shown

    @property
    def _frame_width(self) -> float:
        return 2.0 if self.isChecked() else 1.0

    def _paint_frame(
        self, painter: QPainter, theme: Theme, place: QRectF, radius: float
    ) -> None:
        """Paint the card's ground, and the frame of one chosen, pointed at or neither.

        Parameters
        ----------
        painter : QPainter
            Where to.
        theme : Theme
            Colours.
        place : QRectF
            The card with its frame.
        radius : float
            How round its corners are.
        """
        pointed = theme.muted if self.underMouse() else theme.border
        color = theme.accent if self.isChecked() else pointed
        painter.setPen(QPen(QColor(color), self._frame_width))
        painter.setBrush(QColor(theme.surface))
        inset = self._frame_width / 2
        frame = place.adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(frame, radius, radius)

    def _cell_at(self, event: QMouseEvent) -> Position | None:
        return self.grid.cell_at(event.position().toPoint() - self.corner)

    def _point_at(self, cell: Position | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self._tell_pointed(cell)
