"""The offer to fit the colours to the numbers, where these use little of the scale."""

import numpy as np
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtWidgets import QPushButton, QWidget

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.views.step.heatmap.statistics_reader import Facts

LITTLE = 0.4
"""Share of the colour bar, below which the numbers use little of it."""
SPACE = 6


class FitButton(QPushButton):
    """A small button by the colour bar, hidden unless there is something to gain."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(self.tr("Fit colours"))
        self.setToolTip(
            self.tr(
                "The numbers use only a small part of the colours. Stretch the "
                "colours from the smallest number to the largest."
            )
        )
        self.hide()
        self._offered = False

    @property
    def offered(self) -> bool:
        """Whether there is something to gain; `place` looks for the room."""
        return self._offered

    def offer(self, content: StepContent, facts: Facts | None) -> None:
        """Decide whether to offer it; what is not known yet changes nothing."""
        if facts is not None:
            self._offered = content.choosable and uses_little(content, facts)

    def place(
        self, bar: QRectF, *, free_below: bool, free_beside: bool, width: float
    ) -> QRectF:
        """Show the button where there is room; return what it leaves of the colour bar.

        Parameters
        ----------
        bar : QRectF
            The colour bar.
        free_below : bool
            Whether there is room for the button below the bar.
        free_beside : bool
            Whether there is room to the right of the bar.
        width : float
            Width of the whole heatmap.
        """
        size = self.sizeHint()
        left = min(round(bar.left()), round(width) - size.width() - SPACE)
        top = round(bar.bottom()) + SPACE
        if not free_below:
            top -= size.height() + SPACE
        fits = free_below or free_beside or size.width() <= bar.width()
        self.setVisible(self._offered and fits)
        self.resize(size)
        self.move(QPoint(max(0, left), top))
        if free_below or self.isHidden():
            return bar
        return bar.adjusted(0, 0, 0, -size.height() - 2 * SPACE)


def uses_little(content: StepContent, facts: Facts) -> bool:
    """Return whether other limits would tell the numbers apart much better."""
    look = content.look
    if look.policy != "automatic" or look.kept is not None or look.log:
        return False
    if not facts.low < facts.high:
        return False
    low, high = content.scale.shares(np.array([facts.low, facts.high])).tolist()
    return bool(high - low < LITTLE)
