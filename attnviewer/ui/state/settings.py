"""What the program remembers, whichever application its window is in."""

from PySide6.QtCore import QSettings

NAME = "attnviewer"
"""Of the program, and of who makes it."""


def own_settings() -> QSettings:
    """Return the settings, which a window opened from Python has in common with all."""
    scope = QSettings.Scope.UserScope
    return QSettings(QSettings.defaultFormat(), scope, NAME, NAME)
