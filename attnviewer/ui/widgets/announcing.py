"""What a screen reader says without being asked."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Have a text read out, although the keys are elsewhere.

    Parameters
    ----------
    widget : QWidget
        What shows the text.
    text : str
        One plain sentence.
    urgent : bool
        Whether it may interrupt what is being read.
    """
    if QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(widget, text)
        if urgent:
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)
