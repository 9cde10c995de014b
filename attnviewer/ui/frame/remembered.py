"""Settings that are needed before the window is shown."""

from PySide6.QtCore import QByteArray, QRect
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.appearance import Appearance, known_choice, known_text_size
from attnviewer.ui.state.settings import own_settings

THEME, TEXT_SIZE, TOURED = "theme", "text_size", "toured"
GEOMETRY, LAYOUT = "window/geometry", "window/layout"
STEP, STEP_IN = "window/step", "window/step_in"


def recall(appearance: Appearance) -> None:
    """Apply the stored theme and text size.

    Best called before there is a window, which would have to be restyled.
    """
    settings = own_settings()
    appearance.set_text_size(known_text_size(settings.value(TEXT_SIZE)))
    appearance.choose(known_choice(settings.value(THEME)))


def restore_geometry(window: QWidget) -> bool:
    """Restore a window's geometry; return whether one was stored."""
    geometry = own_settings().value(GEOMETRY)
    return isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)


def recall_step_rect(window: QWidget) -> QRect | None:
    """Return the step's rectangle in a window of this size, if it is stored."""
    settings = own_settings()
    step, room = settings.value(STEP), settings.value(STEP_IN)
    if room != window.size() or not isinstance(step, QRect):
        return None
    return step if window.rect().contains(step) else None
