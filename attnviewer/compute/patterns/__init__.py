"""Patterns in the attention of a head, and what a sparse kernel may leave out."""

from attnviewer.compute.patterns.budgets import Budget
from attnviewer.compute.patterns.cache import cache_bytes
from attnviewer.compute.patterns.costs import KeptCosts, kept_costs
from attnviewer.compute.patterns.counting import Sums
from attnviewer.compute.patterns.find import HeadPatterns, find_patterns
from attnviewer.compute.patterns.in_sight import RowsInSight
from attnviewer.compute.patterns.kept import (
    BlockSparse,
    Full,
    Kept,
    Streaming,
    VerticalSlash,
)
from attnviewer.compute.patterns.lines import SETS
from attnviewer.compute.patterns.marginals import Marginals
from attnviewer.compute.patterns.naming import DEFINITIONS
from attnviewer.compute.patterns.needles import Needle
from attnviewer.compute.patterns.reader import HeadWeights
from attnviewer.compute.patterns.running import Run, run_in_this_thread, run_in_threads
from attnviewer.compute.patterns.sizes import SetSizes
from attnviewer.compute.patterns.survey import COLUMNS, PatternSurvey, survey_patterns
from attnviewer.compute.patterns.top_k import TopK

__all__ = [
    "COLUMNS",
    "DEFINITIONS",
    "SETS",
    "BlockSparse",
    "Budget",
    "Full",
    "HeadPatterns",
    "HeadWeights",
    "Kept",
    "KeptCosts",
    "Marginals",
    "Needle",
    "PatternSurvey",
    "RowsInSight",
    "Run",
    "SetSizes",
    "Streaming",
    "Sums",
    "TopK",
    "VerticalSlash",
    "cache_bytes",
    "find_patterns",
    "kept_costs",
    "run_in_this_thread",
    "run_in_threads",
    "survey_patterns",
]
