"""Persistent settings of pictures."""

import math

from attnviewer.ui.figures.style import RESOLUTIONS, WIDTHS_MM, FigureStyle
from attnviewer.ui.pictures.choice import PictureChoice
from attnviewer.ui.pictures.formats import WRITERS
from attnviewer.ui.pictures.style import PAPER, SCALES, Style
from attnviewer.ui.state.settings import own_settings

_FORMAT, _KIND = "picture/format", "picture/kind"
_SCALE, _PAPER = "picture/scale", "picture/paper"
_WIDTH, _FONT, _DPI = "picture/width", "picture/font", "picture/dpi"
_OUTLINES, _CAPTION = "picture/outlines", "picture/caption"
_DARK, _CELL = "picture/dark", "picture/cell"


def kept_format() -> str:
    """Return the format chosen last; PNG by default."""
    name = str(own_settings().value(_FORMAT))
    return name if name in WRITERS else "png"


def kept_choice() -> PictureChoice:
    """Return what was chosen last; invalid settings are ignored."""
    settings, usual = own_settings(), FigureStyle()
    scale = str(settings.value(_SCALE))
    width, dpi = _number(_WIDTH), _number(_DPI)
    font = settings.value(_FONT)
    return PictureChoice(
        "view" if str(settings.value(_KIND)) == "view" else "figure",
        FigureStyle(
            width if WIDTHS_MM[0] <= width <= WIDTHS_MM[1] else None,
            font if isinstance(font, str) and font else usual.font,
            _is_on(_OUTLINES),
            _is_on(_CAPTION),
            _is_on(_DARK),
            round(dpi) if RESOLUTIONS[0] <= dpi <= RESOLUTIONS[1] else usual.dpi,
        ),
        _is_on(_CELL),
        Style(
            next((s for s in SCALES if str(s) == scale), Style().scale),
            PAPER if _is_on(_PAPER) else None,
        ),
    )


def keep(format_: str, choice: PictureChoice) -> None:
    """Store a format and a choice for the next time."""
    settings, figure = own_settings(), choice.figure
    for name, value in (
        (_FORMAT, format_),
        (_KIND, choice.kind),
        (_SCALE, str(choice.view.scale)),
        (_WIDTH, "" if figure.width_mm is None else str(figure.width_mm)),
        (_FONT, figure.font),
        (_DPI, str(figure.dpi)),
    ):
        settings.setValue(name, value)
    for name, is_on in (
        (_PAPER, choice.view.theme is PAPER),
        (_OUTLINES, figure.outlines),
        (_CAPTION, bool(figure.caption)),
        (_DARK, figure.dark),
        (_CELL, choice.with_cell),
    ):
        settings.setValue(name, "true" if is_on else "false")


def _is_on(name: str) -> bool:
    return str(own_settings().value(name)) == "true"


def _number(name: str) -> float:
    try:
        return float(str(own_settings().value(name)))
    except ValueError:
        return math.nan
