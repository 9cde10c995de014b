"""Limits on the size of a computation."""

import math
from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.spec import Spec
from attnviewer.compute.weights import Weights

MOST_TOKENS = 2**20
"""The most queries, and the most keys, of a document."""
MOST_BYTES = 2**32
"""The most memory that the steps of a document may take."""
MOST_SCORES = MOST_TOKENS**2
"""The most scores per head for which a computation is started."""
_PARTS = 1024
"""Into how many parts the rows are divided to count the scores that a mask leaves."""


def check_size(spec: Spec, inputs: Mapping[str, Array]) -> None:
    """Check that the steps of a computation fit into memory.

    No n × n step counts, as those of long sequences are computed when they are read.

    Raises
    ------
    ValueError
        With the number of tokens, or the bytes that the steps would take.
    """
    queries, keys, values = spec.sources
    n_q, n_k = inputs[queries].shape[-2], inputs[keys].shape[-2]
    if max(n_q, n_k) > MOST_TOKENS:
        raise ValueError(
            f"The number of tokens must be at most {MOST_TOKENS:,}. "
            f"Got {max(n_q, n_k):,} instead."
        )
    d_v = inputs[values].shape[-1]
    n_numbers = 0
    if spec.projected:
        of_query, of_key, of_value = (
            inputs[name].shape[-1] for name in ("W_Q", "W_K", "W_V")
        )
        n_numbers = n_q * of_query + n_k * (of_key + of_value)
        d_v = of_value // spec.kv_heads
    # The weighted values, and three numbers per row, in double precision.
    n_bytes = 4 * n_numbers + 8 * n_q * spec.n_heads * (d_v + 3)
    if n_bytes > MOST_BYTES:
        heads = "head" if spec.n_heads == 1 else "heads"
        raise ValueError(
            f"The steps must take at most {MOST_BYTES / 2**30:.0f} GiB of memory. "
            f"{n_q:,} queries and {n_k:,} keys with {spec.n_heads} {heads} would take "
            f"{n_bytes / 2**30:.1f} GiB instead."
        )


def check_work(weights: Weights) -> None:
    """Check that the weights of each head can be computed in some hours.

    Keys that a mask hides from all queries of a part do not count.

    Parameters
    ----------
    weights : Weights
        The weights, none of which is computed yet.

    Raises
    ------
    ValueError
        With the number of scores, and the time that they would take.
    """
    *lead, n_q, n_k = weights.scores.shape
    if n_q * n_k <= MOST_SCORES:
        return
    size = -(-n_q // _PARTS)
    for matrix in np.ndindex(*lead):
        scores = 0
        for first in range(0, n_q, size):
            rows = slice(first, min(first + size, n_q))
            seen = weights.reach(matrix, rows)
            scores += (rows.stop - rows.start) * (seen.stop - seen.start)
        if scores > MOST_SCORES:
            hours = math.prod(lead) * scores / 3600e9
            raise ValueError(
                f"The scores of a head must be at most {MOST_SCORES:,}, as of "
                f"{MOST_TOKENS:,} tokens. Got {scores:,} instead, of {n_q:,} queries "
                f"and {n_k:,} keys: at a billion a second, all heads would take "
                f"{hours:,.0f} hours."
            )
