"""Colours that tell heads apart."""

from attnviewer.ui.paint.theme import Theme

# Chosen among all colours with a contrast of 3 to 1 on the theme's window as those
# that lie farthest apart in OKLab (Ottosson 2020) for normal sight, and for protan,
# deutan and tritan sight as Machado, Oliveira and Fernandes 2009 simulate it.
_LIGHT = (
    *("#0000ff", "#b68600", "#920c49", "#2492ce", "#004900", "#9e00b6"),
    *("#ff24c2", "#6d610c", "#9261ff", "#550c61", "#c24961", "#005579"),
)
_DARK = (
    *("#3d49ff", "#c2ff6d", "#ce0000", "#aa86c2", "#ffaa00", "#24e7ff"),
    *("#b600b6", "#559e6d", "#00aaff", "#c27900", "#92ce86", "#925579"),
)
DISTINCT = len(_LIGHT)
"""Heads with a colour of their own; beyond, the colours start over."""


def hue(theme: Theme, head: int) -> str:
    """Return the colour of a head's lines."""
    hues = _DARK if theme.dark else _LIGHT
    return hues[head % DISTINCT]
