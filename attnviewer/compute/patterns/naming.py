"""The name of a head's pattern, and what each name and number means."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from attnviewer.compute.patterns.budgets import Budget
from attnviewer.compute.patterns.marginals import Marginals

EVEN, AFFORDABLE, SIMPLER, SCATTERED = 0.9, 0.5, 2.0, 8.0
"""From which evenness a head is uniform; up to which share of the cells a budget names
it; how many times the cheapest budget a simpler pattern may cost; and from how many
times the effective keys on that budget does not describe the head."""

DEFINITIONS: Mapping[str, str] = MappingProxyType(
    {
        # names of heads
        "streaming": "The first tokens and a band around each query keep the attention "
        "with at most half of the cells (StreamingLLM; MInference's A-shape).",
        "vertical-slash": "Some keys of all queries and some fixed offsets keep the "
        "attention with at most half of the cells (MInference).",
        "block-sparse": "Some blocks in each row of blocks keep the attention with at "
        "most half of the cells (MInference).",
        "retrieval": "Each query attends to few keys, most of them distant and others "
        "for each query, so that no fixed pattern describes the head (Wu et al. 2024).",
        "uniform": "The effective keys are on average at least 90 % of the visible "
        "keys.",
        "dense": "No pattern keeps the attention with half of the cells, and it is "
        "neither uniform nor on few distant keys.",
        "blind": "No query attends to any key.",
        # sets
        "sinks": "The share of attention to the first tokens (Xiao et al. 2023).",
        "local": "The share of attention to keys less than the window away from the "
        "query, without the sinks.",
        "vertical": "The share of attention to the keys that receive the most, without "
        "the sets before.",
        "slash": "The share of attention to the offsets beyond the window that receive "
        "the most, without the sets before.",
        "repeated": "The share of attention to keys that follow an earlier occurrence "
        "of the query's token, as in induction, without the sets before (Olsson et "
        "al. 2022).",
        "blocks": "The share of attention to the blocks of each row of blocks that "
        "receive the most, without the sets before.",
        "rest": "The share of attention that is in none of the sets.",
        # numbers
        "budget": "The fewest cells of a pattern that keep the wanted share of all "
        "attention.",
        "received": "What a key receives of the attention of all queries: the sum of "
        "its column, where weights below zero count by their size.",
        "by distance": "The share of attention at each distance between query and "
        "key, in bins that double.",
        "effective keys": "2 to the power of the entropy in bits of a query's weights: "
        "the number of equal weights that would have the same entropy (Hill 1973).",
        "evenness": "The effective keys over the visible keys, on average over the "
        "queries that see at least two.",
        "needles": "The weights, largest by size, of keys that are no sinks and at "
        "least the window away from the query.",
        "marked": "Rows that hold NaN or an infinite number, and count nowhere.",
    }
)
"""The meaning of the names of heads, sets and numbers, in a sentence each."""


def pattern_name(
    marginals: Marginals, budgets: Mapping[str, Budget], shares: Mapping[str, float]
) -> str:
    """Return the name of a head's pattern, one of `DEFINITIONS`.

    Parameters
    ----------
    marginals : Marginals
        What the pass over all weights found.
    budgets : mapping of str to Budget
        The budget of each pattern; the simpler patterns first.
    shares : mapping of str to float
        The share of attention to each set.
    """
    if not marginals.total:
        return "blind"
    if marginals.evenness >= EVEN:
        return "uniform"
    sparse = [budget for budget in budgets.values() if budget.name != "full"]
    fewest = min((budget.cells for budget in sparse), default=marginals.cells)
    effective = float(np.nansum(marginals.effective_keys))
    near = shares["sinks"] + shares["local"]
    if fewest > SCATTERED * effective and near < 1 / 2:
        return "retrieval"
    for budget in sparse:
        if budget.cell_share <= AFFORDABLE and budget.cells <= SIMPLER * fewest:
            return budget.name
    return "dense"
