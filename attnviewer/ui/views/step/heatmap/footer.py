"""The parts below the cells: column sums and caption."""

from PySide6.QtCore import QObject, QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import QFont

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step.heatmap.arrangement import MARGIN
from attnviewer.ui.views.step.heatmap.caption import Caption
from attnviewer.ui.views.step.heatmap.caption_text import said_of
from attnviewer.ui.views.step.heatmap.column_sums import ColumnSums
from attnviewer.ui.views.step.heatmap.statistics_reader import (
    StatisticsReader,
    has_statistics,
)

GAP = 8.0
"""Space above the caption, in pixels."""
MOST = 0.15, 0.3
"""Largest shares of the height for the sums and the caption."""


class Footer(QObject):
    """Keeps these parts up to date with the matrix, the marks and the statistics.

    Attributes
    ----------
    sums : ColumnSums
        How much attention each key receives; only for weights.
    caption : Caption
        The texts.
    reader : StatisticsReader
        Computes the statistics of all cells.
    resized : Signal
        The required height has changed.
    completed : Signal
        The statistics are known.
    """

    resized = Signal()
    completed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sums = ColumnSums()
        self.caption = Caption()
        self.reader = StatisticsReader(self)
        self.reader.found.connect(self._show_found)
        self._content: StepContent | None = None
        self._marked = Marked()
        self._cached = False
        self._block = (1, 1)
        self._exponent = 0
        self._size = QSizeF()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self.sums.set_theme(theme)
        self.caption.set_theme(theme)

    def set_font(self, font: QFont) -> None:
        """Set the font."""
        self.sums.setFont(font)
        self.caption.setFont(font)

    def show_content(self, content: StepContent, marked: Marked) -> None:
        """Show another matrix, and its marks."""
        self._content, self._marked = content, marked
        self._look()

    def forget(self) -> None:
        """Release the matrix."""
        self._content = None
        self.reader.forget()

    def mark(self, marked: Marked) -> None:
        """Sum the marked cells."""
        if marked != self._marked:
            self._marked = marked
            self._look()

    def set_cached(self, *, cached: bool) -> None:
        """Say whether keys in the cache are underlined."""
        if cached != self._cached:
            self._cached = cached
            self._say()

    def set_block(self, block: tuple[int, int]) -> None:
        """Set how many rows and columns of cells share a colour."""
        if block != self._block:
            self._block = block
            self._say()

    @Slot(int)
    def set_exponent(self, exponent: int) -> None:
        """Set the power of ten that the drawn numbers are divided by."""
        self._exponent = exponent
        self._say()

    def extent(self, size: QSizeF) -> float:
        """Return the height needed, given the size of the whole heatmap."""
        self._size = QSizeF(size)
        sums = self.sums.extent() if self._has_sums else 0.0
        caption = self.caption.extent(size.width() - 2 * MARGIN)
        # Small windows only have space for the cells.
        parts = zip((sums, caption and caption + GAP), MOST, strict=True)
        return sum(part for part, most in parts if part <= most * size.height())

    def place(self, rect: QRectF) -> None:
        """Set the geometry of the parts below the cells."""
        sums = self.sums.extent()
        there = self._has_sums and sums <= min(
            rect.height(), MOST[0] * self._size.height()
        )
        self.sums.setVisible(there)
        self.sums.setGeometry(rect.left(), rect.top(), rect.width(), sums)
        top = rect.top() + (sums if there else 0.0) + GAP
        room = rect.bottom() - top
        self.caption.setVisible(room > 0)
        width = self._size.width() - 2 * MARGIN
        self.caption.setGeometry(MARGIN, top, width, max(room, 0.0))

    @property
    def _has_sums(self) -> bool:
        content = self._content
        return content is not None and content.sums_received and has_statistics(content)

    def _look(self) -> None:
        if self._content is None:
            return
        self.reader.start(self._content, self._marked)
        if self.reader.facts is None:
            # Previous numbers would be wrong.
            self._show_found()

    @Slot()
    def _show_found(self) -> None:
        sums = self.reader.column_sums if self._has_sums else None
        self.sums.set_sums(sums, self.reader.marked_rows)
        self._say()
        self.completed.emit()

    def _say(self) -> None:
        if self._content is None:
            return
        said = said_of(
            *(self._content, self._block, self.reader.facts, self._marked),
            exponent=self._exponent,
            cached=self._cached,
        )
        if tuple(said) == self.caption.entries:
            return
        before = self.extent(self._size)
        self.caption.set_entries(said)
        if self.extent(self._size) != before:
            self.resized.emit()
