"""A grid of effects: labels, colours around zero, numbers, and a colour bar."""

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetrics,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.color_scale import ColorScale, make_scale
from attnviewer.ui.paint.colors import cell_colors, ink_on
from attnviewer.ui.paint.fonts import fixed_font, scaled
from attnviewer.ui.paint.miniature.digits import cell_texts
from attnviewer.ui.paint.miniature.image import cell_image
from attnviewer.ui.paint.miniature.miniature import Miniature, paint_miniature
from attnviewer.ui.paint.paper import draw_colors
from attnviewer.ui.state.patching.effects import Effect
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.patching.grid_layout import SPACE, GridLayout, shortened
from attnviewer.ui.views.patching.texts import cell_text, opens
from attnviewer.ui.views.step.heads.picture import paint_mark
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.arrow_keys import walk
from attnviewer.ui.widgets.tool_tips import plain_tip

SMALLER, LEAST = 0.85, 11
"""Size of labels and numbers: as a share of the usual one, and in pixels at least."""
DIGITS = 3
PAGE = 8
"""Rows that Page Down moves by."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GridPicture(QWidget):
    """Paints effects; keys walk from cell to cell, Enter and a click choose one.

    Attributes
    ----------
    chosen : Signal
        The effects, and the row and column of a cell whose head is to be opened.
    copied : Signal
        The effects are to be copied.
    """

    chosen = Signal(object, object)
    copied = Signal()
    moved = Signal(QRect)
    """The cell that a key has moved to, which is to be in sight."""

    def __init__(self, name: str, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._appearance = appearance
        self._effect: Effect | None = None
        self._limit = 0.0
        self._cell: Position = (0, 0)
        self._width = 0
        self._layout: GridLayout | None = None
        self._picture: Miniature | None = None
        appearance.changed.connect(self._lay_out)

    @property
    def cell(self) -> Position:
        """The row and column of the current cell."""
        return self._cell

    @property
    def effect(self) -> Effect | None:
        """The shown effect."""
        return self._effect

    def show_effect(self, effect: Effect, limit: float) -> None:
        """Show other effects, with colours up to a limit on either side of zero."""
        if (effect, limit) == (self._effect, self._limit):
            return
        self._effect, self._limit = effect, limit
        rows, columns = effect.grid.values.shape
        if not (self._cell[0] < rows and self._cell[1] < columns):
            self._cell = (0, 0)
        self._describe()
        self._lay_out()

    def set_width(self, width: int) -> None:
        """Fit into another width."""
        if width != self._width:
            self._width = width
            self._lay_out()

    def rect_of(self, cell: Position) -> QRect:
        """Return where a cell is."""
        assert self._layout is not None
        return self._layout.rect_of(cell)

    def sizeHint(self) -> QSize:
        return QSize(0, 0) if self._layout is None else self._layout.size

    def paintEvent(self, event: QPaintEvent) -> None:
        effect, layout = self._effect, self._layout
        if effect is None or layout is None:
            return
        theme, painter = self._appearance.theme, QPainter(self)
        if self._picture is None:
            self._picture = self._draw(effect, layout)
        paint_miniature(painter, layout.corner, self._picture, theme, self._numbers())
        painter.setFont(self._labels())
        painter.setPen(QColor(theme.muted))
        self._paint_labels(painter, effect, layout)
        self._paint_bar(painter, layout)
        if self.hasFocus():
            rect = layout.rect_of(self._cell)
            paint_mark(painter, rect, theme, strong=True)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or cell is None:
            super().mousePressEvent(event)
            return
        self._go(cell)
        self._choose()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._cell_at(event.position().toPoint()) is not None
        shape = Qt.CursorShape
        self.setCursor(shape.PointingHandCursor if over else shape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        effect = self._effect
        if effect is None:
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.key() in ENTER:
            self._choose()
        else:
            goal = walk(event, self._cell, effect.grid.values.shape, PAGE)
            if goal is None:
                super().keyPressEvent(event)
            else:
                self._go(goal)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self._cell_at(event.pos())
            if cell is not None and self._effect is not None:
                tip = f"{cell_text(self._effect, cell)}\n{opens(self._effect, cell)}"
                place = self.rect_of(cell)
                QToolTip.showText(event.globalPos(), plain_tip(tip), self, place)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _cell_at(self, point: QPoint) -> Position | None:
        return None if self._layout is None else self._layout.cell_at(point)

    def _go(self, cell: Position) -> None:
        self._cell = cell
        self._describe()
        announce(self, self.accessibleDescription())
        self.moved.emit(self.rect_of(cell))
        self.update()

    def _choose(self) -> None:
        if self._effect is not None:
            self.chosen.emit(self._effect, self._cell)

    def _describe(self) -> None:
        effect = self._effect
        text = "" if effect is None else cell_text(effect, self._cell)
        self.setAccessibleDescription(text)

    def _lay_out(self) -> None:
        effect = self._effect
        self._picture = self._layout = None
        if effect is not None:
            metrics, grid = QFontMetrics(self._labels()), effect.grid
            texts = [text for _, text in self._ticks()]
            widest = max(map(metrics.horizontalAdvance, texts))
            labels = grid.row_labels, grid.column_labels
            self._layout = GridLayout.of(*labels, self._width, metrics, widest)
            self.resize(self._layout.size)
        self.updateGeometry()
        self.update()

    def _labels(self) -> QFont:
        return _readable(scaled(self.font(), SMALLER))

    def _numbers(self) -> QFont:
        return _readable(fixed_font(SMALLER))

    def _scale(self) -> ColorScale:
        limit, theme = self._limit, self._appearance.theme
        return make_scale(theme.signed, -limit, limit, log=False)

    def _ticks(self) -> list[tuple[float, str]]:
        ticks = self._scale().ticks()
        return [(share, significant_number(number, DIGITS)) for share, number in ticks]

    def _draw(self, effect: Effect, layout: GridLayout) -> Miniature:
        values, cells = effect.grid.values, layout.cells
        colors = cell_colors(values, self._scale(), self._appearance.theme)
        texts = tuple(cell_texts(values.ravel().tolist()))
        metrics, room = QFontMetrics(self._numbers()), cells.cell_rect((0, 0)).size()
        widest = max(map(metrics.horizontalAdvance, texts)) + 4
        if widest > room.width() or metrics.height() > room.height():
            texts = ()
        inks = tuple(map(ink_on, colors.reshape(-1, 3))) if texts else ()
        image = cell_image(colors, None)
        shape = cells.rows, cells.columns
        return Miniature(
            *shape, cells.size, image, masked=False, texts=texts, inks=inks
        )

    def _paint_labels(
        self, painter: QPainter, effect: Effect, layout: GridLayout
    ) -> None:
        flag, metrics = Qt.AlignmentFlag, painter.fontMetrics()
        middle = flag.AlignVCenter | flag.AlignRight | flag.AlignAbsolute
        for row, label in enumerate(effect.grid.row_labels):
            rect = layout.rect_of((row, 0))
            rect = QRect(0, rect.top(), layout.corner.x() - SPACE, rect.height())
            painter.drawText(rect, middle, shortened(label, metrics))
        for column, label in enumerate(effect.grid.column_labels):
            rect = layout.rect_of((0, column))
            above = layout.corner.y() - SPACE // 2
            text = shortened(label, metrics)
            if not layout.turned:
                place = QRect(rect.left(), 0, rect.width(), above)
                painter.drawText(place, flag.AlignHCenter | flag.AlignBottom, text)
                continue
            painter.save()
            painter.translate(rect.center().x() + metrics.ascent() / 2 - 1, above)
            painter.rotate(-90)
            painter.drawText(0, 0, text)
            painter.restore()

    def _paint_bar(self, painter: QPainter, layout: GridLayout) -> None:
        upward = np.ascontiguousarray(self._scale().table()[::-1])  # (256, 3)
        image = QImage(upward.data, 1, len(upward), 3, QImage.Format.Format_RGB888)
        draw_colors(painter, QRectF(layout.bar), image)
        line = painter.fontMetrics().height()
        beside = layout.bar.right() + 1 + SPACE
        for share, text in self._ticks():
            y = layout.bar.bottom() - round(share * layout.bar.height()) - line // 2
            y = min(max(y, layout.bar.top()), layout.bar.bottom() - line + 1)
            rect = QRect(beside, y, layout.size.width() - beside, line)
            flag = Qt.AlignmentFlag
            painter.drawText(rect, flag.AlignLeft | flag.AlignVCenter, text)


def _readable(font: QFont) -> QFont:
    """Return a font no smaller than can be read."""
    if QFontInfo(font).pixelSize() < LEAST:
        font.setPixelSize(LEAST)
    return font
