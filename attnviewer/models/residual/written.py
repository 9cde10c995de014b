"""The length of what a head moves from each key to each query."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.outputs import Outputs
from attnviewer.models.residual.moved import moved


def written(run: Outputs, layer: int, head: int) -> Array:
    """Return the length of what a head moves from each key to each query.

    ‖A_ij v_j W_O‖, where v_j = x_j W_V + b_V and W_O are the rows of the head: a key
    with a large weight but a short value writes little. The sum over the keys of
    the vectors, not of their lengths, is the head's part of the output. It is taken
    before a norm of that output, and without b_O, which belongs to no key.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer, head : int
        The head. Heads of queries that share values differ in A and W_O.

    Returns
    -------
    ndarray of float64, shape (n, n)
        A row for each query, a column for each key.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If a number up to the layer is not finite.

    References
    ----------
    Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with
    Vector Norms", arXiv:2004.10102, with f(x) = (x W_V + b_V) W_O.
    """
    trace = run.attention(layer)
    weights = trace.window("weights", head=head).astype(np.float64)  # (n, n)
    lengths: Array = np.abs(weights) * moved_lengths(run, layer, head)
    return lengths


def moved_lengths(run: Outputs, layer: int, head: int) -> Array:
    """Return ‖v_j W_O‖ for each key j, shape (n,): what is `written` at a weight of 1.

    Raises
    ------
    IndexError, ValueError
        As `written` does.
    """
    trace, W_O = run.attention(layer), run.weights(layer)["W_O"]
    lengths: Array = np.linalg.norm(moved(run, trace, W_O, head), axis=-1)  # (n,)
    return lengths
