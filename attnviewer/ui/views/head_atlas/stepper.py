"""The one control for layer and head: the chosen one between two arrows."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.widgets.symbol_button import symbol_button


class HeadStepper(QWidget):
    """Names the chosen head, and goes to the previous or next one.

    Attributes
    ----------
    stepped : Signal
        −1 or 1.
    """

    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("atlas.stepper")
        self._location = QLabel(self)
        self._location.setObjectName("atlas.location")
        self._location.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous = symbol_button(
            "atlas.previous", "‹", self.tr("Previous head"), self
        )
        self.next = symbol_button("atlas.next", "›", self.tr("Next head"), self)
        self.previous.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.previous)
        row.addWidget(self._location, 1)
        row.addWidget(self.next)

    def show_location(
        self, location: HeadLocation | None, *, first: bool, last: bool
    ) -> None:
        """Show the chosen head, and whether heads precede or follow it."""
        text = "" if location is None else f"L{location.layer} · H{location.head}"
        self._location.setText(text)
        self.previous.setEnabled(location is not None and not first)
        self.next.setEnabled(location is not None and not last)

    @Slot()
    def _go_back(self) -> None:
        self.stepped.emit(-1)

    @Slot()
    def _go_on(self) -> None:
        self.stepped.emit(1)
