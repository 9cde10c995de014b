"""The memory of a KV cache."""

from attnviewer.compute.arguments import whole_number


def cache_bytes(
    n_keys: int,
    n_kv_heads: int,
    d_k: int,
    d_v: int | None = None,
    *,
    n_layers: int = 1,
    bytes_per_number: int = 2,
) -> int:
    """Return the bytes of the keys and values that are kept for the next query.

    Of each key and layer, a key vector and a value vector of each head of the keys.

    Parameters
    ----------
    n_keys : int
        How many keys are kept: all, or `Kept.cached_keys` of them.
    n_kv_heads : int
        Heads of the keys and values.
    d_k : int
        Columns of the keys of a head.
    d_v : int, optional
        Columns of the values of a head; by default as many.
    n_layers : int
        How many layers.
    bytes_per_number : int
        2 for float16 and bfloat16, 4 for float32.

    Raises
    ------
    TypeError, ValueError
        If a number is not a whole number of at least 0, or 1 for all but the keys.

    Examples
    --------
    >>> from attnviewer.patterns import Streaming, cache_bytes
    >>> cache_bytes(131_072, n_kv_heads=8, d_k=128, n_layers=32)
    17179869184
    >>> kept = Streaming(sinks=4, window=1020).cached_keys(131_072)
    >>> cache_bytes(kept, n_kv_heads=8, d_k=128, n_layers=32)
    134217728
    """
    n_keys = whole_number("n_keys", n_keys, 0)
    per_head = whole_number("d_k", d_k, 1)
    per_head += per_head if d_v is None else whole_number("d_v", d_v, 1)
    heads = whole_number("n_kv_heads", n_kv_heads, 1)
    layers = whole_number("n_layers", n_layers, 1)
    size = whole_number("bytes_per_number", bytes_per_number, 1)
    return n_keys * heads * per_head * layers * size
