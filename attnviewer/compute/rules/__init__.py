"""Rules as expressions: weights of a row of scores, and terms of a score."""

from attnviewer.compute.expression import Named
from attnviewer.compute.rules.arrays import Rows, stays_masked, vanishes
from attnviewer.compute.rules.evaluation import Evaluation
from attnviewer.compute.rules.in_symbols import in_symbols, term_symbols
from attnviewer.compute.rules.symbols import (
    KEY,
    KEYS,
    QUERY,
    SCORE,
    SINK,
    Entry,
    IsAt,
    KeyCount,
    Reduction,
    RowMaximum,
    RowSum,
    RowWinner,
    Score,
    Sink,
    Symbol,
    Threshold,
    is_of_row,
    nodes,
    numbers_of_rows,
)
from attnviewer.compute.rules.thresholds import threshold
from attnviewer.compute.rules.written import WrittenRow

__all__ = [
    "KEY",
    "KEYS",
    "QUERY",
    "SCORE",
    "SINK",
    "Entry",
    "Evaluation",
    "IsAt",
    "KeyCount",
    "Named",
    "Reduction",
    "RowMaximum",
    "RowSum",
    "RowWinner",
    "Rows",
    "Score",
    "Sink",
    "Symbol",
    "Threshold",
    "WrittenRow",
    "in_symbols",
    "is_of_row",
    "nodes",
    "numbers_of_rows",
    "stays_masked",
    "term_symbols",
    "threshold",
    "vanishes",
]
