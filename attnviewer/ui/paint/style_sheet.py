"""The style sheet and the palette of a theme."""

import re
from dataclasses import asdict
from functools import cache
from string import Template

from PySide6.QtGui import QColor, QPalette

from attnviewer.paths import resource
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.theme import Theme

_EM = re.compile(r"\b(\d*\.?\d+)em\b")
_RADIO_RADIUS, _RADIO_RING = 0.58, 0.33
"""Radius of a radio button, and the width of its ring around the dot, in heights of the
font."""

_MENU_PADDING, _USUAL_EM = (5, 1), 13
"""The usual and the least padding above and below an item of a menu, in pixels, and the
font that the usual one is stated for."""


@cache
def style_sheet(theme: Theme, em: int) -> str:
    """Return the style sheet of a theme for a font of a height in pixels."""
    mono = ", ".join(f'"{family}"' for family in fixed_font().families())
    names = asdict(theme) | {"icons": resource("icons").as_posix(), "mono": mono}
    names |= _radio_button(theme, em) | {"menu_padding": _menu_padding(em)}
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


def _menu_padding(em: int) -> int:
    """Return the padding of menu items: less of it keeps large texts in one column."""
    most, least = _MENU_PADDING
    return max(least, round(most * min(1.0, _USUAL_EM / em) ** 3))


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
