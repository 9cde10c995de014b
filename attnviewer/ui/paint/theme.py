"""The window's colours and text size, and the style sheet made from them."""

import re
from dataclasses import asdict, dataclass
from string import Template
from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from attnviewer.paths import resource
from attnviewer.ui.paint.fonts import add_symbols, scaled

ThemeName = Literal["light", "dark"]
ThemeChoice = Literal["system", "light", "dark"]
Part = Literal["query", "key", "value"]

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The text sizes on offer, in percent of the system's."""
SYSTEM_SIZE = 100
MAGNIFIED = 1.5

_EM = re.compile(r"\b(\d*\.?\d+)em\b")
_PARTS: dict[str, Part] = {"Q": "query", "K": "key", "V": "value"}


def part_of(step: str) -> Part | None:
    """Return which of Q, K and V a step, its weight or its bias belongs to, if any."""
    return _PARTS.get(step.removeprefix("W_").removeprefix("b_"))


@dataclass(frozen=True, slots=True)
class Theme:
    """The window's colours, by purpose."""

    name: ThemeName
    window: str
    """Behind the centre."""
    surface: str
    """Docks, bars, cards."""
    sunken: str
    """Headers, formula boxes."""
    editable: str
    """Background of cells that can be edited; of nothing else."""
    selected: str
    """Background of selected cells."""
    changed: str
    """The flash on cells that have just changed."""
    border: str
    text: str
    muted: str
    accent: str
    """Highlighted texts, lines and frames."""
    fill: str
    """Highlighted background, and the text on it."""
    on_fill: str
    error: str
    error_surface: str
    query: str
    key: str
    value: str
    hatch: str
    """Masked cells."""
    undefined: str
    """NaN cells."""

    def color_of(self, step: str) -> str | None:
        """Return the colour of a step's name; None for most."""
        part = part_of(step)
        color: str | None = getattr(self, part) if part else None
        return color


LIGHT = Theme(
    name="light",
    window="#f5f7fa",
    surface="#ffffff",
    sunken="#f3f5f8",
    editable="#eaf1fd",
    selected="#c7dbfb",
    changed="#f5b400",
    border="#d9dee5",
    text="#1f2933",
    muted="#5f6b7a",
    accent="#2a66d8",
    fill="#2a66d8",
    on_fill="#ffffff",
    error="#b42318",
    error_surface="#fdecea",
    query="#2563d9",
    key="#c2410c",
    value="#15803d",
    hatch="#9aa5b1",
    undefined="#d6409f",
)
DARK = Theme(
    name="dark",
    window="#12161b",
    surface="#1b2129",
    sunken="#151a20",
    editable="#1f2d45",
    selected="#33507f",
    changed="#a87700",
    border="#323b46",
    text="#e6eaf0",
    muted="#98a4b3",
    accent="#5b8ff2",
    fill="#2f6bdf",
    on_fill="#ffffff",
    error="#ff9b8f",
    error_surface="#3b1f1e",
    query="#7aa7ff",
    key="#ff9a5c",
    value="#5fd38a",
    hatch="#66717f",
    undefined="#f472b6",
)
THEMES: dict[ThemeName, Theme] = {"light": LIGHT, "dark": DARK}


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
    """

    changed = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        # Only once: setting a style again restyles all windows.
        application.setStyle("Fusion")
        add_symbols()
        self._application = application
        self._choice: ThemeChoice = "system"
        self._theme = LIGHT
        self._in_force: tuple[Theme, int] | None = None
        self._system_font = application.font()
        self._text_size = SYSTEM_SIZE
        self._magnified = False
        application.styleHints().colorSchemeChanged.connect(self._follow)
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
        self._choice = choice
        self._follow()

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

    def magnify(self, *, on: bool) -> None:
        """Enlarge all texts by half, or as far as possible; or undo that."""
        if on != self._magnified:
            self._magnified = on
            self._scale()

    def _scale(self) -> None:
        factor = MAGNIFIED if self._magnified else 1.0
        percent = min(self._text_size * factor, TEXT_SIZES[-1])
        self._application.setFont(scaled(self._system_font, percent / 100))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self._choice == "system":
            scheme = self._application.styleHints().colorScheme()
            theme = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
        else:
            theme = THEMES[self._choice]
        em = QFontInfo(self._application.font()).pixelSize()
        # Setting a style sheet is expensive, even the same one again.
        if self._in_force == (theme, em):
            return
        self._in_force = theme, em
        self._theme = theme
        self._application.setPalette(palette_of(theme))
        self._application.setStyleSheet(style_sheet(theme, em))
        self.changed.emit()


def _possible_sizes() -> range:
    return range(TEXT_SIZES[0], TEXT_SIZES[-1] + 1)


def style_sheet(theme: Theme, em: int) -> str:
    """Return the style sheet of a theme for a font of a height in pixels."""
    names = asdict(theme) | {"icons": resource("icons").as_posix()}
    templates = sorted(resource("styles").glob("*.qss.template"))
    sheets = (path.read_text(encoding="utf-8") for path in templates)
    sheet = "\n".join(Template(sheet).substitute(names) for sheet in sheets)
    # Qt has no font sizes in this unit.
    return _EM.sub(lambda match: f"{round(float(match[1]) * em)}px", sheet)


def palette_of(theme: Theme) -> QPalette:
    """Return the palette for widgets that the style sheet does not cover."""
    palette = QPalette()
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.surface,
        role.Base: theme.surface,
        role.AlternateBase: theme.sunken,
        role.Button: theme.surface,
        role.WindowText: theme.text,
        role.Text: theme.text,
        role.ButtonText: theme.text,
        role.ToolTipBase: theme.surface,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.fill,
        role.HighlightedText: theme.on_fill,
        role.Link: theme.accent,
    }
    for key, color in colors.items():
        palette.setColor(key, QColor(color))
    disabled = QPalette.ColorGroup.Disabled
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(disabled, key, QColor(theme.muted))
    return palette
