"""The window's colours."""

from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark", "contrast"]
Part = Literal["query", "key", "value"]

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
