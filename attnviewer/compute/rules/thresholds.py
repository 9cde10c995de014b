"""Thresholds of the sparse normalisers: keys below them get no weight."""

import numpy as np

from attnviewer.compute.arrays import Array


def threshold(z: Array, power: int) -> Array:
    """Return the τ for which ``max(0, z − τ)^power`` adds up to 1 in each row.

    Exact, by sorting: for each k there is the τ of a support of the k largest numbers;
    the one that holds is that of the largest k whose last number lies above its own τ.

    Parameters
    ----------
    z : ndarray, shape (..., n_q, n_k)
        Numbers of which the largest in each row is 0, so that −1 ≤ τ < 0.
    power : int
        1 or 2.

    Returns
    -------
    ndarray, shape (..., n_q, 1)

    References
    ----------
    Martins & Astudillo 2016, "From Softmax to Sparsemax", algorithm 1; Peters,
    Niculae & Martins 2019, "Sparse Sequence-to-Sequence Models", algorithm 2.
    """
    clipped = np.maximum(z, -1)  # (..., n_q, n_k)
    clipped.sort(axis=-1)
    falling = clipped[..., ::-1].astype(np.float64)  # (..., n_q, n_k)
    count = np.arange(1, z.shape[-1] + 1)  # (n_k,)
    tau = _CANDIDATES[power](falling, count)  # (..., n_q, n_k)
    inside = (falling > tau) & (falling > -1)  # (..., n_q, n_k)
    last = np.maximum(inside.sum(axis=-1, keepdims=True) - 1, 0)  # (..., n_q, 1)
    return np.take_along_axis(tau, last, axis=-1).astype(z.dtype)  # (..., n_q, 1)


def _of_distances(z: Array, count: Array) -> Array:
    tau: Array = (np.cumsum(z, axis=-1) - 1) / count  # (..., n_q, n_k)
    return tau


def _of_squares(z: Array, count: Array) -> Array:
    mean = np.cumsum(z, axis=-1) / count  # (..., n_q, n_k)
    variance = np.cumsum(z * z, axis=-1) / count - mean * mean  # (..., n_q, n_k)
    # Beyond the support there may be no root, but that τ is not used.
    tau: Array = mean - np.sqrt(np.maximum(1 / count - variance, 0))
    return tau  # (..., n_q, n_k)


_CANDIDATES = {1: _of_distances, 2: _of_squares}
