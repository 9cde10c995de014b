"""The offer to fit the colours to the numbers, where these use little of the scale."""

from typing import Literal

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.views.step.heatmap.statistics_reader import LITTLE, Facts

FEW, PART = 0.05, 0.5
"""Shares of the cells and of their sum, below which those beyond the lowest colours are
exceptions."""
MANY = 256
"""The least number of cells for that; the numbers of fewer stand in them."""
SPACE = 6
Remedy = Literal["", "limits", "logarithm"]


class FitButton(QPushButton):
    """A small button by the colour bar, hidden unless there is something to gain.

    Attributes
    ----------
    chosen : Signal
        The colours are to be fitted: by their ``limits``, or by a ``logarithm``.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(self.tr("Fit colours"))
        # Otherwise Return would edit the selected cell of the heatmap.
        self.setAutoDefault(True)
        self.hide()
        self._remedy: Remedy = ""
        self.clicked.connect(self._on_clicked)

    @property
    def offered(self) -> bool:
        """Whether there is something to gain; `place` looks for the room."""
        return self._remedy != ""

    def offer(self, content: StepContent, facts: Facts | None) -> None:
        """Decide whether to offer it; what is not known yet changes nothing."""
        if facts is None:
            return
        remedy = remedy_for(content, facts) if content.choosable else ""
        if remedy == self._remedy:
            return
        self._remedy = remedy
        self.setToolTip(
            self.tr(
                "Most of the attention is in weights of the lowest colours. A "
                "logarithmic scale tells them apart."
            )
            if remedy == "logarithm"
            else self.tr(
                "The numbers use only a small part of the colours. Stretch the "
                "colours from the smallest number to the largest."
            )
        )

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
        self.setVisible(self.offered and fits)
        self.resize(size)
        self.move(QPoint(max(0, left), top))

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._remedy)


def remedy_for(content: StepContent, facts: Facts) -> Remedy:
    """Return what would tell the numbers apart much better; "" if they are."""
    look = content.look
    linear = content.scale.scaling == "linear"
    if look.policy != "automatic" or look.kept is not None or not linear:
        return ""
    if not facts.low < facts.high:
        return ""
    low, high = content.scale.shares(np.array([facts.low, facts.high])).tolist()
    if high - low < LITTLE:
        return "limits"
    if content.signed or content.cells < MANY:
        return ""
    few = facts.bright < FEW * content.cells
    return "logarithm" if few and facts.bright_sum < PART * facts.sum else ""
