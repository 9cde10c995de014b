"""The whole of a large matrix in a corner, with a frame around what is in sight."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heatmap.picture import OVERSIZE, paint_window

if TYPE_CHECKING:
    from attnviewer.ui.views.step.heatmap.heatmap import Heatmap

LINES, MOST_SHARE = 8, 0.34
"""Length of the longer side in lines of text, and as a share of the cells'."""
INSET = 8
SMALLEST_FRAME = 7.0
BORDER = 1
STEP = 0.5
"""How far an arrow key moves the view, as a share of what is in sight."""

_MOVES = {
    Qt.Key.Key_Left: (-STEP, 0.0),
    Qt.Key.Key_Right: (STEP, 0.0),
    Qt.Key.Key_Up: (0.0, -STEP),
    Qt.Key.Key_Down: (0.0, STEP),
}


class Minimap(QWidget):
    """Shows where in a large matrix a heatmap is, and goes elsewhere.

    Visible while the heatmap shows less than the whole. A click, a drag or the arrow
    keys move the view.

    Parameters
    ----------
    heatmap : Heatmap
        The heatmap, in a corner of which it lies.
    """

    def __init__(self, heatmap: "Heatmap") -> None:
        super().__init__(heatmap)
        self.setObjectName("step.heatmap.minimap")
        self.setAccessibleName(self.tr("Overview of the whole matrix"))
        self.setToolTip(
            self.tr(
                "The whole matrix; the frame is what is in sight. Click or drag to go "
                "elsewhere."
            )
        )
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._heatmap = heatmap
        self._wanted = False
        self._image = QImage()
        self._painted: tuple[StepContent, Theme, QSize] | None = None
        heatmap.sight_changed.connect(self.follow)
        self.hide()

    def set_wanted(self, wanted: bool) -> None:
        """Show the minimap where it helps, or never."""
        self._wanted = wanted
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Show what the heatmap shows."""
        content = self._heatmap.content
        if not self._wanted or content is None or not self._helps(content):
            had_focus = self.hasFocus()
            self._painted, self._image = None, QImage()
            self.hide()
            if had_focus:
                self._heatmap.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.setGeometry(self._place(content))
        self._describe(content)
        self.show()
        self.update()

    def _helps(self, content: StepContent) -> bool:
        rows, columns = content.shape
        sight = self._heatmap.box.sight
        partial = sight.width() < columns - 0.5 or sight.height() < rows - 0.5
        return partial and min(rows, columns) > OVERSIZE

    def _place(self, content: StepContent) -> QRect:
        """Return its place: in the corner that does not cover the selected cell."""
        rows, columns = content.shape
        cells = self._heatmap.box.geometry().toRect()
        long = LINES * usual_line(self._heatmap.font())
        long = min(long, MOST_SHARE * min(cells.width(), cells.height()))
        scale = long / max(rows, columns)
        size = QSize(round(columns * scale), round(rows * scale))
        size += QSize(2 * BORDER, 2 * BORDER)
        room = cells.adjusted(INSET, INSET, -INSET, -INSET)
        place = QRect(room.topLeft(), size)
        low, right = room.bottom() - size.height() + 1, room.right() - size.width() + 1
        # First where causal masks leave nothing to see.
        corners = (
            (right, room.top()),
            (room.left(), low),
            (right, low),
            (room.left(), room.top()),
        )
        selected = self._heatmap.selected_rect()
        places = [place.translated(x - room.left(), y - room.top()) for x, y in corners]
        free = (place for place in places if not selected.intersects(QRectF(place)))
        return next(free, places[0])

    def _describe(self, content: StepContent) -> None:
        sight = self._heatmap.box.sight
        text = self.tr(
            "Rows {top} to {bottom} of {rows}, columns {left} to {right} of {columns}"
        ).format(
            top=int(sight.top()),
            bottom=int(sight.bottom()),
            rows=content.shape[0],
            left=int(sight.left()),
            right=int(sight.right()),
            columns=content.shape[1],
        )
        self.setAccessibleDescription(text)

    @property
    def _map(self) -> QRectF:
        """The place of the picture, inside the border."""
        return QRectF(self.rect()).adjusted(BORDER, BORDER, -BORDER, -BORDER)

    def frame(self) -> QRectF:
        """Return the frame around what is in sight."""
        content, sight, place = (
            self._heatmap.content,
            self._heatmap.box.sight,
            self._map,
        )
        assert content is not None
        down = place.height() / content.shape[0]
        across = place.width() / content.shape[1]
        frame = QRectF(
            place.left() + sight.left() * across,
            place.top() + sight.top() * down,
            sight.width() * across,
            sight.height() * down,
        )
        wide = max(0.0, SMALLEST_FRAME - frame.width()) / 2
        high = max(0.0, SMALLEST_FRAME - frame.height()) / 2
        return frame.adjusted(-wide, -high, wide, high)

    def paintEvent(self, event: QPaintEvent) -> None:
        content, theme = self._heatmap.content, self._heatmap.theme
        if content is None or for_paper():
            return
        painter = QPainter(self)
        painter.drawImage(self._map, self._picture(content, theme))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        edge = QColor(theme.accent if self.hasFocus() else theme.control)
        painter.setPen(QPen(edge, 2 if self.hasFocus() else 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setClipRect(self._map)
        frame = self.frame()
        # What is out of sight recedes.
        veil = QColor(theme.window)
        veil.setAlphaF(0.3)
        for part in _around(self._map, frame):
            painter.fillRect(part, veil)
        for color, width in ((theme.halo, 4), (theme.frame, 2)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawRect(frame)
        painter.end()

    def _picture(self, content: StepContent, theme: Theme) -> QImage:
        """Return the colours of the whole matrix."""
        size = (self._map.size() * self.devicePixelRatioF()).toSize()
        asked = content, theme, size
        if asked != self._painted:
            rows, columns = content.shape
            cell = size.height() / rows, size.width() / columns
            colors = paint_window(content, (0, rows), (0, columns), cell, theme).colors
            colors = np.ascontiguousarray(colors)
            height, width = colors.shape[:2]
            kind = QImage.Format.Format_RGBA8888
            # The copy owns its pixels, so the array may be freed.
            self._image = QImage(colors.data, width, height, 4 * width, kind).copy()
            self._painted = asked
        return self._image

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the heatmap below would show all cells

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = _MOVES.get(Qt.Key(event.key()))
        if move is not None:
            box = self._heatmap.box
            sight = box.sight
            middle = sight.center()
            box.look_at(
                middle.x() + move[0] * sight.width(),
                middle.y() + move[1] * sight.height(),
            )
        elif event.key() == Qt.Key.Key_Escape:
            self._heatmap.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            event.ignore()

    def _go_to(self, position: QPointF) -> None:
        content, place = self._heatmap.content, self._map
        if content is not None:
            rows, columns = content.shape
            self._heatmap.box.look_at(
                (position.x() - place.left()) / place.width() * columns,
                (position.y() - place.top()) / place.height() * rows,
            )


def _around(whole: QRectF, inner: QRectF) -> list[QRectF]:
    """Return the parts of a rectangle outside another one."""
    inner = inner & whole
    return [
        QRectF(whole.topLeft(), QPointF(whole.right(), inner.top())),
        QRectF(QPointF(whole.left(), inner.bottom()), whole.bottomRight()),
        QRectF(QPointF(whole.left(), inner.top()), inner.bottomLeft()),
        QRectF(inner.topRight(), QPointF(whole.right(), inner.bottom())),
    ]
