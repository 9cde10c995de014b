"""The control that switches the head of the strip."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QSpinBox, QWidget


class HeadSwitch(QSpinBox):
    """Switches to the next or previous head by clicks, keys and the wheel.

    Attributes
    ----------
    head_chosen : Signal
        The user chose a head.
    """

    head_chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("flow.head")
        self.setAccessibleName(self.tr("Head"))
        self.setToolTip(self.tr("The head that the steps below show"))
        self.setPrefix(self.tr("per head") + " · H")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        self.valueChanged.connect(self.head_chosen)

    def show_head(self, head: int, n_heads: int) -> None:
        """Show one of so many heads; a single one needs no switch."""
        self.blockSignals(True)
        self.setRange(0, n_heads - 1)
        self.setSuffix(" " + self.tr("of {0}").format(n_heads))
        self.setValue(head)
        self.blockSignals(False)
        self.setVisible(n_heads > 1)
