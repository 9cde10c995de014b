"""Paints the rows of the tree: formulas over as many lines as they need."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from attnviewer.compute import Cell
from attnviewer.compute.notation import Piece
from attnviewer.ui.explain.tree.model import DerivationModel, Place
from attnviewer.ui.fonts import outline_of
from attnviewer.ui.formulas.worked_lines import line_pieces
from attnviewer.ui.theme import Appearance, Theme

if TYPE_CHECKING:
    from attnviewer.document import Worked

_BESIDE, _ABOVE = 3, 3
"""Room around the text of a row."""
_HANGING = 2
"""Letters by which the second line of a row stands further in."""
MOST_KEPT = 512
"""Rows whose lines are kept, laid out."""


class DerivationRows(QStyledItemDelegate):
    """Lays the rows out, and knows which number is where.

    Parameters
    ----------
    tree : QTreeView
        The tree.
    model : DerivationModel
        Its rows.
    """

    def __init__(self, tree: QTreeView, model: DerivationModel) -> None:
        super().__init__(tree)
        self._tree = tree
        self._model = model
        self._kept: dict[tuple[object, ...], QTextLayout] = {}
        # By identity: numbers that are worked out stay as they are.
        self._said: dict[int, tuple[Worked, tuple[Piece, ...]]] = {}

    def forget(self) -> None:
        """Lay everything out anew, as in another theme or font."""
        self._kept.clear()

    def say_anew(self) -> None:
        """Write what the rows say anew, as other numbers are shown."""
        self._said.clear()

    def outline(self) -> str:
        """Return what decides how many lines the opened rows have in all."""
        root = self._model.root
        opened = () if root is None else root.opened_below()
        texts = ("".join(p.text for p in self._pieces(part)) for _, part in opened)
        return outline_of("\n".join(texts), self._tree.font())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Place
    ) -> None:
        theme = Appearance.theme_in_force()
        place: QRect = option.rect
        if index == self._tree.currentIndex() and self._tree.hasFocus():
            painter.fillRect(place, QColor(theme.selected))
        layout = self._layout(index, place.width())
        painter.setPen(QColor(theme.text))
        layout.draw(painter, QPointF(place.left() + _BESIDE, place.top() + _ABOVE))

    def sizeHint(self, option: QStyleOptionViewItem, index: Place) -> QSize:
        indented = self._tree.indentation() * (self._model.depth(index) + 1)
        width = self._tree.viewport().width() - indented
        layout = self._layout(index, width)
        return QSize(width, round(layout.boundingRect().height()) + 2 * _ABOVE)

    def cell_at(self, index: Place, place: QRect, x: int, y: int) -> Cell | None:
        """Return the cell whose number stands at a point of a row that lies there."""
        layout = self._layout(index, place.width())
        left, top = place.left() + _BESIDE, place.top() + _ABOVE
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            if line.naturalTextRect().translated(left, top).contains(x, y):
                on = line.CursorPosition.CursorOnCharacter
                letter = line.xToCursor(x - left, on)
                return _at_letter(self._pieces(self._model.worked(index)), letter)
        return None

    def _pieces(self, worked: "Worked") -> tuple[Piece, ...]:
        """Return what a row says, with room for a break after each ·."""
        said = self._said.get(id(worked))
        if said is None:
            pieces = tuple(map(_with_breaks, line_pieces(worked)))
            said = self._said[id(worked)] = worked, pieces
        return said[1]

    def _layout(self, index: Place, width: int) -> QTextLayout:
        pieces = self._pieces(self._model.worked(index))
        key = pieces, width
        layout = self._kept.get(key)
        if layout is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            theme = Appearance.theme_in_force()
            layout = _laid_out(pieces, width - 2 * _BESIDE, self._tree.font(), theme)
            self._kept[key] = layout
        return layout


def _with_breaks(piece: Piece) -> Piece:
    if "·" not in piece.text:
        return piece
    return replace(piece, text=piece.text.replace("·", "·\N{ZERO WIDTH SPACE}"))


def _laid_out(
    pieces: Sequence[Piece], width: int, font: QFont, theme: Theme
) -> QTextLayout:
    layout = QTextLayout("".join(piece.text for piece in pieces), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    # Formulas read from the left in every language, whatever their tokens are.
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.setFormats(list(_formats(pieces, theme)))
    layout.setCacheEnabled(True)
    letter = QFontMetricsF(font).horizontalAdvance("0")
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        indent = _HANGING * letter if height else 0.0
        line.setLineWidth(max(width - indent, letter))
        line.setPosition(QPointF(indent, height))
        height += line.height()
    layout.endLayout()
    return layout


def _formats(
    pieces: Sequence[Piece], theme: Theme
) -> Iterator[QTextLayout.FormatRange]:
    start = 0
    for piece in pieces:
        there = QTextLayout.FormatRange()
        there.start, there.length = start, len(piece.text)
        there.format = _format_of(piece, theme)
        yield there
        start += len(piece.text)


def _format_of(piece: Piece, theme: Theme) -> QTextCharFormat:
    color = theme.text
    if piece.cell is not None:
        color = theme.color_of(piece.cell.step) or theme.text
    elif piece.kind in ("remainder", "note"):
        color = theme.muted
    return _format(color, piece.cell is not None, piece.kind == "value")


@lru_cache(maxsize=64)
def _format(color: str, underlined: bool, bold: bool) -> QTextCharFormat:
    format_ = QTextCharFormat()
    if underlined:
        format_.setFontUnderline(True)
    if bold:
        format_.setFontWeight(QFont.Weight.Bold)
    format_.setForeground(QColor(color))
    return format_


def _at_letter(pieces: Sequence[Piece], letter: int) -> Cell | None:
    for piece in pieces:
        letter -= len(piece.text)
        if letter < 0:
            return piece.cell
    return None
