"""The labels that docks are made of: titles, remarks and sunken boxes."""

from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel

_INSIDE = 8
"""Room around the text of a box."""
SCROLL_BAR = 16
"""A width that scroll bars do not exceed."""
_Label = TypeVar("_Label", bound=QLabel)
_Box = TypeVar("_Box", bound="Box")


class Box(QLabel):
    """A label as wide as its column, whose links Tab visits one by one.

    It is measured as seldom as possible: Qt's own label lays a new text out about ten
    times to find widths that would suit it, and a scroll area asks for the height at
    one width after the other until its bar has room.
    """

    def __init__(self) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}

    def setText(self, text: str) -> None:
        if text != super().text():
            self.forget_heights()
            super().setText(text)

    def forget_heights(self) -> None:
        """Measure it anew where it is asked for its height."""
        self._heights.clear()

    def measured(self, width: int) -> int:
        """Return how high it has to be at a width."""
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
        # Backwards from its first link, Qt's label would keep the keys for ever.
        stayed = self.hasFocus() and self.selectionStart() == before
        return super(QLabel, self).focusNextPrevChild(forward) if stayed else True


def heading(name: str) -> QLabel:
    """Return the title of a section."""
    return _label(name, "heading")


def note(name: str) -> QLabel:
    """Return a muted remark."""
    note = _label(name, "muted")
    note.setWordWrap(True)
    return note


def plain_box(name: str) -> Box:
    """Return a sunken box whose text can be copied."""
    return sunken(Box(), name)


def sunken(box: _Box, name: str) -> _Box:
    """Make a box a sunken one whose text can be copied."""
    _made(box, name, "box")
    box.setWordWrap(True)
    # Not as padding in the style sheet, which a label would count twice as it wraps.
    box.setMargin(_INSIDE)
    box.setIndent(0)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return box


def _label(name: str, kind: str) -> QLabel:
    return _made(QLabel(), name, kind)


def _made(label: _Label, name: str, kind: str) -> _Label:
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    # The style sheet goes by what a label is for.
    label.setProperty("label", kind)
    return label
