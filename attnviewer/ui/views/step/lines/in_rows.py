"""The lines of the chosen head beside its heatmap, whose rows they share."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.line_threshold import half_of_even_share
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.views.step.lines.content import lines_content
from attnviewer.ui.views.step.lines.picture import LinesPicture
from attnviewer.ui.views.step.lines.threshold import ThresholdBox
from attnviewer.ui.widgets.row_companion import RowCompanion, SharedRows

LEAST = 16
"""Width in line heights."""
LEANING = 2
"""Room beside the threshold for the heatmap's last label, in line heights."""
GAP = 6


class LinesInRows(RowCompanion):
    """Draws lines from the rows of a heatmap to the names of the keys.

    Attributes
    ----------
    picture : LinesPicture
        The lines.
    threshold : ThresholdBox
        How large a weight must be to have a line.
    """

    def __init__(
        self, selection: SelectionModel, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._shown: DisplayedStep | None = None
        self._n_keys = 0
        self._rows: SharedRows | None = None
        self.picture = LinesPicture(selection, f"{name}.picture", self)
        self.threshold = ThresholdBox(f"{name}.threshold", self)
        self.threshold.chosen.connect(self._refresh)
        self.hide()

    def wanted_for(self, step: str) -> bool:
        return step == STEP_OF_ALL

    def least_width(self) -> float:
        return LEAST * self.fontMetrics().height()

    def show_step(self, shown: DisplayedStep) -> None:
        self._shown = shown
        n_keys = shown.computed.trace.shape(STEP_OF_ALL)[-1]
        if n_keys != self._n_keys:
            self._n_keys = n_keys
            self.threshold.set_threshold(half_of_even_share(n_keys))
        if self.isVisible():
            self._refresh()

    def forget(self) -> None:
        self._shown = None
        self.picture.forget()

    def share_rows(self, rows: SharedRows) -> None:
        self._rows = rows
        self.picture.share_rows(rows)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.picture.forget()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @Slot()
    def _refresh(self) -> None:
        shown = self._shown
        if shown is None:
            return
        heads = (present_head(shown.computed.trace, shown.head),)
        threshold = self.threshold.threshold
        self.picture.show_weights(lines_content(shown, heads, threshold, hues=False))

    def _place(self) -> None:
        """Put the threshold above the headings, or where there is room for it below."""
        self.picture.setGeometry(self.rect())
        rows, line = self._rows, self.fontMetrics().height()
        if rows is None:
            return
        least, high = (
            self.threshold.minimumSizeHint(),
            self.threshold.sizeHint().height(),
        )
        left = max(0, min(LEANING * line, self.width() - least.width()))
        above = round(rows.top - self.picture.headings) - high
        below = round(rows.top + rows.height) + GAP
        top = above if above >= 0 else below
        self.threshold.setVisible(top + high <= self.height())
        wide = min(self.width() - left, self.threshold.longest())
        self.threshold.setGeometry(self.width() - wide, top, wide, high)
        # The caption of the heatmap goes on below the rows.
        beside = QRegion(0, 0, self.width(), below)
        self.setMask(beside.united(self.threshold.geometry()))
