"""The matrix of a head as a small picture."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QImage, QPainter, QPen

from attnviewer.compute import Array, BoolArray, Pooled
from attnviewer.ui.colors import INKS, cell_colors, ink_on
from attnviewer.ui.miniature.digits import cell_texts
from attnviewer.ui.miniature.grid import Grid
from attnviewer.ui.miniature.image import cell_image
from attnviewer.ui.numbers import decimals_for, format_number
from attnviewer.ui.step.content import StepContent
from attnviewer.ui.theme import Theme

GRID_FROM = 6
"""Cells of so many pixels are set apart by lines."""
SMALLEST_MARK = 5
MOST_DECIMALS = 4
INSET = 4
"""Beside a number."""
MOST_NUMBERS = 400
"""Cells that are written out; more of them are seldom large enough."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadPicture:
    """A matrix, ready to be painted.

    Parameters
    ----------
    cells : Grid
        Where its cells are.
    image : QImage
        One pixel per cell, or per block of cells; masked ones are transparent.
    covered : tuple of two int
        Rows and columns that the image covers; its last blocks may reach past the
        matrix's end.
    masked : bool
        Whether any of it is masked.
    texts, inks : tuple
        Number and its colour per cell, row by row; empty where there is no room.
    """

    cells: Grid
    image: QImage
    covered: tuple[int, int]
    masked: bool
    texts: tuple[str, ...] = ()
    inks: tuple[QColor, ...] = ()


def make_picture(
    content: StepContent, pooled: Pooled, theme: Theme, cells: Grid, font: QFont
) -> HeadPicture:
    """Draw up the picture of a matrix.

    Parameters
    ----------
    content : StepContent
        The matrix.
    pooled : Pooled
        Its numbers, one per pixel at most.
    theme : Theme
        Colours.
    cells : Grid
        Where the cells are.
    font : QFont
        The numbers' font.
    """
    values, chosen = pooled.values, content.look.filter
    shown = None if chosen is None else chosen.shows(values, chosen.floors(values))
    colors = cell_colors(values, content.scale, theme, pooled.hidden, shown)
    covered = pooled.rows[1], pooled.columns[1]
    image = cell_image(colors, pooled.hidden)
    plain = HeadPicture(cells, image, covered, pooled.hidden is not None)
    if pooled.block != (1, 1) or pooled.values.size > MOST_NUMBERS:
        return plain
    blank = pooled.hidden if content.is_weights else None
    texts = _texts(plain, pooled.values, blank, QFontMetrics(font))
    inks = tuple(map(ink_on, colors.reshape(-1, 3))) if texts else ()
    return replace(plain, texts=texts, inks=inks)


def _texts(
    picture: HeadPicture, values: Array, blank: BoolArray | None, metrics: QFontMetrics
) -> tuple[str, ...]:
    """Write the numbers as exactly as there is room for; () if there is none."""
    cell = picture.cells.cell_rect((0, 0)).size()
    if cell.height() < metrics.height():
        return ()
    numbers = [float(value) for value in values.ravel()]
    most = decimals_for(values, MOST_DECIMALS)
    ways = [
        [format_number(number, decimals) for number in numbers]
        for decimals in range(most, min(most, 2) - 1, -1)
    ]
    for texts in [*ways, cell_texts(numbers)]:
        if max(map(metrics.horizontalAdvance, texts)) + INSET <= cell.width():
            away = [False] * len(texts) if blank is None else blank.ravel().tolist()
            return tuple(
                "" if gone else text for text, gone in zip(texts, away, strict=True)
            )
    return ()


def paint_picture(
    painter: QPainter, corner: QPoint, picture: HeadPicture, theme: Theme, font: QFont
) -> None:
    """Paint a matrix, with numbers if it has them.

    Parameters
    ----------
    painter : QPainter
        Where to.
    corner : QPoint
        Upper left corner.
    picture : HeadPicture
        What.
    theme : Theme
        Colours.
    font : QFont
        The numbers' font.
    """
    painter.save()
    painter.translate(corner)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    whole = QRect(QPoint(), picture.cells.size)
    painter.setClipRect(whole)
    if picture.masked:
        painter.fillRect(whole, QColor(theme.sunken))
        painter.fillRect(whole, QBrush(QColor(theme.hatch), Qt.BrushStyle.BDiagPattern))
    rows, columns = picture.cells.rows, picture.cells.columns
    down, across = picture.covered
    place = QRectF(0, 0, whole.width() * across / columns, whole.height() * down / rows)
    painter.drawImage(place, picture.image)
    if min(whole.width() // columns, whole.height() // rows) >= GRID_FROM:
        line = QColor(theme.surface)
        for row in range(1, rows):
            painter.fillRect(
                0, picture.cells.cell_rect((row, 0)).top(), whole.width(), 1, line
            )
        for column in range(1, columns):
            left = picture.cells.cell_rect((0, column)).left()
            painter.fillRect(left, 0, 1, whole.height(), line)
    painter.setFont(font)
    for number, (text, ink) in enumerate(zip(picture.texts, picture.inks, strict=True)):
        cell = picture.cells.cell_rect(divmod(number, columns))
        painter.setPen(ink)
        painter.drawText(cell.adjusted(1, 1, 0, 0), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def paint_mark(painter: QPainter, cell: QRect, *, strong: bool) -> None:
    """Frame a cell in two colours, one of which stands out from any cell.

    Parameters
    ----------
    painter : QPainter
        Where to.
    cell : QRect
        Where the cell is.
    strong : bool
        Whether it is the selected cell, or only the one under the pointer.
    """
    grown = max(0, SMALLEST_MARK - min(cell.width(), cell.height()) + 1) // 2
    frame = cell.adjusted(-grown, -grown, grown - 1, grown - 1)
    dark, light = INKS
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(dark, 1))
    painter.drawRect(frame)
    pen = QPen(light, 1)
    if not strong:
        pen.setDashPattern([2, 2])
        painter.setPen(pen)
        painter.drawRect(frame)
        return
    painter.setPen(pen)
    painter.drawRect(frame.adjusted(1, 1, -1, -1))
    if min(frame.width(), frame.height()) > 2 * SMALLEST_MARK:
        painter.setPen(QPen(dark, 1))
        painter.drawRect(frame.adjusted(2, 2, -2, -2))
