"""A step of a document as one matrix, and the places in it."""

from typing import TypeAlias

from attnviewer.compute import Array, Trace
from attnviewer.compute.arguments import check_name
from attnviewer.document import Document

Place: TypeAlias = int | str
"""A row or a column: its number, counted from 0, or its token."""


def matrix_of(trace: Trace, step: str, head: int = 0) -> Array:
    """Return a step of one head, shape (rows, columns).

    Parameters
    ----------
    trace : Trace
        The computation, without a batch.
    step : str
        Any of its steps or inputs.
    head : int
        The head of the queries; of keys and values, the one that serves it. A step
        without heads is the same for all.

    Raises
    ------
    ValueError
        If there is no such step or head.
    """
    check_name("step", step, trace)
    heads = trace.spec.n_heads
    if not 0 <= head < heads:
        raise ValueError(f"The 'head' must be below {heads}. Got {head} instead.")
    own = own_head(trace, step, head)
    array: Array = trace[step]
    return array if own is None else array[own]


def own_head(trace: Trace, step: str, head: int) -> int | None:
    """Return which of a step's own heads serves a head of the queries; None of none."""
    shape = trace.shape(step)
    if len(shape) == 2:
        return None
    return head if shape[0] == trace.spec.n_heads else trace.spec.kv_head_of(head)


def position(document: Document, trace: Trace, step: str, axis: int, at: Place) -> int:
    """Return the number of a row or a column of a step.

    Parameters
    ----------
    document : Document
        Whose tokens are meant.
    trace : Trace
        Its computation.
    step : str
        A step of it.
    axis : int
        0 for a row, 1 for a column.
    at : int or str
        The number, or a token that occurs once.

    Raises
    ------
    ValueError
        If there is no such step, row or column.
    """
    check_name("step", step, trace)
    what = ("row", "column")[axis]
    count = trace.shape(step)[-2:][axis]
    if isinstance(at, int):
        if not 0 <= at < count:
            raise ValueError(
                f"The '{what}' of '{step}' must be below {count}. Got {at} instead."
            )
        return at
    tokens = document.labels.of(trace.stages[step].axes[axis])
    return token_position(tokens, at, what)


def token_position(tokens: tuple[str, ...], token: str, what: str) -> int:
    """Return where a token stands.

    Raises
    ------
    ValueError
        If it does not occur, or more than once.
    """
    count = tokens.count(token)
    if count != 1:
        problem = "not one of them" if not count else f"there {count} times"
        known = ", ".join(tokens) or "none, only numbers"
        raise ValueError(
            f"The '{what}' must be one of the tokens, {known}. "
            f"Got “{token}” instead, which is {problem}."
        )
    return tokens.index(token)


def steps_from(trace: Trace, step: str) -> frozenset[str]:
    """Return a step and all that are computed from it."""
    found = {step}
    for name, stage in trace.stages.items():
        if found & set(stage.inputs):
            found.add(name)
    return frozenset(found)
