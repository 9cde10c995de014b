"""The labels that the Explain dock is made of."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

_INSIDE = 8
"""Room around the text of a box."""


def heading(name: str) -> QLabel:
    """Return the title of a section."""
    return _label(name, "heading")


def note(name: str) -> QLabel:
    """Return a muted remark."""
    note = _label(name, "muted")
    note.setWordWrap(True)
    return note


def plain_box(name: str) -> QLabel:
    """Return a sunken box whose text can be copied."""
    box = _label(name, "box")
    box.setWordWrap(True)
    # Not as padding in the style sheet, which a label would count twice as it wraps.
    box.setMargin(_INSIDE)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return box


def _label(name: str, kind: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    # The style sheet goes by what a label is for.
    label.setProperty("explain", kind)
    return label
