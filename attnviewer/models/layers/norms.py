"""Layer norm and RMS norm, and their gradients."""

import numpy as np

from attnviewer.compute import Array


def layer_norm(
    x: Array,
    weight: Array,
    bias: Array | None,
    epsilon: float,
    out: Array | None = None,
) -> Array:
    """Return (x − μ) / √(σ² + ε) · weight + bias, row by row.

    The variance is computed from the centred values, so that a row far from 0 keeps its
    digits.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    weight : ndarray of float32, shape (d,)
    bias : ndarray of float32, shape (d,), or None
    epsilon : float
        Prevents division by 0 for a row of equal numbers.
    out : ndarray of float32, shape (n, d), optional
        The output array, which may be x itself.

    Returns
    -------
    ndarray of float32, shape (n, d)
        `out`, or a new array.

    References
    ----------
    Ba et al. 2016, "Layer Normalization".
    """
    # The same numbers as of `mean`, which takes as long again for few rows.
    means = np.add.reduce(x, axis=-1, keepdims=True) / x.shape[-1]  # (n, 1)
    normed: Array = np.subtract(x, means, out=out)  # (n, d)
    normed *= _inverse_root_mean_square(normed, epsilon)
    normed *= weight
    if bias is not None:
        normed += bias
    return normed


def rms_norm(
    x: Array, weight: Array, epsilon: float, out: Array | None = None
) -> Array:
    """Return x / √(mean of x² + ε) · weight, row by row.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    weight : ndarray of float32, shape (d,)
    epsilon : float
        Prevents division by 0 for a row of zeros.
    out : ndarray of float32, shape (n, d), optional
        The output array, which may be x itself.

    Returns
    -------
    ndarray of float32, shape (n, d)
        `out`, or a new array.

    References
    ----------
    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization".
    """
    inverse = _inverse_root_mean_square(x, epsilon)  # (n, 1)
    normed: Array = np.multiply(x, inverse, out=out)  # (n, d)
    normed *= weight
    return normed


def layer_norm_backward(
    gradient: Array, x: Array, weight: Array, epsilon: float
) -> Array:
    """Return the gradient on the rows of a layer norm, given that on its output.

    With r = 1 / √(σ² + ε), the normed row n = r (x − μ) and g = gradient · weight, it
    is r (g − mean of g − n · mean of g n).

    Parameters
    ----------
    gradient : ndarray, shape (n, d)
        The gradient of some number on the output.
    x : ndarray, shape (n, d)
        The rows before the norm.
    weight : ndarray, shape (d,)
    epsilon : float

    Returns
    -------
    ndarray, shape (n, d)

    References
    ----------
    Ba et al. 2016, "Layer Normalization".
    """
    on_centred = rms_norm_backward(
        gradient, x - x.mean(axis=-1, keepdims=True), weight, epsilon
    )  # (n, d)
    on_centred -= on_centred.mean(axis=-1, keepdims=True)
    return on_centred


def rms_norm_backward(
    gradient: Array, x: Array, weight: Array, epsilon: float
) -> Array:
    """Return the gradient on the rows of an RMS norm, given that on its output.

    With r = 1 / √(mean of x² + ε), the normed row n = r x and g = gradient · weight, it
    is r (g − n · mean of g n).

    Parameters
    ----------
    gradient : ndarray, shape (n, d)
        The gradient of some number on the output.
    x : ndarray, shape (n, d)
        The rows before the norm.
    weight : ndarray, shape (d,)
    epsilon : float

    Returns
    -------
    ndarray, shape (n, d)

    References
    ----------
    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization".
    """
    inverse = _inverse_root_mean_square(x, epsilon)  # (n, 1)
    normed = x * inverse  # (n, d)
    on_normed: Array = gradient * weight  # (n, d)
    normed *= np.mean(on_normed * normed, axis=-1, keepdims=True)
    on_normed -= normed
    on_normed *= inverse
    return on_normed


def _inverse_root_mean_square(x: Array, epsilon: float) -> Array:
    """Return 1 / √(mean of x² + ε) of each row, shape (n, 1)."""
    squares: Array = np.einsum("nd,nd->n", x, x)[:, np.newaxis]  # (n, 1)
    inverse: Array = 1 / np.sqrt(squares / x.shape[-1] + epsilon)
    return inverse
