"""The widths of the columns of statistics beside the rows."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF

from attnviewer.ui.views.step.heatmap.row_facts import Fact

BAR, SHORTEST_BAR = 8.0, 3.0
"""Usual and least length of the bar of the largest entropy, in widths of a digit."""
NUMBER = 7.0
"""Width of a number, in digits."""
SPAN = 13.0
"""Width of the smallest and the largest number, in digits."""
INDENT = 5.0
BETWEEN = 12.0
BARRED: tuple[Fact, ...] = "entropy", "span"
"""The statistics with a bar."""


@lru_cache(maxsize=32)
def width_of(name: Fact, heading: str, font: QFont, bar: float) -> float:
    """Return the width of a column, with bars of a length in digits."""
    metrics = QFontMetricsF(font)
    digit = metrics.horizontalAdvance("0")
    barred = bar * digit + INDENT if name in BARRED else 0.0
    numbers = {"entropy": 4.0, "span": SPAN}
    number = numbers.get(name, NUMBER) * digit
    return max(metrics.horizontalAdvance(heading), barred + number) + BETWEEN


def stretched(
    extents: dict[Fact, tuple[float, float]], free: float
) -> dict[Fact, tuple[float, float]]:
    """Return left edges and widths of columns of which that with a bar is wider."""
    wider: dict[Fact, tuple[float, float]] = {}
    moved = 0.0
    for name, (left, width) in extents.items():
        more = free if name in BARRED else 0.0
        wider[name] = left + moved, width + more
        moved += more
    return wider
