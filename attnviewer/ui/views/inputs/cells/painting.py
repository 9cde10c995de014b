"""Paints the cells of an input table.

The visible cells are painted together. Qt's own way, a style call per cell, takes
several times as long, and painting limits the speed of scrolling.
"""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from attnviewer.document import Region
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import INKS, rgb, wants_light_ink
from attnviewer.ui.paint.number_face import NumberFace, Placed
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.flash import Flash, Strength
from attnviewer.ui.views.inputs.cells.model import CellModel
from attnviewer.ui.widgets.item_roles import ALIGNMENT

if TYPE_CHECKING:
    from collections.abc import Sequence


_BESIDE_TEXT = 5
_FRAME = 2
_RULE = 2


class CellPainter:
    """Paints cells: backgrounds, grid lines, texts and the selection.

    Parameters
    ----------
    table : BlockTable
        The table, whose columns have one width and whose rows one height.
    model : CellModel
        Its cells.
    flash : Flash
        What has just changed.

    Attributes
    ----------
    highlighted_rows : tuple of int
        Rows that are framed, as they are linked to what is hovered elsewhere.
    framed : Region or None
        Framed cells, which a drag will fill.
    """

    elides = True
    """Whether texts may be wider than their columns."""
    alignment: int | None = None
    """Where a text is in its cell; None for what the model says."""
    beside_text = _BESIDE_TEXT
    """Room on both sides of a text, in pixels."""

    def __init__(self, table: BlockTable, model: CellModel, flash: Flash) -> None:
        self._table = table
        self._model = model
        self._flash = flash
        self.highlighted_rows: tuple[int, ...] = ()
        self.framed: Region | None = None
        self._selection_before: list[Region] = []
        self._face: NumberFace | None = None
        # Scrolling then moves pixels instead of repainting them.
        table.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paint(self, dirty: QRect) -> None:
        """Paint the cells in a part of the table's viewport."""
        theme = Appearance.theme_in_force()
        painter = QPainter(self._table.viewport())
        painter.setClipRect(dirty)  # the selection may extend into another part
        # Otherwise right-to-left languages would put a minus behind its number.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.fillRect(dirty, QColor(theme.surface))
        block = self._block(dirty)
        if block is not None:
            self._paint_block(painter, block, theme)
            self._paint_handles(painter, theme)
        painter.end()

    def _paint_block(self, painter: QPainter, block: Region, theme: Theme) -> None:
        rect = self.block_rect(block)
        colors = self.colors(block, theme)
        strength = self._flash.strength(block)  # (height, width)
        if colors is None:
            light = None
            painter.fillRect(rect, QColor(theme.editable))
            self._paint_selection(painter, theme)
            if strength is not None:
                painter.drawImage(rect, _image(_veil(strength, theme)))
        else:
            if strength is not None:
                colors = _mixed(colors, strength, theme)
            light = wants_light_ink(colors)  # (height, width)
            painter.drawImage(rect, _image(colors))
        self._paint_lines(painter, block, theme)
        self._paint_lit(painter, theme)
        self._paint_frames(painter, theme, heat=colors is not None)
        self._paint_texts(painter, block, theme, light)

    def colors(self, block: Region, theme: Theme) -> Rgb | None:
        """Return the background colour of each cell, shape (height, width, 3).

        None if all have that of editable cells.
        """
        return None

    def texts(self, block: Region) -> "Sequence[Sequence[str]]":
        """Return the text of each cell."""
        return self._model.shown_texts(block)

    def boundaries(self) -> tuple[range, range]:
        """Return the rows and the columns before which there is a rule."""
        return range(0), range(0)

    def repaint_selection(self) -> None:
        """Repaint the previous and the current selection, with frames and handles."""
        before, self._selection_before = self._selection_before, self._selected()
        for block in {*before, *self._selection_before}:
            # The frame of the handle at a cell's left edge extends onto its neighbour.
            rect = self.block_rect(block).adjusted(-1, 0, 0, 0)
            self._table.viewport().update(rect)

    def block_rect(self, block: Region) -> QRect:
        """Return the rectangle of cells, including the lines below and on the right."""
        table = self._table
        width, height = self._cell_size()
        return QRect(
            table.columnViewportPosition(block.column),
            table.rowViewportPosition(block.row),
            block.width * width,
            block.height * height,
        )

    # ----------------------------------------------------------------- places

    def _block(self, dirty: QRect) -> Region | None:
        table = self._table
        rows, columns = self._model.rowCount(), self._model.columnCount()
        top, left = (
            table.rowAt(max(dirty.top(), 0)),
            table.columnAt(max(dirty.left(), 0)),
        )
        if top < 0 or left < 0:
            return None  # below or beside the last cell
        bottom, right = table.rowAt(dirty.bottom()), table.columnAt(dirty.right())
        bottom = rows - 1 if bottom < 0 else bottom
        right = columns - 1 if right < 0 else right
        return Region(top, left, bottom - top + 1, right - left + 1)

    def _cell_size(self) -> tuple[int, int]:
        table = self._table
        return (
            table.horizontalHeader().defaultSectionSize(),
            table.verticalHeader().defaultSectionSize(),
        )

    # ---------------------------------------------------------------- grounds

    def _paint_selection(self, painter: QPainter, theme: Theme) -> None:
        for selected in self._selected():
            painter.fillRect(self.block_rect(selected), QColor(theme.selected))
        current = self._current()
        if current is not None:
            painter.fillRect(self.block_rect(current), QColor(theme.surface))

    # ------------------------------------------------------------------ lines

    def _paint_lines(self, painter: QPainter, block: Region, theme: Theme) -> None:
        width, height = self._cell_size()
        rect, color = self.block_rect(block), QColor(theme.border)
        for row in range(1, block.height + 1):
            y = rect.top() + row * height - 1
            painter.fillRect(rect.left(), y, rect.width(), 1, color)
        for column in range(1, block.width + 1):
            x = rect.left() + column * width - 1
            painter.fillRect(x, rect.top(), 1, rect.height(), color)
        self._paint_rules(painter, block, QColor(theme.muted))

    def _paint_rules(self, painter: QPainter, block: Region, color: QColor) -> None:
        """Draw rules on top of the grid lines."""
        width, height = self._cell_size()
        rect = self.block_rect(block)
        rows, columns = self.boundaries()
        # A rule extends into the cell after it, which may be visible alone.
        for column in _seen(columns, block.columns):
            x = rect.left() + (column - block.column) * width - 1
            painter.fillRect(x, rect.top(), _RULE, rect.height(), color)
        for row in _seen(rows, block.rows):
            y = rect.top() + (row - block.row) * height - 1
            painter.fillRect(rect.left(), y, rect.width(), _RULE, color)

    def _paint_lit(self, painter: QPainter, theme: Theme) -> None:
        columns = self._model.columnCount()
        for row in self.highlighted_rows:
            rect = self.block_rect(Region(row, 0, 1, columns)).adjusted(0, -1, 0, -1)
            _frame(painter, rect, 1, QColor(theme.accent))
            _frame(painter, rect.adjusted(1, 1, -1, -1), 1, QColor(theme.surface))

    def _paint_frames(self, painter: QPainter, theme: Theme, *, heat: bool) -> None:
        current = self._current()
        framed = [] if current is None else [current]
        if heat:
            framed = self._selected() + framed
        for block in framed:
            rect = self.block_rect(block).adjusted(0, 0, -1, -1)
            _frame(painter, rect, _FRAME, QColor(theme.accent))
            if heat:
                # Two adjacent lines: one contrasts with any colour.
                inside = rect.adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME)
                _frame(painter, inside, 1, QColor(theme.surface))

    def _paint_handles(self, painter: QPainter, theme: Theme) -> None:
        if self.framed is not None:
            painter.setPen(QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine))
            rect = self.block_rect(self.framed).adjusted(0, 0, -2, -2)
            painter.drawRect(rect)
        for rect in self._table.handles:
            painter.fillRect(rect, QColor(theme.accent))
            _frame(painter, rect.adjusted(-1, -1, 1, 1), 1, QColor(theme.surface))

    def _selected(self) -> list[Region]:
        # Only the focused table shows its selection.
        if not self._table.property("active"):
            return []
        return [
            Region(block.top(), block.left(), block.height(), block.width())
            for block in self._table.selectionModel().selection().toList()
        ]

    def _current(self) -> Region | None:
        index = self._table.currentIndex()
        if not (index.isValid() and self._table.property("active")):
            return None
        return Region(index.row(), index.column(), 1, 1)

    # ------------------------------------------------------------------ texts

    def _paint_texts(
        self, painter: QPainter, block: Region, theme: Theme, light: "_Light"
    ) -> None:
        painter.setFont(self._table.font())
        painter.setPen(QColor(theme.text))
        first = self._model.index(block.row, block.column)
        alignment = self.alignment
        if alignment is None:
            alignment = int(self._model.data(first, ALIGNMENT))
        texts = self.texts(block)
        if light is None:
            self._write(painter, block, texts, alignment)
            return
        for on_light, ink in enumerate(INKS):
            painter.setPen(ink)
            written = light == bool(on_light)  # (height, width)
            pairs = zip(texts, written.tolist(), strict=True)
            some = [
                [text if wanted else "" for text, wanted in zip(*row, strict=True)]
                for row in pairs
            ]
            self._write(painter, block, some, alignment)

    def _write(
        self,
        painter: QPainter,
        block: Region,
        texts: "Sequence[Sequence[str]]",
        alignment: int,
    ) -> None:
        width, height = self._cell_size()
        rect = self.block_rect(block)
        room = width - 2 * self.beside_text
        fitting = self._table.digits_in(width)
        elided = self._table.fontMetrics().elidedText
        view = self._table.viewport().width()
        placed: list[Placed] = []
        y = rect.top()
        for row in texts:
            x = rect.left() + self.beside_text
            for text in row:
                if text:
                    if self.elides:
                        text = elided(text, Qt.TextElideMode.ElideMiddle, room)
                    elif len(text) > fitting:
                        text = "…"  # part of a number is another number
                    if x < 0 or x + room > view:
                        left, right = max(x, 0), min(x + room, view)
                        text = self._if_whole(text, x + room, right - left)
                        placed.append((left, y, right - left, height - 1, text))
                    else:
                        placed.append((x, y, room, height - 1, text))
                x += width
            y += height
        if self.elides:
            for *box, text in placed:
                painter.drawText(QRect(*box), alignment, text)
        else:
            self._number_face().write(painter, placed, alignment)

    def _number_face(self) -> NumberFace:
        font = self._table.font()
        if self._face is None or self._face.font != font:
            self._face = NumberFace(font)
        return self._face

    def _if_whole(self, text: str, right: int, room: int) -> str:
        """Return a number at the edge of the viewport, or dots if it is cut off.

        A number without its sign, its first digits or its exponent is another one.
        """
        if self.elides:
            return text
        advance = self._table.fontMetrics().horizontalAdvance
        if advance(text) <= room and right <= self._table.viewport().width():
            return text
        return "…" if advance("…") <= room else ""


