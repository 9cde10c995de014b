"""The one control for layer and head: the chosen one between two arrows."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from attnviewer.compute import HeadLocation


class HeadStepper(QWidget):
    """Names the chosen head, and goes to the one before or behind it.

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
        self.before = self._button("before", "‹", self.tr("Previous head"))
        self.behind = self._button("behind", "›", self.tr("Next head"))
        self.before.clicked.connect(self._back)
        self.behind.clicked.connect(self._on)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.before)
        row.addWidget(self._location, 1)
        row.addWidget(self.behind)

    def show_location(
        self, location: HeadLocation | None, *, first: bool, last: bool
    ) -> None:
        """Show which head is chosen, and whether there are others beside it."""
        text = "" if location is None else f"L{location.layer} · H{location.head}"
        self._location.setText(text)
        self.before.setEnabled(location is not None and not first)
        self.behind.setEnabled(location is not None and not last)

    def _button(self, name: str, sign: str, title: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"atlas.{name}")
        button.setText(sign)
        button.setAccessibleName(title)
        button.setToolTip(title)
        return button

    @Slot()
    def _back(self) -> None:
        self.stepped.emit(-1)

    @Slot()
    def _on(self) -> None:
        self.stepped.emit(1)
