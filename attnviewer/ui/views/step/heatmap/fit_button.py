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
        self, bar: QRectF, above: float, *, free_below: bool, free_to: float
    ) -> None:
        """Show the button where there is free room.

        Parameters
        ----------
        bar : QRectF
            The colour bar.
        above : float
            Height of the free room above the bar.
        free_below : bool
            Whether there is room for the button below the bar.
        free_to : float
            Where the free room to the right of the bar ends.
        """
        size = self.sizeHint()
        left = min(round(bar.left()), round(free_to) - size.width() - SPACE)
        low = round(bar.bottom()) + SPACE
        top = low if free_below else round(bar.top()) - SPACE - size.height()
        fits = free_below or (
            size.height() + SPACE <= above and left >= bar.left() - SPACE
        )
        self.setVisible(self._offered and fits)
        self.resize(size)
        self.move(QPoint(max(0, left), top))


def uses_little(content: StepContent, facts: Facts) -> bool:
    """Return whether other limits would tell the numbers apart much better."""
    look = content.look
    linear = content.scale.scaling == "linear"
    if look.policy != "automatic" or look.kept is not None or not linear:
        return False
    if not facts.low < facts.high:
        return False
    low, high = content.scale.shares(np.array([facts.low, facts.high])).tolist()
    return bool(high - low < LITTLE)
