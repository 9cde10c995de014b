"""The fonts of figures, and the widths of texts in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF

from attnviewer.ui.paint.elision import elided
from attnviewer.ui.paint.fonts import add_symbols

GENERIC = ("sans", "serif")
"""Fonts that every system has."""
_PREFERRED = {
    "sans": ("Helvetica", "Arial", "Liberation Sans", "Nimbus Sans"),
    "serif": ("Times New Roman", "Times", "Liberation Serif", "Nimbus Roman"),
}
_MEASURED = 1000
"""Pixels of the font that widths are measured in."""
_REMEMBERED = 2**18
"""The most texts whose size is cached, as of the tokens of a long sequence."""
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Typeface:
    """A family of fonts.

    Parameters
    ----------
    family : str
        The name of an installed family.
    generic : str
        ``sans`` or ``serif``: what replaces it where it is not installed.
    """

    family: str
    generic: str = "sans"

    def font(self, pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
        """Return a font whose size is in pixels of the paint device."""
        font = QFont(self.family)
        font.setPixelSize(max(1, round(pixels)))
        font.setBold(bold)
        font.setItalic(italic)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        # A painter would take the features of the application's font.
        font.setFeature(QFont.Tag("tnum"), 0)
        return font

    def width(
        self, text: str, size: float, *, bold: bool = False, italic: bool = False
    ) -> float:
        """Return how wide a line of text is."""
        return _width(self.family, bold, italic, text) * size

    def rise(self, texts: Iterable[str], size: float) -> float:
        """Return how far the tallest of some texts reaches above its baseline."""
        return (
            max((_extent(self.family, text)[0] for text in texts), default=0.0) * size
        )

    def drop(self, texts: Iterable[str], size: float) -> float:
        """Return how far the deepest of some texts reaches below its baseline."""
        return (
            max((_extent(self.family, text)[1] for text in texts), default=0.0) * size
        )

    def elided(self, text: str, size: float, room: float) -> str:
        """Return a text cut at its end, so that it fits in a width."""
        if self.width(text, size) <= room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            cut = text[:middle].rstrip() + _ELLIPSIS
            if self.width(cut, size) <= room:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + _ELLIPSIS

    def all_elided(
        self, names: Sequence[str], size: float, room: float
    ) -> tuple[str, ...]:
        """Return names cut to a width, in which different ones look different."""
        cut = tuple(self.elided(name, size, room) for name in names)
        if len({*cut}) == len({*names}):
            return cut
        metrics = _metrics(self.family, False, False)
        return tuple(elided(names, metrics, room / size * _MEASURED))


@dataclass(frozen=True, slots=True)
class Typefaces:
    """The two fonts of a figure.

    Parameters
    ----------
    labels : Typeface
        That of everything but the caption.
    caption : Typeface
        That of the caption.
    """

    labels: Typeface
    caption: Typeface

    @classmethod
    def of(cls, name: str) -> "Typefaces":
        """Return the fonts of figures whose labels are in a font; see `typeface`."""
        return cls(typeface(name), typeface("serif"))


def typeface(name: str) -> Typeface:
    """Return the typeface of a name.

    Parameters
    ----------
    name : str
        ``sans``, ``serif``, or an installed family in any case.

    Raises
    ------
    ValueError
        If no such font is installed; names the nearest.
    """
    add_symbols()
    if name in GENERIC:
        return Typeface(_installed(name), name)
    families = {family.casefold(): family for family in QFontDatabase.families()}
    found = families.get(name.strip().casefold())
    if found is None:
        near = get_close_matches(name.casefold(), families, 3, 0.4)
        names = ", ".join([*GENERIC, *(families[key] for key in near)])
        raise ValueError(
            f"The 'font' must be installed, such as {names}. Got {name!r} instead."
        )
    is_serif = "serif" in found.casefold() or QFontInfo(QFont(found)).styleHint() in (
        QFont.StyleHint.Serif,
    )
    return Typeface(found, "serif" if is_serif else "sans")


@cache
def _installed(generic: str) -> str:
    families = set(QFontDatabase.families())
    for family in _PREFERRED[generic]:
        if family in families:
            return family
    return QFontInfo(
        QFont(f"{generic}-serif" if generic == "sans" else generic)
    ).family()


@lru_cache(maxsize=8)
def _metrics(family: str, bold: bool, italic: bool) -> QFontMetricsF:
    return QFontMetricsF(Typeface(family).font(_MEASURED, bold=bold, italic=italic))


@lru_cache(maxsize=_REMEMBERED)
def _width(family: str, bold: bool, italic: bool, text: str) -> float:
    return _metrics(family, bold, italic).horizontalAdvance(text) / _MEASURED


@lru_cache(maxsize=_REMEMBERED)
def _extent(family: str, text: str) -> tuple[float, float]:
    bounds = _metrics(family, False, False).tightBoundingRect(text)
    return -bounds.top() / _MEASURED, bounds.bottom() / _MEASURED
