"""The colour maps on offer, all safe for the colour-blind."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

SEQUENTIAL = ("viridis", "cividis", "magma", "inferno", "CET-L1")
DIVERGING = ("RdBu", "CET-D4", "CET-CBD1")
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
