"""Parts that an edge cuts, which shapes and letters cannot be.

Qt clips what a widget paints where it paints pixels, but not in files of shapes. There
a row that is cut at the lower edge of a table would reach into what is below.
"""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QTableView, QWidget


@contextlib.contextmanager
def whole_parts(page: QWidget) -> Iterator[None]:
    """Have a page show only such rows, columns and cards as can be seen whole.

    Parameters
    ----------
    page : QWidget
        The page, and all that is within it.
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
    """Return how much is in sight of a column and a row that are cut."""
    room = table.viewport().size()
    row, column = table.rowAt(room.height() - 1), table.columnAt(room.width() - 1)
    top, left = table.rowViewportPosition(row), table.columnViewportPosition(column)
    high = room.height() - top if row > 0 else 0
    wide = room.width() - left if column > 0 else 0
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
