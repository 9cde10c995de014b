"""The dialog that pins cells of a step, or changes a pin."""

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike
from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from attnviewer.compute import Pin
from attnviewer.document import Edit, exact_text
from attnviewer.document.edits import EditError
from attnviewer.document.pins import add_pins, change_pin
from attnviewer.document.text.parsing import parse_number
from attnviewer.ui.pins.target import Target
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.form_row import add_row
from attnviewer.ui.widgets.reason import ReasonLabel

MANY = 12
"""The least characters of the field."""


class PinDialog(EditDialog):
    """Asks what some cells shall be.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    choices : sequence of (str, Target)
        The cells by name; after a single one its row, its column and the whole step.
    value : float
        The number to start with.
    parent : QWidget
        The window.
    changed : int, optional
        The pin that is changed; by default one is added.
    """

    def __init__(
        self,
        edits: EditStack,
        choices: Sequence[tuple[str, Target]],
        value: float,
        parent: QWidget,
        changed: int | None = None,
    ) -> None:
        super().__init__(edits, parent)
        self.setObjectName("pin")
        title = self.tr("Pin numbers") if changed is None else self.tr("Change the pin")
        self.setWindowTitle(title)
        self._choices, self._changed = choices, changed
        target = choices[0][1]
        self._what = self._what_box()
        self._how = self._how_box()
        self._value = QLineEdit(f"{value:.6g}", self)
        self._value.setObjectName("pin.value")
        self._value.setMinimumWidth(MANY * self.fontMetrics().horizontalAdvance("0"))
        self._share = QCheckBox(self.tr("The &other keys share the rest"), self)
        self._share.setObjectName("pin.share")
        self._share.setToolTip(
            self.tr(
                "The other weights of the row are multiplied so that the row sums to 1"
            )
        )
        self._share.setVisible(target.step == "weights")
        self._every = QCheckBox(self.tr("In &all heads"), self)
        self._every.setObjectName("pin.every")
        self._every.setVisible(target.head is not None)
        self._reason = ReasonLabel("pin.reason", self, lines=2)
        buttons = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(buttons.Ok | buttons.Cancel, self)
        pin = self.tr("Pin") if changed is None else self.tr("Change")
        box.button(buttons.Ok).setText(pin)
        box.accepted.connect(self._submit)
        box.rejected.connect(self.reject)
        self._heading = QLabel(choices[0][0], self)
        self._heading.setObjectName("pin.cells")
        self._heading.setWordWrap(True)
        form = QFormLayout()
        if len(choices) > 1:
            add_row(form, self.tr("&Where"), self._what)
        add_row(form, self.tr("&How"), self._how)
        add_row(form, self.tr("&Number"), self._value)
        layout = dialog_column(self)
        layout.setSpacing(10)
        below = self._share, self._every, self._reason, box
        for widget in (self._heading, form, *below):
            if isinstance(widget, QFormLayout):
                layout.addLayout(widget)
            else:
                layout.addWidget(widget)
        if changed is not None:
            self._show_pin(edits.document.pins[changed])
        self._value.textEdited.connect(self._check)
        self._how.activated.connect(self._check)
        self._what.activated.connect(self._choose)
        self._share.toggled.connect(self._check)
        self._value.setFocus()
        self._value.selectAll()

    @property
    def _target(self) -> Target:
        return self._choices[self._what.currentIndex()][1]

    def _what_box(self) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName("pin.what")
        texts = (
            self.tr("This cell"),
            self.tr("Its row"),
            self.tr("Its column"),
            self.tr("The whole step"),
        )
        box.addItems(texts[: len(self._choices)])
        box.setVisible(len(self._choices) > 1)
        return box

    @Slot()
    def _choose(self) -> None:
        self._heading.setText(self._choices[self._what.currentIndex()][0])
        self._check()

    def _how_box(self) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName("pin.how")
        ways = {
            "set": self.tr("Set to"),
            "add": self.tr("Add"),
            "scale": self.tr("Scale by"),
        }
        for way, text in ways.items():
            box.addItem(text, way)
        return box

    def _show_pin(self, pin: Pin) -> None:
        self._how.setCurrentIndex(self._how.findData(pin.how))
        if isinstance(pin.value, float):
            self._value.setText(exact_text(pin.value))
        else:
            self._value.clear()
            self._value.setPlaceholderText(
                self.tr("{rows}×{columns} block").format(
                    rows=len(pin.value), columns=len(pin.value[0])
                )
            )
        self._share.setChecked(pin.rest == "share")
        self._every.setChecked(pin.head is None)

    def _pin(self) -> Pin:
        """Return the pin.

        Raises
        ------
        ValueError
            If the text is no number, or the pin does not fit.
        """
        pin, changed = self._target.pin(self._number()), self._changed
        return replace(
            pin,
            enabled=changed is None or self._edits.document.pins[changed].enabled,
            head=None if self._every.isChecked() else pin.head,
            how=self._how.currentData(),
            rest="share" if self._share.isChecked() else "leave",
        )

    def _number(self) -> ArrayLike:
        """Return what is typed, or the pin's block while nothing is."""
        text = self._value.text()
        if self._changed is not None and not text.strip():
            value = self._edits.document.pins[self._changed].value
            if not isinstance(value, float):
                return value
        return parse_number(text, infinite=True)

    @Slot()
    def _check(self) -> None:
        try:
            self._edit()
        except ValueError as error:
            self._reason.say(str(error))
        else:
            self._reason.say("")

    def _edit(self) -> Edit:
        label = self.tr("Pin {step}").format(step=self._target.step)
        if self._changed is None:
            return add_pins(self._edits.document, [self._pin()], label)
        return change_pin(self._edits.document, self._changed, self._pin(), label)

    @Slot()
    def _submit(self) -> None:
        try:
            self.submit(self._edit())
        except (EditError, ValueError) as error:
            self._reason.say(str(error))
            self._value.setFocus()
            return
        self.accept()
