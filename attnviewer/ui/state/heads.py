"""Mapping between query heads, one of which is chosen, and the heads of a step.

Keys and values may have fewer heads, each shared by neighbouring heads of queries.
"""

from attnviewer.compute import HeadLocation, Trace
from attnviewer.document.variants.ablation import is_ablated


def present_head(trace: Trace, head: int) -> int:
    """Return a query head, or the last one if there are fewer."""
    return min(head, trace.n_query_heads - 1)


def own_head(trace: Trace, step: str, head: int) -> int:
    """Return the head of a step that serves a query head.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        One of them; the only head of a step without heads is 0.
    head : int
        The query head; the last one if there are fewer.
    """
    return trace.head_of(step, present_head(trace, head))


def query_head(trace: Trace, step: str, own: int, present: int) -> int:
    """Return a query head that a head of a step serves.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        One of them.
    own : int
        One of its heads.
    present : int
        The chosen query head; it is kept if the head serves it.
    """
    if own_head(trace, step, present) == own:
        return present
    return trace.served_by(step, own)[0]


def ablated_heads(trace: Trace, step: str) -> frozenset[HeadLocation]:
    """Return the heads of a step all of whose query heads are ablated."""
    return frozenset(
        HeadLocation(None, own)
        for own in range(trace.n_heads(step))
        if all(is_ablated(trace, head) for head in trace.served_by(step, own))
    )
