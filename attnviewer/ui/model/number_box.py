"""A box for the number of a layer or of a head."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QSpinBox, QWidget

from attnviewer.ui.widgets.wheel_filter import CalmWheel

_FRAME_CHARACTERS = 4
"""Room for the frame and the arrows, beside the letter and the number."""


class NumberBox(QSpinBox):
    """A number from zero, with a letter before it: ``L3``.

    Parameters
    ----------
    letter : str
        The letter.
    name : str
        What it is the number of.
    parent : QWidget
        Qt's owner.
    """

    def __init__(self, letter: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPrefix(letter)
        self.setAccessibleName(name)
        # While more digits may come, nothing is computed.
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        CalmWheel(self)

    def set_count(self, count: int) -> None:
        """Offer so many numbers."""
        self.setRange(0, count - 1)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # Qt would leave room for more than there is to read.
        measure = self.fontMetrics().horizontalAdvance
        text = measure(f"{self.prefix()}{self.maximum()}")
        frame = measure("0") * _FRAME_CHARACTERS
        return QSize(text + frame, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
