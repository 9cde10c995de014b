"""The program's own settings, independent of the host application."""

from PySide6.QtCore import QSettings

NAME = "attnviewer"
"""The name of the program and of its organisation."""


def own_settings() -> QSettings:
    """Return the settings, shared by windows opened from Python."""
    scope = QSettings.Scope.UserScope
    return QSettings(QSettings.defaultFormat(), scope, NAME, NAME)
