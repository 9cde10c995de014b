"""Layout and painting of the tree's rows: formulas wrapped to the width."""

import math
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QRegion
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from attnviewer.compute import Cell
from attnviewer.document import Worked
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.formulas.worked_lines import worked_line
from attnviewer.ui.paint.math import LaidOut, faces_of, lay_out_line
from attnviewer.ui.views.explain.tree.model import DerivationModel
from attnviewer.ui.widgets.item_roles import ModelIndex

_BESIDE = 2
"""Margin beside the text of a row, in pixels."""
_ABOVE = 0.25
"""Margin above and below it, in em."""


class DerivationRows(QStyledItemDelegate):
    """Lays out and paints the rows, and finds the number at a point."""

    def __init__(self, tree: QTreeView, model: DerivationModel) -> None:
        super().__init__(tree)
        self._tree = tree
        self._model = model
        # By path, as in the model.
        self._kept: dict[int, _Kept] = {}
        self._exposed = QRegion()
        self.forget()

    def forget(self) -> None:
        """Drop all layouts, for another theme or font."""
        self._kept.clear()
        self._theme = Appearance.theme_in_force()
        self._faces = faces_of(self._tree.font())
        self._least = self._tree.fontMetrics().height()
        self._above = round(_ABOVE * self._faces.em)

    def indent(self, index: ModelIndex) -> int:
        """Return the indent of a row, in pixels."""
        return self._tree.indentation() * (self._model.depth(index) + 1)

    def expose(self, region: QRegion) -> None:
        """Paint only this part of the tree from now on."""
        self._exposed = region

    def draw(self, painter: QPainter, rect: QRect, index: ModelIndex) -> None:
        """Paint what is exposed of a row in a rectangle."""
        theme = self._theme
        if self._tree.hasFocus() and index == self._tree.currentIndex():
            painter.fillRect(rect, QColor(theme.selected))
        painter.setPen(QColor(theme.text))
        laid_out = self._laid_out(index)
        left, base = self._origin(rect, laid_out)
        laid_out.paint(painter, left, base, self._exposed.intersected(rect))

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        return QSize(0, self._height(self._laid_out(index)))

    def update(self, index: ModelIndex, place: QRect) -> list[QRect] | None:
        """Update the layout of a row, and return what of it must be painted.

        Parameters
        ----------
        index : index
            The row.
        place : QRect
            Where the row is, its indent included.

        Returns
        -------
        list of QRect, or None
            None if the row has another height now.
        """
        kept = self._kept.get(index.internalId())
        if kept is None:
            return None
        rect = place.adjusted(self.indent(index), 0, 0, 0)
        before, now = kept.laid_out, self._laid_out(index)
        if now is before:
            return []
        extent, was = ((one.ascent, one.descent) for one in (now, before))
        if extent != was:
            return [rect] if self._height(now) == self._height(before) else None
        changed = now.changed_rects(before, *self._origin(rect, now))
        return [rect] if changed is None else changed

    def cell_at(self, index: ModelIndex, rect: QRect, x: int, y: int) -> Cell | None:
        """Return the cell whose number is at a point of a row in a rectangle."""
        laid_out = self._laid_out(index)
        left, base = self._origin(rect, laid_out)
        return laid_out.cell_at(x - left, y - base)

    def _origin(self, rect: QRect, laid_out: LaidOut) -> tuple[float, float]:
        """Return where the first baseline of a row begins."""
        free = max(rect.height() - laid_out.height, 0.0) / 2
        return rect.left() + _BESIDE, round(rect.top() + free + laid_out.ascent)

    def _height(self, laid_out: LaidOut) -> int:
        return max(math.ceil(laid_out.height), self._least) + 2 * self._above

    def _laid_out(self, index: ModelIndex) -> LaidOut:
        path, worked = index.internalId(), self._model.worked(index)
        width = self._tree.viewport().width() - self.indent(index) - 2 * _BESIDE
        kept = self._kept.get(path)
        if kept is not None and kept.width == width and _says_same(kept.worked, worked):
            return kept.laid_out
        line = worked_line(worked, self._theme)
        laid_out = lay_out_line(line, self._faces, max(width, 1))
        self._kept[path] = _Kept(worked, width, laid_out)
        return laid_out


def _says_same(one: Worked, other: Worked) -> bool:
    return one is other or (one.name, one.formula) == (other.name, other.formula)


class _Kept(NamedTuple):
    """The number that a row shows, and its layout in a width."""

    worked: Worked
    width: int
    laid_out: LaidOut
