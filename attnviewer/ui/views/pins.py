"""The list of pins: switched off and on, changed, and removed."""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Pin
from attnviewer.document import EditError
from attnviewer.document.pins import enable_pins, remove_pins
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.concepts import IDEAS, idea_title, what_is
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll


class PinsPanel(QWidget):
    """Lists the pins of the open document.

    Parameters
    ----------
    workbench : Workbench
        The open document.
    text_of : callable
        Returns a pin in words.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    heading : QWidget
        The number of pins, in one line.
    adding : Signal
        The user wants to pin the selected cells.
    changing : Signal
        The number of a pin that the user wants to change.
    chosen : Signal
        The number of a pin that the user goes to.
    comparing : Signal
        The user wants to compare with the state without pins.
    refused : Signal
        Why a pin stays off, and where it is on the screen.
    """

    adding = Signal()
    changing = Signal(int)
    chosen = Signal(int)
    comparing = Signal()
    refused = Signal(str, QRect)

    def __init__(
        self,
        workbench: Workbench,
        text_of: Callable[[Pin], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pins")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workbench, self._text_of = workbench, text_of
        self._rows: list[tuple[str, bool]] = []
        self._count = ElidedLabel("pins.count")
        self.heading = heading_row(QLabel(self.tr("Pins")), self._count, self)
        concept = IDEAS["pin"][1]
        self.setWhatsThis(what_is(idea_title("pin"), concept))
        self.heading.setWhatsThis(self.whatsThis())
        self.heading.setToolTip(concept.tip)
        empty = EmptyState("pins")
        empty.say(
            self.tr(
                "A pin sets a number of a step; everything after it follows. Select "
                "cells and type over them, or choose Pin…"
            )
        )
        # In a low panel the text scrolls, or it would squeeze the buttons.
        scroll = VerticalScroll("pins.scroll")
        scroll.setWidget(empty)
        self._list = _List(self)
        self._stack = QStackedWidget(self)
        for page in (scroll, self._list):
            self._stack.addWidget(page)
        self._list.itemChanged.connect(self._switch)
        self._list.itemActivated.connect(self._change)
        self._list.removing.connect(self._remove)
        self._list.currentRowChanged.connect(self._go)
        self._list.itemClicked.connect(self._go)
        self._add = self._button("pins.add", self.tr("Pin…"))
        self._edit = self._button("pins.change", self.tr("Change…"))
        self._take = self._button("pins.remove", self.tr("Remove"))
        self._clear = self._button("pins.clear", self.tr("Remove all"))
        self._add.clicked.connect(self.adding)
        self._edit.clicked.connect(self._change)
        self._take.clicked.connect(self._remove)
        self._clear.clicked.connect(self._remove_all)
        self._compare = self._button(
            "pins.compare", self.tr("Show what the pins change")
        )
        self._compare.setToolTip(
            self.tr("Compare with “without pins” in the Difference view")
        )
        self._compare.clicked.connect(self.comparing)
        # Two in a row, as the panel is narrow.
        buttons = QGridLayout()
        buttons.setContentsMargins(12, 6, 12, 8)
        buttons.setSpacing(6)
        four = self._add, self._edit, self._take, self._clear
        for place, button in enumerate(four):
            buttons.addWidget(button, place // 2, place % 2)
        buttons.addWidget(self._compare, 2, 0, 1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self._stack, 1)
        layout.addLayout(buttons)
        edits = workbench.edits
        for signal in (edits.indexChanged, edits.activeStackChanged):
            signal.connect(self._show)
        # The cells' names may follow from an edit that is being computed.
        workbench.engine.computed.connect(self._show)
        self._show()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        return button

    @Slot()
    def _show(self) -> None:
        pins = self._workbench.document.pins
        rows = [(self._text_of(pin), pin.enabled) for pin in pins]
        if rows != self._rows:
            self._rows = rows
            self._list.show_rows(rows)
        self._count.setText(self._summary())
        self._stack.setCurrentIndex(1 if pins else 0)
        self._clear.setEnabled(bool(pins))
        self._compare.setEnabled(any(pin.enabled for pin in pins))
        self._follow_current()

    def _summary(self) -> str:
        pins = self._workbench.document.pins
        if not pins:
            return self.tr("none")
        one, many = self.tr("1 pin"), self.tr("{count} pins")
        count = one if len(pins) == 1 else many.format(count=len(pins))
        off = sum(not pin.enabled for pin in pins)
        text = self.tr("{count}, {off} off").format(count=count, off=off)
        return text if off else count

    @Slot()
    def _go(self) -> None:
        self._follow_current()
        row = self._list.currentRow()
        if 0 <= row < len(self._workbench.document.pins):
            self.chosen.emit(row)

    @Slot()
    def _follow_current(self) -> None:
        for button in (self._edit, self._take):
            button.setEnabled(self._list.currentRow() >= 0)

    @Slot(QListWidgetItem)
    def _switch(self, item: QListWidgetItem) -> None:
        enabled = item.checkState() == Qt.CheckState.Checked
        row = self._list.row(item)
        label = self.tr("Switch pin on") if enabled else self.tr("Switch pin off")
        edits = self._workbench.edits
        try:
            edits.submit(enable_pins(self._workbench.document, [row], enabled, label))
        except EditError as error:
            self._list.show_rows(self._rows)
            self.refused.emit(str(error), self._list.place_of(row))

    @Slot()
    def _change(self) -> None:
        self.changing.emit(self._list.currentRow())

    @Slot()
    def _remove(self) -> None:
        self._submit_removal([self._list.currentRow()], self.tr("Unpin"))

    @Slot()
    def _remove_all(self) -> None:
        count = len(self._workbench.document.pins)
        self._submit_removal(list(range(count)), self.tr("Remove all pins"))

    def _submit_removal(self, rows: list[int], label: str) -> None:
        document = self._workbench.document
        self._workbench.edits.submit(remove_pins(document, rows, label))


class _List(QListWidget):
    """The pins, with check boxes.

    Attributes
    ----------
    removing : Signal
        The user pressed Delete on a pin.
    """

    removing = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pins.list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Pins"))
        self.setAccessibleDescription(
            self.tr("Space switches a pin, Enter changes it, Delete removes it.")
        )

    def show_rows(self, rows: list[tuple[str, bool]]) -> None:
        """List texts, and whether each is checked; the current row stays."""
        current = self.currentRow()
        self.blockSignals(True)
        self.clear()
        for text, checked in rows:
            item = QListWidgetItem(text)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
            item.setCheckState(state)
            item.setToolTip(text)
            self.addItem(item)
        self.setCurrentRow(min(max(current, 0), len(rows) - 1))
        self.blockSignals(False)

    def place_of(self, row: int) -> QRect:
        """Return where a pin is on the screen."""
        place = self.visualItemRect(self.item(row))
        corner = self.viewport().mapToGlobal(place.topLeft())
        return QRect(corner, place.size())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if self.currentRow() >= 0:
                self.removing.emit()
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentItem() is not None:
                self.itemActivated.emit(self.currentItem())
            event.accept()
        else:
            super().keyPressEvent(event)
