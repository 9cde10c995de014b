"""One target in the dialog: a quantity, and the value that it should have."""

import math
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import exact_text
from attnviewer.document.text.parsing import parse_number
from attnviewer.goal_seek.targets import Relation
from attnviewer.ui.goal_seek.cell_reference import Anchor, CellReference, Quantity
from attnviewer.ui.goal_seek.target_entry import TargetEntry
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel

DIGITS = 6
"""Significant digits of what a number is now."""
CHARACTERS = 9
"""The least width of the field, in digits."""
RELATIONS: tuple[Relation, ...] = ("=", "<=", ">=")
"""Those to a number, in the order of the choice; those to another cell follow."""
NUMBER, CELL = range(2)
"""The kinds of what a target is compared with."""

_CONCEPTS = {name: STATISTICS[name] for name in ("entropy", "effective_keys")}

Chosen = Callable[[], CellReference | None]
"""Returns the cell that is selected in the window."""


class TargetRow(QFrame):
    """One target: its name, the condition on it, and why that cannot be met.

    Parameters
    ----------
    reference : CellReference
        The cell, or a cell of the row.
    quantity : str
        The number of the cell, or a statistic of its row.
    computed : Computed
        The present numbers.
    selected : callable
        Returns the cell that is selected in the window.
    parent : QWidget
        The list of targets.

    Attributes
    ----------
    removed : Signal
        The target is to be removed.
    changed : Signal
        Something else is asked for.
    """

    removed = Signal()
    changed = Signal()

    def __init__(
        self,
        reference: CellReference,
        quantity: Quantity,
        computed: Computed,
        selected: Chosen,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("seek.target")
        self._anchor = Anchor(reference, computed.labels)
        self._computed, self._selected = computed, selected
        self._other: Anchor | None = None
        self._picking = False
        self._name = ElidedLabel("seek.target.name", Qt.TextElideMode.ElideMiddle)
        self._name.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self._now = QLabel(self)
        self._now.setObjectName("seek.target.now")
        self._now.setProperty("muted", True)
        self._remove = QPushButton(self.tr("Remove"), self)
        self._remove.setObjectName("seek.target.remove")
        self._remove.setAutoDefault(False)
        self._quantity = self._quantity_box(reference.step, quantity)
        self._relation = self._relation_box()
        self._value = QLineEdit(self)
        self._value.setObjectName("seek.target.value")
        self._value.setMinimumWidth(
            CHARACTERS * self.fontMetrics().horizontalAdvance("0")
        )
        self._compared = ElidedLabel("seek.target.other")
        self._compared.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self._wanted = QStackedWidget(self)
        self._wanted.addWidget(self._value)
        self._wanted.addWidget(self._compared)
        self._reason = ReasonLabel("seek.target.reason", self)
        self._lay_out()
        self._remove.clicked.connect(self.removed)
        self._quantity.activated.connect(self._on_quantity)
        self._relation.activated.connect(self._on_relation)
        self._value.textEdited.connect(self._on_changed)
        self._show()
        self._propose()

    @property
    def quantity(self) -> Quantity:
        """The number of the cell, or which statistic of its row."""
        quantity: Quantity = self._quantity.currentData()
        return quantity

    def asked(self) -> TargetEntry:
        """Return what is asked for.

        Raises
        ------
        ValueError
            If the number is none, or a cell is not there.
        """
        reference, relation = self.reference, self._chosen_relation
        if reference is None:
            raise ValueError(
                self.tr("This cell is not there now. Undo, or remove the target.")
            )
        if not self._compares:
            value = parse_number(self._value.text())
            return TargetEntry(reference, self.quantity, relation, value)
        if self._other is None:
            raise ValueError(self.tr("Select the other cell in the window."))
        other = self._other.now(self._computed)
        if other is None:
            raise ValueError(self.tr("The other cell is not there now."))
        return TargetEntry(reference, self.quantity, relation, other)

    def check(self) -> TargetEntry | None:
        """Return what is asked for; None, with the reason in place, if it is none."""
        try:
            asked = self.asked()
        except ValueError as error:
            self._reason.say(str(error))
            return None
        self._reason.say("")
        return asked

    def focus(self) -> None:
        """Let the number be typed."""
        self._value.setFocus(Qt.FocusReason.OtherFocusReason)
        # From its end, so that the first digits of a long number are in sight.
        end = len(self._value.text())
        self._value.setSelection(end, -end)

    def follow(self, computed: Computed) -> None:
        """Show newer numbers, with the cells where their tokens are now."""
        self._computed = computed
        self._show()
        self._show_wanted()
        if self.reference is None or self._reason.text():
            self.check()

    def _show(self) -> None:
        """Show the name of the number, and its value now."""
        reference, computed = self.reference, self._computed
        if reference is None:
            self._now.setText(self.tr("not there"))
            return
        single = self.quantity == "cell"
        name = reference.name(computed) if single else reference.row_name(computed)
        self._name.setText(name)
        for box, what in self._labelled.items():
            name_control(box, f"{name}: {what}")
        unit = self.tr("{number} bits") if self.quantity == "entropy" else "{number}"
        number = unit.format(number=significant_number(self._number(), DIGITS))
        self._now.setText(self.tr("now {number}").format(number=number))

    @property
    def _labelled(self) -> dict[QWidget, str]:
        return {
            self._quantity: self.tr("quantity"),
            self._relation: self.tr("relation"),
            self._value: self.tr("wanted number"),
            self._remove: self.tr("remove the target"),
        }

    def pick(self, reference: CellReference | None) -> None:
        """Take a cell to compare with, if one is awaited."""
        if self._picking and reference is not None and reference != self.reference:
            self._other = Anchor(reference, self._computed.labels)
            self._picking = False
            self._show_wanted()
            self.check()
            self.changed.emit()

    def _quantity_box(self, step: str, quantity: Quantity) -> ChoiceBox:
        box = ChoiceBox(self)
        box.setObjectName("seek.target.quantity")
        box.setToolTip(self.tr("Quantity"))
        texts: dict[Quantity, str] = {
            "cell": self.tr("This number"),
            "entropy": self.tr("Entropy of the row"),
            "effective_keys": self.tr("Effective keys of the row"),
            "sum": self.tr("Sum of the row"),
        }
        if step != "weights":
            del texts["entropy"], texts["effective_keys"]
        for name, text in texts.items():
            concept = _CONCEPTS.get(name)
            if concept is None:
                box.addItem(text, name)
            else:
                box.add(text, name, concept)
        box.setCurrentIndex(max(box.findData(quantity), 0))
        return box

    def _relation_box(self) -> ChoiceBox:
        box = ChoiceBox(self)
        box.setObjectName("seek.target.relation")
        box.setToolTip(self.tr("Relation"))
        signs = ("=", "≤", "≥")
        for sign in signs:
            box.addItem(sign)
        for sign in signs:
            box.addItem(self.tr("{sign} another cell").format(sign=sign))
        return box

    def _lay_out(self) -> None:
        above, below = QHBoxLayout(), QHBoxLayout()
        above.addWidget(self._name, 1)
        above.addWidget(self._now)
        above.addWidget(self._remove)
        below.addWidget(self._quantity, 5)
        below.addWidget(self._relation, 4)
        below.addWidget(self._wanted, 5)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(6)
        column.addLayout(above)
        column.addLayout(below)
        column.addWidget(self._reason)

    @property
    def reference(self) -> CellReference | None:
        """The current position of the cell; None while it is not there."""
        return self._anchor.now(self._computed)

    @property
    def _chosen_relation(self) -> Relation:
        return RELATIONS[self._relation.currentIndex() % len(RELATIONS)]

    @property
    def _compares(self) -> bool:
        return self._relation.currentIndex() >= len(RELATIONS)

    def _number(self) -> float:
        """Return what the number is now; NaN where there is none."""
        if self.reference is None:
            return math.nan
        return TargetEntry(self.reference, self.quantity, "=", 0.0).number(
            self._computed.trace
        )

    def _propose(self) -> None:
        """Write what the number is now, until something is typed."""
        if not self._value.isModified():
            now = self._number()
            self._value.setText(exact_text(now) if math.isfinite(now) else "")

    @Slot()
    def _on_quantity(self) -> None:
        if self._compares and self.quantity != "cell":
            self._relation.setCurrentIndex(RELATIONS.index(self._chosen_relation))
            self._picking = False
        self._propose()
        self._on_changed()

    @Slot()
    def _on_relation(self) -> None:
        self._picking = self._compares
        if self._compares:
            self._quantity.setCurrentIndex(0)
            self._other = None
            self.pick(self._selected())
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self._show()
        self._show_wanted()
        self.check()
        self.changed.emit()

    def _show_wanted(self) -> None:
        """Show the field of the number, or the cell to compare with."""
        self._wanted.setCurrentIndex(CELL if self._compares else NUMBER)
        anchor = self._other
        other = None if anchor is None else anchor.now(self._computed)
        if other is not None:
            self._compared.setText(other.name(self._computed))
        else:
            self._compared.setText(self.tr("select it in the window"))
