"""The line above a card's picture, check box, title, note, number, or that below."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heads.statistics import Caption

BETWEEN = 6
"""Between the parts of the line."""
BOX = 0.7
"""Side of the check box, as a share of the line's height."""
TICK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.28))
"""Of a check box, as shares of its side."""

NUMBER = "0.00 bit"
"""About as wide as most numbers about a head."""
BESIDE = 3
"""Beside a number that stands alone."""

_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class CardHead:
    """The texts of the heading of a card.

    Parameters
    ----------
    title : str
        What the card is called; shortened where it must be.
    note : str
        A further remark; left out where there is no room.
    caption : Caption
        The number about the head; in short or left out where there is no room.
    checked : bool or None
        Whether the box is checked; None for no box.
    struck : bool
        Whether the title is struck out.
    """

    title: str
    note: str
    caption: Caption
    checked: bool | None
    struck: bool = False


def box_rect(line: QRect) -> QRect:
    """Return where the check box is."""
    side = round(BOX * line.height())
    return QRect(line.left(), line.center().y() - side // 2 + 1, side, side)


def head_width(title: str, font: QFont) -> int:
    """Return the width of a title with a number beside it."""
    number = QFontMetrics(font).horizontalAdvance(NUMBER)
    return QFontMetrics(_bold(font)).horizontalAdvance(title) + 2 * BETWEEN + number


def foot_size(metrics: QFontMetrics) -> QSize:
    """Return what a number below a picture needs."""
    return QSize(metrics.horizontalAdvance(NUMBER) + 2 * BESIDE, metrics.height())


def paint_foot(painter: QPainter, rect: QRect, caption: Caption, theme: Theme) -> None:
    """Write the number below a picture, if there is room for it."""
    text, metrics = caption.short, painter.fontMetrics()
    if (
        metrics.horizontalAdvance(text) <= rect.width()
        and metrics.height() <= rect.height()
    ):
        painter.setPen(QColor(theme.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def paint_head(painter: QPainter, line: QRect, head: CardHead, theme: Theme) -> None:
    """Paint the line.

    Parameters
    ----------
    painter : QPainter
        Where to; its font is that of the texts.
    line : QRect
        The room.
    head : CardHead
        What it says.
    theme : Theme
        Colours.
    """
    if head.checked is not None:
        _paint_box(painter, QRectF(box_rect(line)), theme, checked=head.checked)
        line = line.adjusted(box_rect(line).width() + BETWEEN, 0, 0, 0)
    font = painter.font()
    bold = _bold(font)
    plain, strong = QFontMetrics(font), QFontMetrics(bold)
    needed = strong.horizontalAdvance(head.title) + BETWEEN
    room = line.width() - needed
    captions = head.caption.long, head.caption.short
    caption = next((t for t in captions if plain.horizontalAdvance(t) <= room), "")
    painter.setPen(QColor(theme.muted))
    painter.drawText(line, _FLAGS | _RIGHT, caption)
    room -= plain.horizontalAdvance(caption) + BETWEEN
    if plain.horizontalAdvance(head.note) <= room:
        painter.drawText(line.adjusted(needed, 0, 0, 0), _FLAGS | _LEFT, head.note)
    bold.setStrikeOut(head.struck)
    painter.setFont(bold)
    painter.setPen(QColor(theme.muted if head.struck else theme.text))
    title = strong.elidedText(head.title, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, _FLAGS | _LEFT, title)
    painter.setFont(font)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _paint_box(painter: QPainter, box: QRectF, theme: Theme, *, checked: bool) -> None:
    painter.setPen(QPen(QColor(theme.muted), 1))
    painter.setBrush(QColor(theme.fill if checked else theme.surface))
    painter.drawRoundedRect(box, 3, 3)
    if checked:
        painter.setPen(QPen(QColor(theme.on_fill), math.ceil(box.width() / 8)))
        tick = [QPointF(x, y) * box.width() for x, y in TICK]
        painter.drawPolyline([box.topLeft() + point for point in tick])
