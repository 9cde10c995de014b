"""Hiding partly visible items for vector pictures.

Qt clips child widgets in raster images, but not in vector files. There, a row that is
cut off at the lower edge of a table would overlap what is below.
"""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QTableView, QWidget


@contextlib.contextmanager
def whole_parts(page: QWidget) -> Iterator[None]:
    """Make a page show only rows, columns and cards that are fully visible.

    Parameters
    ----------
    page : QWidget
        The page, with all its children.
    """
    areas = [page] if isinstance(page, QAbstractScrollArea) else []
    areas += page.findChildren(QAbstractScrollArea)
    with contextlib.ExitStack() as restoring:
        for area in areas:
            if isinstance(area, QTableView):
                restoring.callback(area.resize, area.size())
                area.resize(area.size() - _cut(area))
            elif isinstance(area, QScrollArea):
                for card in _cut_cards(area):
                    restoring.callback(card.show)
                    card.hide()
        yield


def _cut(table: QTableView) -> QSize:
    """Return the visible parts of a column and a row that are cut off."""
    room = table.viewport().size()
    row, column = table.rowAt(room.height() - 1), table.columnAt(room.width() - 1)
    y, x = table.rowViewportPosition(row), table.columnViewportPosition(column)
    high = room.height() - y if row > 0 else 0
    wide = room.width() - x if column > 0 else 0
    return QSize(
        wide if wide < table.columnWidth(column) else 0,
        high if high < table.rowHeight(row) else 0,
    )


def _cut_cards(area: QScrollArea) -> list[QWidget]:
    canvas = area.widget()
    if canvas is None:
        return []
    room = QRect(-canvas.pos(), area.viewport().size())
    cards = canvas.findChildren(QWidget)
    return [
        card
        for card in cards
        if card.parent() is canvas
        and not card.isHidden()
        and room.intersects(card.geometry())
        and not room.contains(card.geometry())
    ]
