"""The colours of the visible cells."""

from typing import NamedTuple

from PySide6.QtCore import QRectF, Signal, Slot

from attnviewer.compute.windowed.pooled_reading import PooledReading
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heatmap.cell_grid import cells_within
from attnviewer.ui.views.step.heatmap.means import MeansReader
from attnviewer.ui.views.step.heatmap.picture import (
    Picture,
    Span,
    coarse,
    finer_blocks,
    paint_pooled,
    paint_window,
)
from attnviewer.ui.views.step.heatmap.picture_item import PictureItem
from attnviewer.ui.views.step.heatmap.window_reader import WindowReader

WHOLE_PIXEL = 0.999
"""A block of cells this large, in pixels, is not lost."""


class _Window(NamedTuple):
    content: StepContent
    rows: Span
    columns: Span
    cell: tuple[float, float]
    theme: Theme


class ColorsItem(PictureItem):
    """Draws one colour per cell, or per block of cells.

    What takes long to read is drawn from the overview at first. Once the view stands
    still, its cells are read, and `sharp` draws them on top.

    Attributes
    ----------
    pooled : Signal
        Rows and columns of the cells that share a colour.
    sharpened : Signal
        The visible cells have been read, after they were drawn from the overview.
    sharp : PictureItem
        What was read last, as long as it is not coarser than the view.
    """

    pooled = Signal(object)
    sharpened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sharp = PictureItem()
        self.sharp.hide()
        self._means = MeansReader(self)
        self._means.finished.connect(self._paint_anew)
        self._reader = WindowReader(self)
        self._reader.finished.connect(self._sharpen)
        self._window: _Window | None = None
        self._sharp: tuple[StepContent, Theme, tuple[int, int]] | None = None

    @property
    def is_sharp(self) -> bool:
        """Whether the visible cells have been read as finely as they are shown."""
        return not self._reader.waits

    def finish(self) -> None:
        """Read what is still to be read at once, as for a picture to be saved."""
        self._reader.finish()

    def show_cells(
        self,
        content: StepContent,
        theme: Theme,
        sight: QRectF,
        cell: tuple[float, float],
    ) -> None:
        """Show the visible part of a step.

        Parameters
        ----------
        content : StepContent
            The step.
        theme : Theme
            The current theme.
        sight : QRectF
            The visible part, in cells.
        cell : tuple of two float
            Height and width of a cell in pixels.
        """
        rows, columns = content.shape
        means = content.overview if content.look.pooling == "mean" else None
        if means is not None and not means.has_means:
            self._means.read(means)
        else:
            self._means.stop()
        window = _Window(
            content,
            cells_within(sight.top(), sight.bottom(), rows),
            cells_within(sight.left(), sight.right(), columns),
            cell,
            theme,
        )
        if window != self._window:
            self._window = window
            self._paint_anew()

    def follow_overview(self, content: StepContent) -> None:
        """Show the same numbers, of which the overview may know more.

        Cells that have been read, or are being read, stay as they are.
        """
        if self._window is None:
            return
        self._window = window = self._window._replace(content=content)
        self._reader.follow(content)
        if self._sharp is not None:
            self._sharp = content, *self._sharp[1:]
        block = finer_blocks(*window[:-1])
        if block is None:
            self._show_alone(paint_window(*window))
        elif self._reader.waits or self._sharp is not None:
            self._show_overview(window)

    def forget(self) -> None:
        """Release the step; its picture stays."""
        self._means.stop()
        self._reader.stop()
        self._window = self._sharp = None

    @Slot()
    def _paint_anew(self) -> None:
        assert self._window is not None
        content, rows, columns, cell, _ = self._window
        block = finer_blocks(content, rows, columns, cell)
        if block is None:
            self._reader.stop()
            self._show_alone(paint_window(*self._window))
            return
        reading = PooledReading(
            content.matrix, block, rows, columns, content.look.pooling
        )
        if self._reader.ask(content, reading):
            self._show_alone(self._read())
            return
        self.sharp.setVisible(self._is_fine(self._window))
        self._show_overview(self._window)
        self.pooled.emit(block)

    def _show_overview(self, window: _Window) -> None:
        content, rows, columns, cell, theme = window
        pooled = coarse(content, rows, columns)
        self.show_picture(paint_pooled(content, pooled, None, cell, theme))

    def _show_alone(self, picture: Picture) -> None:
        self.sharp.hide()
        self._sharp = None
        self.show_picture(picture)
        self.pooled.emit(picture.block)

    def _is_fine(self, window: _Window) -> bool:
        """Return whether no block that was read last is lost in a window."""
        if self._sharp is None or self._sharp[:2] != (window.content, window.theme):
            return False
        blocks = zip(self._sharp[2], window.cell, strict=True)
        return all(size * pixels >= WHOLE_PIXEL for size, pixels in blocks)

    def _read(self) -> Picture:
        assert self._window is not None
        content, _, _, cell, theme = self._window
        return paint_pooled(content, *self._reader.picture(), cell, theme)

    @Slot()
    def _sharpen(self) -> None:
        assert self._window is not None
        picture = self._read()
        self.sharp.show_picture(picture)
        self.sharp.show()
        self._sharp = self._window.content, self._window.theme, picture.block
        self.sharpened.emit()
