"""The place beside the rows of a heatmap, and what stands there."""

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.views.step.heatmap.arrangement import Arrangement, beside_rows
from attnviewer.ui.widgets.row_companion import RowCompanion, SharedRows

LEAST_ROW = 8.0
"""Height of rows, in pixels, that something else can share."""
MOST_SHARE = 0.42
"""Largest share of the width that it may need."""


class BesideRows:
    """Shows a widget between the cells and the colour bar, where there is room.

    Parameters
    ----------
    heatmap : QWidget
        The heatmap, which becomes the parent of the widget.
    """

    def __init__(self, heatmap: QWidget) -> None:
        self._heatmap = heatmap
        self._shown: DisplayedStep | None = None
        self.companion: RowCompanion | None = None

    def set_companion(self, companion: RowCompanion | None) -> None:
        """Show a widget in place of the present one; None for none."""
        before, self.companion = self.companion, companion
        if before is not None and before is not companion:
            before.hide()
            before.forget()
        if companion is not None:
            companion.setParent(self._heatmap)
            if self._shown is not None:
                companion.show_step(self._shown)

    def show_step(self, shown: DisplayedStep) -> None:
        """Show the step that the heatmap shows."""
        self._shown = shown
        if self.companion is not None:
            self.companion.show_step(shown)

    def forget(self) -> None:
        """Let go of the numbers."""
        self._shown = None
        if self.companion is not None:
            self.companion.forget()

    def least_width(self, size: QSizeF, rows: int) -> float:
        """Return the width needed beside so many rows; 0 if nothing stands there."""
        companion, shown = self.companion, self._shown
        if companion is None or shown is None or not companion.wanted_for(shown.step):
            return 0.0
        least = companion.least_width()
        readable = size.height() >= rows * LEAST_ROW
        return least if readable and size.width() >= least / MOST_SHARE else 0.0

    def place(self, parts: Arrangement, size: QSizeF, least: float) -> Arrangement:
        """Put the widget beside the rows, and return where that leaves the parts.

        Parameters
        ----------
        parts : Arrangement
            The parts of the heatmap, laid out without the width that is needed here.
        size : QSizeF
            The size of the heatmap.
        least : float
            That width, see `least_width`.
        """
        if self.companion is None:
            return parts
        self.companion.setVisible(least > 0)
        if not least:
            return parts
        parts, place = beside_rows(parts, size.width(), least)
        left, wide = round(place.left()), round(place.width())
        self.companion.setGeometry(left, 0, wide, round(size.height()))
        return parts

    def share(self, cells: QRectF, row: float, above: float) -> None:
        """Tell the widget where the rows are.

        Parameters
        ----------
        cells : QRectF
            The place of those in sight.
        row : float
            The height of one, in pixels.
        above : float
            How many are scrolled away.
        """
        if self.companion is not None:
            rows = SharedRows(cells.top(), cells.height(), row, above * row)
            self.companion.share_rows(rows)
