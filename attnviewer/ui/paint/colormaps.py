"""The colour maps, all safe for the colour-blind: those on offer, and the themes'."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

SEQUENTIAL = ("viridis", "cividis", "magma", "inferno", "CET-L1")
DIVERGING = ("RdBu", "CET-D4", "CET-CBD1")
BLENDS = {
    "quiet-light": ("#f1f4f8", "#8497b0"),
    "quiet-dark": ("#1d252f", "#8fa2bd"),
    "quiet-contrast": ("#ffffff", "#6b6b6b"),
    # ColorBrewer's RdBu.
    "signed-light": (
        *("#67001f", "#b2182b", "#d6604d", "#f4a582", "#fddbc7", "#f7f7f7"),
        *("#d1e5f0", "#92c5de", "#4393c3", "#2166ac", "#053061"),
    ),
    "signed-dark": ("#ff8f7a", "#171c23", "#7ab8ff"),
}
"""Maps that go straight from colour to colour, chosen by theme only: negative numbers
are red, positive ones blue."""
_TITLES: dict[str, object] = {
    "viridis": QT_TRANSLATE_NOOP("Colours", "Viridis"),
    "cividis": QT_TRANSLATE_NOOP("Colours", "Cividis"),
    "magma": QT_TRANSLATE_NOOP("Colours", "Magma"),
    "inferno": QT_TRANSLATE_NOOP("Colours", "Inferno"),
    "CET-L1": QT_TRANSLATE_NOOP("Colours", "Grey"),
    "RdBu": QT_TRANSLATE_NOOP("Colours", "Blue – white – red"),
    "CET-D4": QT_TRANSLATE_NOOP("Colours", "Blue – black – red"),
    "CET-CBD1": QT_TRANSLATE_NOOP("Colours", "Blue – white – yellow"),
}


def map_title(name: str) -> str:
    """Return the title of a colour map."""
    return QCoreApplication.translate("Colours", str(_TITLES[name]))
