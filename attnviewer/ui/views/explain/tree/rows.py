"""Layout and painting of the tree's rows: formulas wrapped to the width."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from attnviewer.compute import Cell
from attnviewer.document import Worked
from attnviewer.ui.paint.formulas.laid_out import LaidOut
from attnviewer.ui.paint.formulas.spans import Span, spans_of
from attnviewer.ui.paint.formulas.worked_lines import line_pieces
from attnviewer.ui.paint.theme import Appearance, Theme
from attnviewer.ui.views.explain.tree.model import DerivationModel, Place

_BESIDE, _ABOVE = 3, 3
"""Margins around the text of a row."""
_HANGING = 2
"""Indent of the further lines of a row, in characters."""


class DerivationRows(QStyledItemDelegate):
    """Lays out and paints the rows, and finds the number at a point."""

    def __init__(self, tree: QTreeView, model: DerivationModel) -> None:
        super().__init__(tree)
        self._tree = tree
        self._model = model
        # By path, as in the model: the number shown, and its layout.
        self._kept: dict[int, tuple[Worked, LaidOut]] = {}
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # Formulas run left to right in every language, whatever their tokens are.
        self._option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self._hanging = 0.0
        self._theme = Appearance.theme_in_force()

    def forget(self) -> None:
        """Drop all layouts, for another theme or font."""
        self._kept.clear()
        self._theme = Appearance.theme_in_force()
        letter = QFontMetricsF(self._tree.font()).horizontalAdvance("0")
        self._hanging = _HANGING * letter

    def indent(self, index: Place) -> int:
        """Return the indent of a row, in pixels."""
        return self._tree.indentation() * (self._model.depth(index) + 1)

    def draw(self, painter: QPainter, rect: QRect, index: Place) -> None:
        """Paint a row in a rectangle."""
        theme = self._theme
        if self._tree.hasFocus() and index == self._tree.currentIndex():
            painter.fillRect(rect, QColor(theme.selected))
        painter.setPen(QColor(theme.text))
        laid_out = self._laid_out(index)
        laid_out.draw(painter, rect.left() + _BESIDE, rect.top() + _ABOVE)

    def sizeHint(self, option: QStyleOptionViewItem, index: Place) -> QSize:
        return QSize(0, round(self._laid_out(index).height) + 2 * _ABOVE)

    def take_up(self, index: Place) -> tuple[bool, bool]:
        """Update the layout of a row.

        Returns
        -------
        changed, resized : bool
            Whether its text or its height has changed.
        """
        kept = self._kept.get(index.internalId())
        now = self._laid_out(index)
        if kept is None:
            return True, True
        before = kept[1]
        return now is not before, now.height != before.height

    def cell_at(self, index: Place, rect: QRect, x: int, y: int) -> Cell | None:
        """Return the cell whose number is at a point of a row in a rectangle."""
        left, top = rect.left() + _BESIDE, rect.top() + _ABOVE
        return self._laid_out(index).cell_at(x - left, y - top)

    def _laid_out(self, index: Place) -> LaidOut:
        number, worked = index.internalId(), self._model.worked(index)
        width = self._tree.viewport().width() - self.indent(index) - 2 * _BESIDE
        kept = self._kept.get(number)
        if kept is not None:
            before, laid_out = kept
            if before is worked and laid_out.width == width:
                return laid_out
        line = tuple(_spans(worked, self._theme))
        if kept is None or (laid_out.line, laid_out.width) != (line, width):
            font, hanging = self._tree.font(), self._hanging
            laid_out = LaidOut(line, font, width, self._option, hanging=hanging)
        self._kept[number] = worked, laid_out
        return laid_out


def _spans(worked: Worked, theme: Theme) -> Iterator[Span]:
    """Yield the spans of a row, with a possible line break after each ·."""
    for span in spans_of(line_pieces(worked), theme):
        if "·" in span.text:
            yield span._replace(text=span.text.replace("·", "·\N{ZERO WIDTH SPACE}"))
        else:
            yield span
