"""The names beside or below the maps of all heads."""

from collections.abc import Mapping

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from attnviewer.compute import HeadLocation
from attnviewer.ui.paint.fonts import scaled
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.head_atlas.arrangement import Arrangement, Lineup, named
from attnviewer.ui.views.step.heads.statistics import Caption

NAME = 0.85
"""Size of the names of sorted heads, as a share of the usual one."""


def paint_names(
    painter: QPainter,
    laid_out: Arrangement | Lineup,
    here: HeadLocation | None,
    captions: Mapping[HeadLocation, Caption],
    theme: Theme,
) -> None:
    """Write the names of layers and heads; of sorted heads, each with its number.

    Parameters
    ----------
    painter : QPainter
        Its font is that of the maps.
    laid_out : Arrangement or Lineup
        Where the maps are.
    here : HeadLocation or None
        The chosen head.
    captions : mapping of HeadLocation to Caption
        The numbers.
    theme : Theme
        The theme in force.
    """
    if isinstance(laid_out, Lineup):
        painter.setFont(scaled(painter.font(), NAME))
        for location in laid_out.order:
            name, number = laid_out.lines_of(location)
            _write(painter, name, location.name, theme, strong=location == here)
            text = captions.get(location, Caption()).short
            _write(painter, number, text, theme, strong=False)
        return
    layer, head = (None, None) if here is None else here
    metrics = QFontMetrics(painter.font())
    bold = QFont(painter.font())
    bold.setBold(True)  # as that of the chosen layer is
    widest = QFontMetrics(bold).horizontalAdvance(f"L{max(laid_out.layers - 1, 0)}")
    widest += metrics.averageCharWidth()
    for place in named(laid_out.layers, layer, -(-widest // laid_out.pitch)):
        rect = laid_out.column_name(place).adjusted(-widest, 0, widest, 0)
        _write(painter, rect, f"L{place}", theme, strong=place == layer)
    for place in named(laid_out.heads, head, -(-metrics.height() // laid_out.pitch)):
        rect = laid_out.row_name(place)
        rect.adjust(0, -metrics.height(), 0, metrics.height())
        _write(painter, rect, f"H{place}", theme, strong=place == head)


def _write(
    painter: QPainter, rect: QRect, text: str, theme: Theme, *, strong: bool
) -> None:
    font = painter.font()
    font.setBold(strong)
    painter.setFont(font)
    painter.setPen(QColor(theme.text if strong else theme.muted))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
