"""Which changes of the focus are those of a user."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent


def moves_focus(event: QFocusEvent) -> bool:
    """Return whether the focus moves, not only to a popup or another window and back.

    Parameters
    ----------
    event : QFocusEvent
        The focus comes or goes.
    """
    return event.reason() not in (
        Qt.FocusReason.ActiveWindowFocusReason,
        Qt.FocusReason.PopupFocusReason,
    )
