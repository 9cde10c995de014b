"""A box for the number of a layer or of a head."""

from PySide6.QtWidgets import QSpinBox, QWidget

from attnviewer.ui.calm_wheel import CalmWheel


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
        self.setToolTip(name)
        # While more digits may come, nothing is computed.
        self.setKeyboardTracking(False)
        CalmWheel(self)

    def set_count(self, count: int) -> None:
        """Offer so many numbers."""
        self.setRange(0, count - 1)
