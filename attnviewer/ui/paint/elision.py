"""Names that are shortened together."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

_MODES = (
    Qt.TextElideMode.ElideRight,
    Qt.TextElideMode.ElideMiddle,
    Qt.TextElideMode.ElideLeft,
)


def elided(names: Sequence[str], metrics: QFontMetricsF, width: float) -> list[str]:
    """Return names in a width, in which those that differ look different if possible.

    They lose their ends. Where that makes some look alike, such as "token 0" and
    "token 1", they lose their middles or beginnings, if more of them differ then.
    """
    different = dict.fromkeys(names)
    best: dict[str, str] = {}
    for mode in _MODES:
        tried = {name: metrics.elidedText(name, mode, width) for name in different}
        if len({*tried.values()}) > len({*best.values()}):
            best = tried
        if len({*best.values()}) == len(different):
            break
    return [best[name] for name in names]
