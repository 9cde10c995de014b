"""Persistent settings of pictures."""

from dataclasses import replace

from attnviewer.ui.pictures.formats import WRITERS
from attnviewer.ui.pictures.style import PAPER, PRESETS, RESOLUTIONS, SCALES, Style
from attnviewer.ui.state.settings import own_settings

_FORMAT, _PRESET, _SCALE = "picture/format", "picture/preset", "picture/scale"
_RESOLUTION, _PAPER, _CAPTION = "picture/dpi", "picture/paper", "picture/caption"


def kept_format() -> str:
    """Return the format chosen last; PNG by default."""
    name = str(own_settings().value(_FORMAT))
    return name if name in WRITERS else "png"


def kept_style() -> Style:
    """Return the style of the last picture; invalid settings are ignored."""
    settings, style = own_settings(), Style()
    scale, resolution = str(settings.value(_SCALE)), str(settings.value(_RESOLUTION))
    return replace(
        style,
        preset=PRESETS.get(str(settings.value(_PRESET))),
        scale=next((s for s in SCALES if str(s) == scale), style.scale),
        resolution=next(
            (r for r in RESOLUTIONS if str(r) == resolution), style.resolution
        ),
        theme=PAPER if str(settings.value(_PAPER)) == "true" else None,
        caption=str(settings.value(_CAPTION)) == "true",
    )


def keep(format_: str, style: Style) -> None:
    """Store a format and a style for the next time."""
    settings = own_settings()
    for name, value in (
        (_FORMAT, format_),
        (_PRESET, "" if style.preset is None else style.preset.name),
        (_SCALE, str(style.scale)),
        (_RESOLUTION, str(style.resolution)),
        (_PAPER, "true" if style.theme is PAPER else "false"),
        (_CAPTION, "true" if style.caption else "false"),
    ):
        settings.setValue(name, value)
