"""Estimates of the work of a computation."""

import math
from collections.abc import Mapping

from attnviewer.compute.arrays import Shape
from attnviewer.compute.spec import Spec

SCORE_COST = 250
"""The cost of scaling, masking and normalising a score, in multiply-adds of a matrix
product (measured): the reason why few wide heads are faster than many narrow ones."""

LOW_RANK_COST = 200
"""The cost of following a changed column of queries or keys, for each score, in
multiply-adds (measured)."""


def cost(spec: Spec, shapes: Mapping[str, Shape]) -> int:
    """Estimate the work of `run` in multiply-adds.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs.
    """
    queries, keys, values = (shapes[name] for name in spec.sources)
    (*lead, n, _), n_k = queries, keys[-2]
    weights = [shapes[name] for name in spec.input_names if name.startswith("W_")]
    projections = n * sum(math.prod(shape) for shape in weights)
    if spec.projected:
        keys, values = shapes["W_K"], shapes["W_V"]
    # The heads divide the columns, so all their products cost as much as one.
    of_a_score = keys[-1] + values[-1] + SCORE_COST * spec.n_heads
    return math.prod(lead) * (projections + n * n_k * of_a_score)


def edit_cost(
    spec: Spec,
    shapes: Mapping[str, Shape],
    matrix: str,
    rows: int,
    columns: int,
    *,
    low_rank: bool = False,
) -> int:
    """Estimate the work of an edit in an `IncrementalEngine`, in the unit of `cost`.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs.
    matrix : str
        The input that is edited.
    rows, columns : int
        The numbers of edited rows and columns.
    low_rank : bool
        Whether it follows a changed column of queries or keys, see
        `IncrementalEngine.follows_column`.
    """
    whole = cost(spec, shapes)
    if spec.mistakes:
        return whole
    n, width = shapes[spec.sources[0]]
    output = n * math.prod(shapes.get("W_O", ()))
    of_a_row = whole // n  # projections and scores of a token
    if matrix in (*spec.sources, "P"):
        # A row and, where the token is a key, a column of the scores.
        own = 2 * rows * of_a_row
    elif matrix in ("bias", "mask"):
        own = min(rows, columns) * of_a_row
    elif matrix in ("W_V", "b_V"):
        own = columns * n * (n + width)
    elif matrix == "W_G":
        own = columns * n * width
    elif matrix in ("W_O", "b_O", "extra_values"):
        own = n
    elif low_rank and columns == 1 and matrix in ("W_Q", "b_Q", "W_K", "b_K"):
        shared = spec.n_heads // (spec.n_kv_heads or spec.n_heads)
        heads = 1 if matrix.endswith("Q") else shared
        n_k = shapes[spec.sources[1]][-2]
        own = n * width + heads * n * n_k * LOW_RANK_COST
    else:
        return whole
    return min(own + output, whole)
