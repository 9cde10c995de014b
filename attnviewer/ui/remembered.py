"""What is kept from one start to the next."""

from PySide6.QtCore import QByteArray, QObject, QRect, Slot

from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.own_settings import own_settings
from attnviewer.ui.theme import Appearance, known_choice, known_text_size

_THEME, _TEXT_SIZE, _TOURED = "theme", "text_size", "toured"
_GEOMETRY, _LAYOUT = "window/geometry", "window/layout"
_STEP, _STEP_IN = "window/step", "window/step_in"


def recall(appearance: Appearance) -> None:
    """Put the theme and the text size in force that were kept.

    Best before there is a window, which would have to be styled anew.
    """
    settings = own_settings()
    appearance.set_text_size(known_text_size(settings.value(_TEXT_SIZE)))
    appearance.choose(known_choice(settings.value(_THEME)))


def recall_place(window: MainWindow) -> bool:
    """Put a window where it was; tell whether it was anywhere."""
    geometry = own_settings().value(_GEOMETRY)
    return isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)


def recall_step(window: MainWindow) -> QRect | None:
    """Return where the step was in a window of this size, if that is known."""
    settings = own_settings()
    step, room = settings.value(_STEP), settings.value(_STEP_IN)
    if room != window.size() or not isinstance(step, QRect):
        return None
    return step if window.rect().contains(step) else None


class Remembered(QObject):
    """Theme, text size, the window's place and its docks, and whether it was shown.

    Settings that cannot be read, of another version or another screen, are as good
    as none.

    Parameters
    ----------
    window : MainWindow
        The window, filled; its docks are put where they were, and what it is like is
        kept when it closes.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settings = own_settings()
        layout = self._settings.value(_LAYOUT)
        if layout is not None:
            window.docks.restore(layout)
        window.closing.connect(self._keep)
        window.tour.ended.connect(self._keep_toured)

    @property
    def toured(self) -> bool:
        """Whether the tour has been taken, or ended by the person."""
        return str(self._settings.value(_TOURED)) == "true"

    @Slot()
    def _keep(self) -> None:
        window = self._window
        for name, value in (
            (_THEME, window.appearance.choice),
            (_TEXT_SIZE, window.appearance.text_size),
            (_GEOMETRY, window.saveGeometry()),
            (_LAYOUT, window.docks.layout_state()),
            (_STEP, window.step_place),
            (_STEP_IN, window.size()),
        ):
            self._settings.setValue(name, value)

    @Slot()
    def _keep_toured(self) -> None:
        self._settings.setValue(_TOURED, "true")
