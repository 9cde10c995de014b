"""Paints a thumbnail."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen

from attnviewer.ui.flow.thumbnail import Thumbnail
from attnviewer.ui.selection import Position
from attnviewer.ui.theme import Theme

GRID_FROM = 6
"""Cells of this many pixels and more are set apart by lines."""
_SMALLEST_OUTLINE = 5


def paint_thumbnail(
    painter: QPainter,
    corner: QPoint,
    thumbnail: Thumbnail,
    theme: Theme,
    font: QFont,
    selected: Position | None = None,
) -> None:
    """Paint a heatmap with its numbers and the outline of the selected cell.

    Parameters
    ----------
    painter : QPainter
        Where to.
    corner : QPoint
        Upper left corner of the heatmap.
    thumbnail : Thumbnail
        What to paint.
    theme : Theme
        Colours.
    font : QFont
        Font of the numbers.
    selected : tuple of int, optional
        The cell to outline.
    """
    painter.save()
    painter.translate(corner)
    # Else a minus would stand behind its number in some languages.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    whole = QRect(QPoint(0, 0), thumbnail.size)
    painter.fillRect(whole, QColor(theme.sunken))
    painter.fillRect(whole, QBrush(QColor(theme.hatch), Qt.BrushStyle.BDiagPattern))
    painter.drawImage(whole, thumbnail.image)
    _paint_grid(painter, thumbnail, QColor(theme.surface))
    _paint_numbers(painter, thumbnail, font)
    if selected is not None:
        _paint_outline(painter, thumbnail.cell_rect(selected), theme)
    painter.restore()


def _paint_grid(painter: QPainter, thumbnail: Thumbnail, color: QColor) -> None:
    width, height = thumbnail.size.width(), thumbnail.size.height()
    if min(width // thumbnail.columns, height // thumbnail.rows) < GRID_FROM:
        return
    for row in range(1, thumbnail.rows):
        painter.fillRect(0, row * height // thumbnail.rows, width, 1, color)
    for column in range(1, thumbnail.columns):
        painter.fillRect(column * width // thumbnail.columns, 0, 1, height, color)


def _paint_numbers(painter: QPainter, thumbnail: Thumbnail, font: QFont) -> None:
    painter.setFont(font)
    cells = zip(thumbnail.texts, thumbnail.inks, strict=True)
    for position, (text, ink) in enumerate(cells):
        painter.setPen(ink)
        cell = thumbnail.cell_rect(divmod(position, thumbnail.columns))
        painter.drawText(cell.adjusted(1, 1, 0, 0), Qt.AlignmentFlag.AlignCenter, text)


def _paint_outline(painter: QPainter, cell: QRect, theme: Theme) -> None:
    grown = max(0, _SMALLEST_OUTLINE - min(cell.width(), cell.height()) + 1) // 2
    frame = cell.adjusted(-grown, -grown, grown, grown)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Two colours, so that one of them stands out from any cell.
    for inset, color in ((0, theme.text), (1, theme.surface)):
        painter.setPen(QPen(QColor(color), 1))
        painter.drawRect(frame.adjusted(inset, inset, -inset, -inset))
