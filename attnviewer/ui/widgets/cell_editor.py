"""The line edit of a cell."""

from typing import Literal

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tool_tips import plain_tip

_BESIDE_TEXT = 16
_ASIDE = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_AWAY = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_FIRST = frozenset("0123456789+-−.,=(")
"""What a number or a formula begins with."""

Leave = Literal["fill", "enter", "step", "stay"]
"""How a key leaves an editor: into all selected cells, down, as an arrow goes, or not
yet."""


def begins_number(event: QKeyEvent) -> bool:
    """Return whether a key types the beginning of a number."""
    held = event.modifiers() & (
        Qt.KeyboardModifier.ControlModifier
        | Qt.KeyboardModifier.AltModifier
        | Qt.KeyboardModifier.MetaModifier
    )
    return not held and event.text() in _FIRST


class CellEditor(QLineEdit):
    """Holds the text of a cell until it is committed or refused.

    It is as wide as its cell and grows with its text, up to the table's width.

    Attributes
    ----------
    typed : bool
        Whether typing opened it: as in Excel, arrows then leave the editor until F2 or
        a click makes them move within the text.
    """

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.setObjectName("cell.editor")
        self.setFrame(False)
        self._loaded: str | None = None
        self._cell = QRect()
        self._refused = False
        self.typed = False
        self.textEdited.connect(self.forgive)
        self.textChanged.connect(self._fit)

    @property
    def refused(self) -> bool:
        """Whether the text, as it stands, was refused."""
        return self._refused

    def load(self, text: str) -> None:
        """Load the cell's text, unless something is being typed.

        A table refreshes open editors whenever something near them changes, and the
        cell itself may change behind its editor; typed text must survive both. A
        refused text is replaced if its cell gets a new number.
        """
        if text == self._loaded:
            return
        self._loaded = text
        if self._refused or not self.isModified():
            self.forgive()
            self.setText(text)

    def refuse(self, reason: str) -> None:
        """Mark the text as refused."""
        self._mark(refused=True, reason=reason)

    @Slot()
    def forgive(self) -> None:
        """Remove the mark, as the text is no longer the refused one."""
        if self._refused:
            self._mark(refused=False, reason="")

    def lie_over(self, cell: QRect) -> None:
        """Cover a cell, given in coordinates of the table's viewport."""
        self._cell = cell
        self._fit()

    def leaving(self, event: QKeyEvent) -> Leave | None:
        """Return how a key leaves the editor; None if it is part of the text.

        F2 stays, and changes whether arrows leave.
        """
        key, modifiers = event.key(), event.modifiers()
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTER:
            control = modifiers & Qt.KeyboardModifier.ControlModifier
            return "fill" if control else "enter"
        if plain and (key in _AWAY or (key in _ASIDE and self.typed)):
            return "step"
        if plain and key == Qt.Key.Key_F2:
            self.typed = not self.typed
            return "stay"
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.typed = False
        super().mousePressEvent(event)

    @Slot()
    def _fit(self) -> None:
        text = self.fontMetrics().horizontalAdvance(self.text()) + _BESIDE_TEXT
        room = self._viewport.width()
        cell = self._cell
        width = max(cell.width(), min(text, room))
        # To the right as far as possible, then to the left.
        left = cell.left() if width == cell.width() else min(cell.left(), room - width)
        self.setGeometry(left, cell.top(), width, cell.height())

    def _mark(self, *, refused: bool, reason: str) -> None:
        self._refused = refused
        self.setToolTip(plain_tip(reason))
        self.setAccessibleDescription(reason)
        set_styled(self, "invalid", refused)
