"""The mixing of tokens by a layer, as one matrix."""

from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.parts import check_alone
from attnviewer.models.residual.moved import moved
from attnviewer.models.trace import ModelTrace

Of: TypeAlias = Literal["weights", "values"]
"""The matrix that shares of tokens are taken from."""


def mixing(run: ModelTrace, layer: int, of: Of = "weights") -> Array:
    """Return Ã = (A + I) / 2 of a layer, shape (n, n) in float64; its rows sum to 1.

    Half of each token is its own, for the residual connection; the other half is
    divided among the tokens, by the weights averaged over the heads, or by how much all
    heads together move from a token.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    of : str
        ``weights``: A is the mean of the heads' weights. ``values``: A_ij is
        ‖Σ_h A^h_ij v^h_j W_O^h‖, divided by the sum of its row.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If `of` is unknown, a weight is negative, or a number up to the layer is not
        finite.
    """
    check_name("of", of, get_args(Of))
    if of == "weights":
        weights = run.attention(layer)["weights"]  # (h, n, n)
        if weights.min() < 0:
            raise ValueError(
                "The weights must not be negative to be shares. "
                f"Got {weights.min():.6g} in layer {layer} instead."
            )
        shares = weights.mean(axis=0, dtype=np.float64)  # (n, n)
    else:
        shares = _moved(run, layer)
    sums = shares.sum(axis=-1, keepdims=True)  # (n, 1)
    # A row that sees no key stays its own token.
    own = np.eye(len(shares))
    shares = np.divide(shares, sums, out=own.copy(), where=sums > 0)
    mixed: Array = (shares + own) / 2
    return mixed


def layers_up_to(run: ModelTrace, layer: int | None) -> range:
    """Return the layers up to one, by default to the last.

    Raises
    ------
    IndexError
        If there is no such layer.
    """
    check_alone(run.model.architecture, "run whose layers are followed")
    last = run.model.n_layers - 1
    number = last if layer is None else whole_number("layer", layer)
    if not 0 <= number <= last:
        raise IndexError(f"The 'layer' must be from 0 to {last}. Got {number} instead.")
    return range(number + 1)


def token_labels(run: ModelTrace) -> list[str]:
    """Return the tokens with their positions: ``3 cat``."""
    tokens = run.model.readable(run.tokens)
    return [f"{position} {token}" for position, token in enumerate(tokens)]


def _moved(run: ModelTrace, layer: int) -> Array:
    """Return the lengths of what all heads together move, shape (n, n)."""
    trace, W_O = run.attention(layer), run.weights(layer)["W_O"]
    weights = trace["weights"].astype(np.float64).T  # (n_k, n_q, h)
    with one_blas_thread():
        heads = [moved(run, trace, W_O, head) for head in range(weights.shape[-1])]
        rows = np.stack(heads, axis=1)  # (n_k, h, d_model)
        # A squared length is a form in the weights: h² products, not d_model.
        products = rows @ rows.swapaxes(1, 2)  # (n_k, h, h)
        squares = ((weights @ products) * weights).sum(axis=-1).T  # (n_q, n_k)
    lengths: Array = np.sqrt(squares.clip(0))
    return lengths
