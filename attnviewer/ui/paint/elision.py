"""Names that are shortened together."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF


def elided(names: Sequence[str], metrics: QFontMetricsF, width: float) -> list[str]:
    """Return names in a width, in which those that differ look different if possible.

    They lose their ends; where some would look alike, such as "token 0" and "token 1",
    they lose their middles.
    """
    shortened = dict.fromkeys(names, "")
    for mode in (Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle):
        for name in shortened:
            shortened[name] = metrics.elidedText(name, mode, width)
        if len(set(shortened.values())) == len(shortened):
            break
    return [shortened[name] for name in names]
