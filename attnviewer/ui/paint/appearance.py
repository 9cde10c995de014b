"""The theme and the text size of the application."""

from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontInfo, QStyleHints
from PySide6.QtWidgets import QApplication

from attnviewer.ui.paint.fonts import add_symbols, scaled, text_font
from attnviewer.ui.paint.held_layouts import held_layouts
from attnviewer.ui.paint.style_sheet import palette_of, style_sheet
from attnviewer.ui.paint.theme import CONTRAST, DARK, LIGHT, THEMES, Theme

ThemeChoice = Literal["system", "light", "dark", "contrast"]

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The text sizes on offer, in percent of the system's."""
SYSTEM_SIZE = 100
MAGNIFIED = 1.5


def known_choice(name: object) -> ThemeChoice:
    """Return the choice with this name; that of the system for an unknown name."""
    choices: tuple[ThemeChoice, ...] = get_args(ThemeChoice)
    return next((choice for choice in choices if choice == name), "system")


def known_text_size(size: object) -> int:
    """Return the text size of a setting; that of the system if it is invalid."""
    try:
        percent = int(str(size))
    except ValueError:
        return SYSTEM_SIZE
    return percent if percent in _possible_sizes() else SYSTEM_SIZE


class Appearance(QObject):
    """The current theme and text size: chosen by the user, or the system's.

    Texts are scaled through the application's font. Widgets with text take their sizes
    from font metrics, and style sheets from the unit ``em``, the font's height.

    Attributes
    ----------
    changed : Signal
        The theme or the text size has changed; views that paint must repaint.
    chosen : Signal
        The user has chosen a theme or a text size.
    """

    changed = Signal()
    chosen = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        # Only once: setting a style again restyles all windows.
        application.setStyle("Fusion")
        add_symbols()
        self._application = application
        self._choice: ThemeChoice = "system"
        self._theme = LIGHT
        self._in_force: tuple[Theme, QFont] | None = None
        self._system_font = self._font = text_font(application.font())
        self._text_size = SYSTEM_SIZE
        self._magnified = False
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        # Qt tells it from 6.10 on.
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self._follow)
        self._follow()

    @staticmethod
    def theme_in_force() -> Theme:
        """Return the application's theme; the light one before any is set."""
        application = QApplication.instance()
        appearance = application and application.findChild(Appearance)
        return appearance.theme if appearance else LIGHT

    @property
    def theme(self) -> Theme:
        """The current theme."""
        return self._theme

    @property
    def choice(self) -> ThemeChoice:
        """The user's choice."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Apply a theme, or follow the system."""
        if choice != self._choice:
            self._choice = choice
            self._follow()
            self.chosen.emit()

    @property
    def text_size(self) -> int:
        """The text size, in percent of the system's."""
        return self._text_size

    def set_text_size(self, percent: int) -> None:
        """Scale all texts.

        Raises
        ------
        ValueError
            If the size is out of range.
        """
        sizes = _possible_sizes()
        if percent not in sizes:
            raise ValueError(
                f"The 'text_size' must be from {sizes[0]} to {sizes[-1]}. "
                f"Got {percent} instead."
            )
        if percent != self._text_size:
            self._text_size = percent
            self._scale()
            self.chosen.emit()

    def magnify(self, *, on: bool) -> None:
        """Enlarge all texts by half, or as far as possible; or undo that."""
        if on != self._magnified:
            self._magnified = on
            self._scale()

    def _scale(self) -> None:
        factor = MAGNIFIED if self._magnified else 1.0
        percent = min(self._text_size * factor, TEXT_SIZES[-1])
        self._font = scaled(self._system_font, percent / 100)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self._choice == "system":
            theme = theme_of_system(self._application.styleHints())
        else:
            theme = THEMES[self._choice]
        wanted = theme, self._font
        # Setting a style sheet is expensive, even the same one again.
        if self._in_force == wanted:
            return
        self._in_force = wanted
        self._theme = theme
        application = self._application
        # To replace one takes Qt at least twice as long as to begin anew. Were the font
        # set before the old one goes, some widgets would keep their former sizes.
        with held_layouts():
            application.setStyleSheet("")
            application.setFont(self._font)
            application.setPalette(palette_of(theme))
            em = QFontInfo(self._font).pixelSize()
            application.setStyleSheet(style_sheet(theme, em))
        self.changed.emit()


def theme_of_system(hints: QStyleHints) -> Theme:
    """Return the theme that suits the system's settings."""
    if hasattr(hints, "accessibility"):
        wanted = hints.accessibility().contrastPreference()
        if wanted == Qt.ContrastPreference.HighContrast:
            return CONTRAST
    return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT


def _possible_sizes() -> range:
    return range(TEXT_SIZES[0], TEXT_SIZES[-1] + 1)
