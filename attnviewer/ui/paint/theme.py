"""The window's colours and text size, and the style sheet made from them."""

import re
from dataclasses import asdict, dataclass
from functools import cache
from string import Template
from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication

from attnviewer.paths import resource
from attnviewer.ui.paint.fonts import add_symbols, fixed_font, scaled, text_font
from attnviewer.ui.paint.held_layouts import held_layouts

ThemeName = Literal["light", "dark", "contrast"]
ThemeChoice = Literal["system", "light", "dark", "contrast"]
Part = Literal["query", "key", "value"]

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The text sizes on offer, in percent of the system's."""
SYSTEM_SIZE = 100
MAGNIFIED = 1.5

_EM = re.compile(r"\b(\d*\.?\d+)em\b")
_RADIO_RADIUS, _RADIO_RING = 0.58, 0.33
"""Radius of a radio button, and the width of its ring around the dot, in heights of the
font."""
_WEIGHTS = "W", "b", "gain", "shift"
_PARTS: dict[str, Part] = {"Q": "query", "K": "key", "V": "value"}


def part_of(step: str) -> Part | None:
    """Return which of Q, K and V a step, its weight or its bias belongs to, if any."""
    kind, _, part = step.rpartition("_")
    return _PARTS.get(part if kind in _WEIGHTS else step)


@dataclass(frozen=True, slots=True)
class Theme:
    """The window's colours, by purpose."""

    name: ThemeName
    dark: bool
    """Whether texts are lighter than their ground."""
    window: str
    """Behind the centre."""
    surface: str
    """Docks, bars, cards."""
    sunken: str
    """Headers, formula boxes, masked cells."""
    stage: str
    """Behind the matrices of an operation."""
    editable: str
    """Background of cells that can be edited; of nothing else."""
    selected: str
    """Background of selected cells."""
    changed: str
    """The flash on cells that have just changed."""
    border: str
    """Lines between panels."""
    empty: str
    """Cells that are still to come, and what else recedes."""
    control: str
    """Borders of controls, and other marks that must be seen."""
    line: int
    """Width of borders, in pixels."""
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
    bar: str
    """Bars of statistics."""
    frame: str
    """The frame of the selected cell, and the halo beneath it."""
    halo: str
    positive: str
    """Bars of positive and of negative numbers."""
    negative: str
    quiet: str
    """The colour map of numbers from zero on that are no weights."""
    signed: str
    """The colour map of numbers around zero."""
    off_scale: str
    """Cells of NaN and of infinite numbers: far from the ground."""

    def color_of(self, step: str) -> str | None:
        """Return the colour of a step's name; None for most."""
        part = part_of(step)
        color: str | None = getattr(self, part) if part else None
        return color


LIGHT = Theme(
    name="light",
    dark=False,
    window="#f4f6f9",
    surface="#ffffff",
    sunken="#eef1f5",
    stage="#fafbfd",
    editable="#e9f0fd",
    selected="#dbe7fc",
    changed="#f5b400",
    border="#d5dbe3",
    empty="#d5dbe3",
    control="#768292",
    line=1,
    text="#18212b",
    muted="#52606f",
    accent="#1f5fd6",
    fill="#1f5fd6",
    on_fill="#ffffff",
    error="#b42318",
    error_surface="#fdecea",
    query="#1d5bd0",
    key="#b53c06",
    value="#0f7436",
    bar="#5f7ea8",
    frame="#0b1220",
    halo="#ffffff",
    positive="#2166ac",
    negative="#b2182b",
    quiet="quiet-light",
    signed="signed-light",
    off_scale="#2f3640",
)
DARK = Theme(
    name="dark",
    dark=True,
    window="#12161b",
    surface="#1a2028",
    sunken="#151a20",
    stage="#10141a",
    editable="#1d2b43",
    selected="#263a60",
    changed="#a87700",
    border="#323c48",
    empty="#323c48",
    control="#78869a",
    line=1,
    text="#e8ecf2",
    muted="#a5b0be",
    accent="#7aa7ff",
    fill="#7aa7ff",
    on_fill="#0d1522",
    error="#ff9b8f",
    error_surface="#3b1f1e",
    query="#7aa7ff",
    key="#ff9a5c",
    value="#5fd38a",
    bar="#7f9cc8",
    frame="#ffffff",
    halo="#0b0f14",
    positive="#7ab8ff",
    negative="#ff8f7a",
    quiet="quiet-dark",
    signed="signed-dark",
    off_scale="#f5f7fa",
)
CONTRAST = Theme(
    name="contrast",
    dark=False,
    window="#ffffff",
    surface="#ffffff",
    sunken="#ececec",
    stage="#ffffff",
    editable="#ffffff",
    selected="#cfe0ff",
    changed="#ffc400",
    border="#000000",
    empty="#d0d0d0",
    control="#000000",
    line=2,
    text="#000000",
    muted="#262626",
    accent="#0033aa",
    fill="#000000",
    on_fill="#ffffff",
    error="#8b0000",
    error_surface="#ffffff",
    query="#0033aa",
    key="#7d2400",
    value="#004d18",
    bar="#404040",
    frame="#000000",
    halo="#ffffff",
    positive="#0b3f8c",
    negative="#8b0014",
    quiet="quiet-contrast",
    signed="signed-light",
    off_scale="#000000",
)
THEMES: dict[ThemeName, Theme] = {
    "light": LIGHT,
    "dark": DARK,
    "contrast": CONTRAST,
}


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


@cache
def style_sheet(theme: Theme, em: int) -> str:
    """Return the style sheet of a theme for a font of a height in pixels."""
    mono = ", ".join(f'"{family}"' for family in fixed_font().families())
    names = asdict(theme) | {"icons": resource("icons").as_posix(), "mono": mono}
    names |= _radio_button(theme, em)
    templates = sorted(resource("styles").glob("*.qss.template"))
    sheets = (path.read_text(encoding="utf-8") for path in templates)
    sheet = "\n".join(Template(sheet).substitute(names) for sheet in sheets)
    # Qt has no font sizes in this unit.
    return _EM.sub(lambda match: f"{round(float(match[1]) * em)}px", sheet)


def _radio_button(theme: Theme, em: int) -> dict[str, int]:
    """Return the sizes of a radio button, which is as large with and without its dot.

    Only a radius of exactly half its side makes a circle of it.
    """
    radius, ring = round(_RADIO_RADIUS * em), round(_RADIO_RING * em)
    return {
        "radio_radius": radius,
        "radio_inside": 2 * (radius - theme.line),
        "radio_ring": ring,
        "radio_dot": 2 * (radius - ring),
    }


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
