"""Where the attention of a head goes, and what a sparse kernel may leave out.

``survey_patterns(trace)`` finds the patterns of all heads, ``find_patterns(weights)``
that of one, and ``kept_costs(weights, kept, values)`` what leaving cells out changes.
"""

from attnviewer.compute.patterns import (
    DEFINITIONS,
    BlockSparse,
    Budget,
    Full,
    HeadPatterns,
    HeadWeights,
    Kept,
    KeptCosts,
    Marginals,
    Needle,
    PatternSurvey,
    RowsInSight,
    SetSizes,
    Streaming,
    TopK,
    VerticalSlash,
    cache_bytes,
    find_patterns,
    kept_costs,
    survey_patterns,
)
from attnviewer.models.survey.row_blocks import on_cluster

__all__ = [
    "DEFINITIONS",
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
    "SetSizes",
    "Streaming",
    "TopK",
    "VerticalSlash",
    "cache_bytes",
    "find_patterns",
    "kept_costs",
    "on_cluster",
    "survey_patterns",
]
