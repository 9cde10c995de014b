"""Rules for a row of scores as expressions, and what follows from them."""

from attnviewer.compute.rules.arrays import Rows, vanishes
from attnviewer.compute.rules.in_symbols import in_symbols
from attnviewer.compute.rules.symbols import (
    KEYS,
    SCORE,
    IsAt,
    KeyCount,
    Named,
    Reduction,
    RowMaximum,
    RowSum,
    RowWinner,
    Score,
    Threshold,
    is_of_row,
    nodes,
    numbers_of_rows,
)
from attnviewer.compute.rules.thresholds import threshold
from attnviewer.compute.rules.written import WrittenRow

__all__ = [
    "KEYS",
    "SCORE",
    "IsAt",
    "KeyCount",
    "Named",
    "Reduction",
    "RowMaximum",
    "RowSum",
    "RowWinner",
    "Rows",
    "Score",
    "Threshold",
    "WrittenRow",
    "in_symbols",
    "is_of_row",
    "nodes",
    "numbers_of_rows",
    "threshold",
    "vanishes",
]
