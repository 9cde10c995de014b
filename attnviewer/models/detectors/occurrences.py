"""The attention on places near the previous occurrence of a token."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.arguments import whole_number
from attnviewer.models.grid import Grid
from attnviewer.models.trace import ModelTrace

OFFSETS = range(-2, 4)


def occurrence_profile(
    run: ModelTrace, layer: int, offsets: Iterable[int] = OFFSETS
) -> Grid:
    """Return how much heads look at places near the previous occurrence of a token.

    Cell (h, k) is the mean of A_(i, p(i) + k) over the queries i of head h whose token
    occurred before, last at p(i), as far as that place is in the sentence and before
    the query. At 0 a head looks at the same token, at 1 at what followed it, as an
    induction head does; a trained model's may look at 2.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    offsets : iterable of int
        The offsets k.

    Returns
    -------
    Grid
        By head × offset. NaN where no query has such a place; everywhere if no token
        occurs twice.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If a number up to the layer is not finite.

    References
    ----------
    Offset 1: Olsson et al. 2022, "In-context Learning and Induction Heads",
    arXiv:2209.11895.

    Examples
    --------
    >>> from attnviewer.models import load
    >>> from attnviewer.models.detectors import occurrence_profile
    >>> run = load("gpt2").run("one two three one two three")  # doctest: +SKIP
    >>> occurrence_profile(run, 5).to_pandas()  # doctest: +SKIP
    """
    wanted = checked_offsets(offsets)
    values = profile(run.attention(layer)["weights"], run.ids, wanted)  # (h, k)
    heads = [f"H{head}" for head in range(len(values))]
    titles = [f"{offset:+d}" if offset else "0" for offset in wanted]
    what = f"Attention near the previous occurrence, layer {layer}"
    return Grid(values, heads, titles, what, axes=("head", "offset"))


def profile(weights: Array, ids: Sequence[int], offsets: Sequence[int]) -> Array:
    """Return the profile of attention weights, see `occurrence_profile`.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    ids : sequence of int, length n
        The tokens.
    offsets : sequence of int, length k
        The offsets.

    Returns
    -------
    ndarray of float64, shape (..., k)
    """
    previous = previous_occurrences(ids)  # (n,)
    found = np.full((*weights.shape[:-2], len(offsets)), np.nan)
    for column, offset in enumerate(offsets):
        keys = previous + offset  # (n,)
        inside = (previous >= 0) & (keys >= 0) & (keys < np.arange(len(keys)))  # (n,)
        queries = np.flatnonzero(inside)
        if len(queries):
            cells = weights[..., queries, keys[queries]]  # (..., queries)
            found[..., column] = cells.mean(axis=-1, dtype=np.float64)
    return found


def previous_occurrences(ids: Sequence[int]) -> NDArray[np.intp]:
    """Return where each token occurred last before, -1 if nowhere, shape (n,)."""
    last: dict[int, int] = {}
    found = np.full(len(ids), -1)
    for position, token in enumerate(ids):
        found[position] = last.get(token, -1)
        last[token] = position
    return found


def checked_offsets(offsets: Iterable[int]) -> tuple[int, ...]:
    """Return offsets as integers.

    Raises
    ------
    TypeError
        If one is no integer.
    ValueError
        If one comes twice.
    """
    wanted = tuple(whole_number("offset", offset) for offset in offsets)
    if len(set(wanted)) < len(wanted):
        raise ValueError(f"The offsets must differ. Got {list(wanted)} instead.")
    return wanted
