"""The pace at which a training run is played."""

from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.choice_boxes import ChoiceBox

RATES = (10.0, 30.0, 100.0, None)
"""Steps a second; None for as many as there can be."""
USUAL = 1


class PaceBox(ChoiceBox):
    """A choice of steps a second."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.pace")
        self.setAccessibleName(self.tr("Pace"))
        self.setToolTip(self.tr("Pace"))
        for rate in RATES:
            text = self.tr("as fast as possible")
            if rate is not None:
                text = self.tr("{rate:g} steps a second").format(rate=rate)
            self.addItem(text)
        self.setCurrentIndex(USUAL)

    @property
    def rate(self) -> float | None:
        """The pace in steps a second; None for the fastest."""
        return RATES[self.currentIndex()]
