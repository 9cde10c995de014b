"""Numbers that combine several tokens, and therefore cannot be pinned."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.cell_editor import begins_number

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)

_tr = translate_in("pins_combined")


def edits(event: QKeyEvent) -> bool:
    """Return whether a key edits a cell, or takes its pin away."""
    keys = event.key() in (*ENTER, *DELETE, Qt.Key.Key_F2)
    return keys or begins_number(event) or event.matches(QKeySequence.StandardKey.Paste)


def combined_words() -> str:
    """Return why the number of a folded group cannot be pinned."""
    return _tr(
        "This number combines those of several tokens. Open the groups of its row and "
        "column to pin one of them."
    )
