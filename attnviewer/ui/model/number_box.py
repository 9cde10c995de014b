"""A box for the number of a layer or of a head."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QSpinBox, QWidget

from attnviewer.ui.widgets.wheel_filter import WheelFilter

_FRAME_CHARACTERS = 4
"""Width of the frame and the arrows, in characters."""


class NumberBox(QSpinBox):
    """A number from zero, with a letter before it: ``L3``.

    Parameters
    ----------
    letter : str
        The letter.
    name : str
        The accessible name.
    parent : QWidget
        The parent widget.
    """

    def __init__(self, letter: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPrefix(letter)
        self.setAccessibleName(name)
        # Nothing is computed while digits are being typed.
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        WheelFilter(self)

    def set_count(self, count: int) -> None:
        """Set the number of values."""
        self.setRange(0, count - 1)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # Qt's size hint is wider than the text.
        measure = self.fontMetrics().horizontalAdvance
        text = measure(f"{self.prefix()}{self.maximum()}")
        frame = measure("0") * _FRAME_CHARACTERS
        return QSize(text + frame, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
