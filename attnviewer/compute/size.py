"""How large a computation may be to be looked at."""

from collections.abc import Mapping

from attnviewer.compute.arrays import Array
from attnviewer.compute.spec import Spec

MOST_TOKENS = 2**20
"""The most queries, and the most keys, of a document."""
MOST_BYTES = 2**32
"""The most memory that the steps of a document may take."""


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
