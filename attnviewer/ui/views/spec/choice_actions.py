"""Actions of a menu that are choices, with their meaning or why they are disabled."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from attnviewer.ui.text.concepts import Concept, what_is
from attnviewer.ui.widgets.tool_tips import plain_tip


def check_only(menu: QMenu, data: object) -> None:
    """Check the action with some data, and no other."""
    for action in menu.actions():
        action.setChecked(action.data() == data)


def explain(action: QAction, concept: Concept) -> None:
    """Set a choice's tool tip and What's This text."""
    action.setProperty("meaning", concept.tip)
    action.setWhatsThis(what_is(action.text().replace("&", ""), concept))
    set_reason(action, "")


def offer(action: QAction, reason: str) -> None:
    """Enable an action, or disable it and give the reason in its tip."""
    action.setEnabled(not reason)
    set_reason(action, reason)


def set_reason(action: QAction, reason: str) -> None:
    """Give the reason in the tip, or else the meaning."""
    action.setToolTip(plain_tip(reason or action.property("meaning") or ""))