_Light = np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None


def _seen(edges: range, shown: slice) -> range:
    """Return the evenly spaced indices that are visible, or begin just after."""
    if not edges:
        return edges
    before = max(0, -(-(shown.start - edges.start) // edges.step))
    after = max(0, (shown.stop - edges.start) // edges.step + 1)
    return edges[before:after]


def _frame(painter: QPainter, rect: QRect, width: int, color: QColor) -> None:
    left, top = rect.left(), rect.top()
    painter.fillRect(left, top, rect.width(), width, color)
    painter.fillRect(left, rect.bottom() - width + 1, rect.width(), width, color)
    painter.fillRect(left, top, width, rect.height(), color)
    painter.fillRect(rect.right() - width + 1, top, width, rect.height(), color)


def _veil(strength: Strength, theme: Theme) -> Rgb:
    """Return the flash as translucent colours, shape (rows, columns, 4)."""
    veil = np.empty((*strength.shape, 4), np.uint8)
    veil[..., :3] = rgb(theme.changed)
    veil[..., 3] = 255 * strength
    return veil


def _mixed(colors: Rgb, strength: Strength, theme: Theme) -> Rgb:
    """Return colours blended with the flash, shape (rows, columns, 3)."""
    share = strength[..., np.newaxis]
    mixed = colors * (1 - share) + np.array(rgb(theme.changed)) * share
    return mixed.astype(np.uint8)


def _image(colors: Rgb) -> QImage:
    """Return an image with one pixel per cell."""
    height, width, channels = colors.shape
    formats = {3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBA8888}
    data = np.ascontiguousarray(colors).tobytes()
    # Copied, as the image does not keep its buffer alive.
    return QImage(data, width, height, channels * width, formats[channels]).copy()
