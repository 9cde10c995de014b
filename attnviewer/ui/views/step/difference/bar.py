"""The bar that chooses the reference and the side that is shown."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from attnviewer.ui.state.baseline import BaselineModel, Reference, ReferenceName
from attnviewer.ui.views.step.difference.content import SHOWINGS, Showing
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.segment import Segment
from attnviewer.ui.widgets.symbol_button import symbol_button

NARROWEST_CHOICE = 60
"""Width of the choice of A in a narrow window; its tool tip has the full text."""


class DifferenceBar(QWidget):
    """The bar above the comparison.

    Attributes
    ----------
    showing_chosen : Signal
        Carries ``A``, ``B``, ``B − A`` or ``A | B``.
    """

    showing_chosen = Signal(str)

    def __init__(self, baseline: BaselineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference.bar")
        self._baseline = baseline
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 2, 16, 4)
        layout.setSpacing(0)
        titles = {
            self.tr("A"): self.tr("Show A, the state that is compared with"),
            self.tr("B"): self.tr("Show B, the document as it is now"),
            self.tr("B − A"): self.tr("Show what was added to A to get B"),
            self.tr("A | B"): self.tr("Show A and B side by side"),
        }
        for number, (title, tip) in enumerate(titles.items()):
            layout.addWidget(self._add_button(number, title, tip))
        self.choose("B − A")
        self._group.idClicked.connect(self._on_clicked)
        caption = QLabel(self.tr("A:"), self)
        caption.setProperty("muted", True)
        self.reference = ChoiceBox(self)
        self.reference.setObjectName("difference.reference")
        name_control(self.reference, self.tr("A, which B is compared with"))
        self.reference.setToolTip(self.tr("What B is compared with"))
        self.reference.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.reference.setMinimumWidth(NARROWEST_CHOICE)
        self.reference.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        )
        self.reference.activated.connect(self._on_activated)
        caption.setBuddy(self.reference)
        now = QLabel(self.tr("B: now"), self)
        now.setProperty("muted", True)
        now.setToolTip(self.tr("B is the document as it is now"))
        title = self.tr("Clear the baseline")
        self.unpin = symbol_button("difference.unpin", "✕", title, self)
        self.unpin.hide()
        self.unpin.clicked.connect(baseline.unpin)
        layout.addSpacing(16)
        layout.addWidget(caption)
        layout.addSpacing(6)
        layout.addWidget(self.reference, 1)
        layout.addSpacing(6)
        layout.addWidget(self.unpin)
        layout.addSpacing(10)
        layout.addWidget(now)

    @property
    def showing(self) -> Showing:
        """The side that is shown."""
        return SHOWINGS[self._group.checkedId()]

    def choose(self, showing: Showing) -> None:
        """Choose the side that is shown."""
        self._group.button(SHOWINGS.index(showing)).setChecked(True)

    def show_choice(self) -> None:
        """Update the choice of the reference."""
        titles: dict[ReferenceName, str] = {
            "baseline": self.tr("the baseline"),
            "last_edit": self.tr("before the last edit"),
        }
        while self.reference.count() > len(titles):
            self.reference.removeItem(self.reference.count() - 1)
        choice = self._baseline.choice
        if choice == "without_pins" or self._baseline.title("without_pins"):
            titles["without_pins"] = self.tr("without pins")
        if self._baseline.title("theirs"):
            titles["theirs"] = self._baseline.title("theirs")
        for number, (name, nothing) in enumerate(titles.items()):
            if number == self.reference.count():
                self.reference.addItem("", name)
            title = self._baseline.title(name) or nothing
            self.reference.setItemText(number, title)
        self._name_sides(theirs=choice == "theirs")
        for reference in self._baseline.earlier:
            self.reference.addItem(reference.title, reference)
        self.reference.setCurrentIndex(list(titles).index(choice))
        pinned = self._baseline.pinned is not None
        self.unpin.setVisible(pinned and choice == "baseline")

    def _name_sides(self, *, theirs: bool) -> None:
        """Say whose A is, where it is not a state of the document."""
        a, b = (
            (self.tr("A theirs"), self.tr("B right"))
            if theirs
            else (self.tr("A"), self.tr("B"))
        )
        self._group.button(SHOWINGS.index("A")).setText(a)
        self._group.button(SHOWINGS.index("B")).setText(b)

    def _add_button(self, number: int, title: str, tip: str) -> Segment:
        name = f"difference.show.{number}"
        button = Segment(name, title, number, self._group, self)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    @Slot(int)
    def _on_clicked(self, number: int) -> None:
        self.showing_chosen.emit(SHOWINGS[number])

    @Slot(int)
    def _on_activated(self, number: int) -> None:
        chosen = self.reference.itemData(number)
        if isinstance(chosen, Reference):
            self._baseline.return_to(chosen)
        else:
            self._baseline.choose(chosen)
