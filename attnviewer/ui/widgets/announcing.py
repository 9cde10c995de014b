"""Announcements for screen readers."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Have a screen reader read a text out, although the focus is elsewhere.

    Parameters
    ----------
    widget : QWidget
        What shows the text.
    text : str
        One plain sentence.
    urgent : bool
        Whether it may interrupt the screen reader.
    """
    if QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(widget, text)
        if urgent:
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)
