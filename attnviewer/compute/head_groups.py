"""The assignment of key/value heads to query heads.

Neighbouring heads of queries share one, so the heads of keys are repeated one by one,
not tiled (Ainslie et al. 2023, "GQA", section 2.2).
"""


def serving_head(head: int, n_heads: int, n_serving: int) -> int:
    """Return which of `n_serving` heads serves one of `n_heads` heads of queries."""
    return head * n_serving // n_heads


def served_heads(serving: int, n_heads: int, n_serving: int) -> range:
    """Return which of `n_heads` heads of queries one of `n_serving` heads serves."""
    group = n_heads // n_serving
    return range(serving * group, (serving + 1) * group)
