"""Controls that choose the lines, and the number of lines shown."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from attnviewer.ui.views.step.lines.heads import HeadLegend, OverlayBox
from attnviewer.ui.views.step.lines.threshold import ThresholdBox
from attnviewer.ui.widgets.elided_label import ElidedLabel

MARGIN = 16
TALLY = 8
"""Width in digits that lets the tally stand beside the others: of its numbers. A line
of its own would take rows out of sight where texts are large."""


class LinesControls(QWidget):
    """The heads and the threshold, their legend, and sentences below them.

    Attributes
    ----------
    overlay : OverlayBox
        Which heads are drawn.
    threshold : ThresholdBox
        How large a weight must be.
    legend : HeadLegend
        The heads' switches.
    tally : ElidedLabel
        The number of lines.
    note : QLabel
        What there is to know about them.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overlay = OverlayBox(f"{name}.overlay", self)
        self.threshold = ThresholdBox(f"{name}.threshold", self)
        self.legend = HeadLegend(f"{name}.head", self)
        self.tally = ElidedLabel(f"{name}.tally", Qt.TextElideMode.ElideRight)
        self.tally.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.note = QLabel(self)
        self.note.setObjectName(f"{name}.note")
        self.note.setWordWrap(True)
        self.note.setProperty("muted", True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._grid.addWidget(self.overlay, 0, 0)
        self._grid.addWidget(self.legend, 2, 0, 1, 3)
        self._grid.addWidget(self.note, 4, 0, 1, 3)
        self._grid.setColumnStretch(2, 1)
        self._place()

    def minimumSizeHint(self) -> QSize:
        # However they lie now: the threshold goes below where there is less room.
        controls = (self.overlay, self.threshold, self.legend)
        least = max(control.minimumSizeHint().width() for control in controls)
        return QSize(least + 2 * MARGIN, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # the heads come and go
            self._place()
        return done

    def _place(self) -> None:
        """Put threshold and tally beside the heads; in a narrow window below them."""
        beside = self.threshold.sizeHint().width()
        if not self.overlay.isHidden():
            beside += self.overlay.sizeHint().width()
        narrow = self.width() < beside + 3 * MARGIN
        self._put(self.threshold, (1, 0, 1, 3) if narrow else (0, 1, 1, 1))
        # Wherever it stands, its numbers move nothing.
        beside += self.fontMetrics().horizontalAdvance("0" * TALLY) + 4 * MARGIN
        narrow = self.width() < beside
        self._put(self.tally, (3, 0, 1, 3) if narrow else (0, 2, 1, 1))

    def _put(self, widget: QWidget, place: tuple[int, int, int, int]) -> None:
        index = self._grid.indexOf(widget)
        # To put it where it is would ask for another layout, without end.
        if index < 0 or self._grid.getItemPosition(index) != place:
            self._grid.addWidget(widget, *place)
