"""The labels used in docks: titles, notes and sunken boxes."""

from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel

_INSIDE = 8
"""Margin around the text of a box."""
SCROLL_BAR = 16
"""The largest width of a scroll bar."""
_Box = TypeVar("_Box", bound="Box")


class Box(QLabel):
    """A label as wide as its column; Tab visits its links one by one.

    It is measured as rarely as possible: Qt's own label lays a new text out about ten
    times to find suitable widths, and a scroll area asks for the height at several
    widths until its scroll bar fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}

    def setText(self, text: str) -> None:
        if text != super().text():
            self.forget_heights()
            super().setText(text)

    def forget_heights(self) -> None:
        """Discard the cached heights."""
        self._heights.clear()

    def measured(self, width: int) -> int:
        """Return the height it needs at a width."""
        return super().heightForWidth(width)

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            height = self._heights[width] = self.measured(width)
            narrowest = max(width - SCROLL_BAR, 1)
            narrowed = self._heights.get(width + 1) == height
            if narrowed and self.measured(narrowest) == height:
                between = range(narrowest, width)
                self._heights.update(dict.fromkeys(between, height))
        return self._heights[width]

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.forget_heights()

    def focusNextPrevChild(self, forward: bool) -> bool:
        before = self.selectionStart() if self.hasFocus() else None
        if not super().focusNextPrevChild(forward):
            return False
        # Going backwards from its first link, Qt's label would never release the focus.
        stayed = self.hasFocus() and self.selectionStart() == before
        return super(QLabel, self).focusNextPrevChild(forward) if stayed else True


def heading(name: str) -> QLabel:
    """Return a section title."""
    return _plain(name, "heading")


def note(name: str) -> QLabel:
    """Return a label for a muted note."""
    note = _plain(name, "muted")
    note.setWordWrap(True)
    return note


def plain_box(name: str) -> Box:
    """Return a sunken box of numbers whose text can be copied."""
    box = sunken(Box(), name)
    box.setProperty("numbers", True)
    return box


def sunken(box: _Box, name: str) -> _Box:
    """Make a box sunken and its text selectable."""
    box.setObjectName(name)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setProperty("label", "box")
    box.setWordWrap(True)
    # Not as padding in the style sheet, which a wrapping label would count twice.
    box.setMargin(_INSIDE)
    box.setIndent(0)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return box


def _plain(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    # The style sheet selects labels by role.
    label.setProperty(role, True)
    return label
