"""The names of tokens beside the picture of a head."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
)

from attnviewer.ui.paint.elision import elided
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Position

SMALLEST_NAME, SMALLEST_SHARE = 9, 2 / 3
"""Smaller names are left out: in pixels, and as a share of their usual size."""
LINE = 1.25
"""Height of a line, in sizes of its text."""
LONGEST = 6
"""Longest name, in sizes of its text."""
SPACE = 3
"""Between a name and the cells."""

_VERTICAL = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class TokenNames:
    """The written names of rows and columns.

    Parameters
    ----------
    font : QFont
        Their font.
    room : QSize
        What they take to the left of the picture and above it.
    upright : bool
        Whether those of the columns are turned.
    cell : QSize
        The least cells that they fit.
    """

    font: QFont
    room: QSize
    upright: bool
    cell: QSize

    def paint(
        self,
        painter: QPainter,
        corner: QPoint,
        grid: Grid,
        labels: tuple[Sequence[str], Sequence[str]],
        selected: Position | None,
        theme: Theme,
    ) -> None:
        """Write the names.

        Parameters
        ----------
        painter : QPainter
            What is painted on.
        corner : QPoint
            Upper left corner of the picture.
        grid : Grid
            Where its cells are.
        labels : tuple of two sequences of str
            The names of rows and columns.
        selected : tuple of two int or None
            The cell whose names stand out.
        theme : Theme
            Colours.
        """
        painter.save()
        painter.setFont(self.font)
        metrics = QFontMetricsF(self.font)
        left, top = self.room.width() - SPACE, self.room.height() - SPACE
        chosen = (None, None) if selected is None else selected
        for row, text in enumerate(elided(labels[0], metrics, left)):
            cell = grid.cell_rect((row, 0)).translated(corner)
            middle = QRect(corner.x() - SPACE - left, cell.top(), left, cell.height())
            painter.setPen(QColor(theme.accent if row == chosen[0] else theme.muted))
            painter.drawText(middle, _VERTICAL | Qt.AlignmentFlag.AlignRight, text)
        longest = top if self.upright else grid.cell_rect((0, 0)).width()
        for column, text in enumerate(elided(labels[1], metrics, longest)):
            cell = grid.cell_rect((0, column)).translated(corner)
            lit = column == chosen[1]
            painter.setPen(QColor(theme.accent if lit else theme.muted))
            painter.save()
            if self.upright:
                painter.translate(cell.left(), corner.y() - SPACE)
                painter.rotate(-90)
                middle = QRect(0, 0, top, cell.width())
                painter.drawText(middle, _VERTICAL | Qt.AlignmentFlag.AlignLeft, text)
            else:
                middle = QRect(cell.left(), corner.y() - SPACE - top, cell.width(), top)
                painter.drawText(middle, Qt.AlignmentFlag.AlignCenter, text)
            painter.restore()
        painter.restore()


def token_names(
    labels: tuple[Sequence[str], Sequence[str]],
    font: QFont,
    pixels: int,
    *,
    upright: bool,
) -> TokenNames:
    """Return how names are written in letters of a size.

    Parameters
    ----------
    labels : tuple of two sequences of str
        The names of rows and columns.
    font : QFont
        The font, in any size.
    pixels : int
        The size.
    upright : bool
        Whether those of the columns are turned.
    """
    font = QFont(font)
    font.setPixelSize(pixels)
    metrics = QFontMetrics(font)
    longest = LONGEST * pixels
    rows, columns = (
        min(longest, max(map(metrics.horizontalAdvance, names), default=0) + 1)
        for names in labels
    )
    above = columns if upright else metrics.height()
    least = round(LINE * pixels)
    cell = QSize(least if upright else max(least, columns + SPACE), least)
    return TokenNames(font, QSize(rows + SPACE, above + SPACE), upright, cell)
