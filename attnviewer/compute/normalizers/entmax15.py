"""1.5-entmax: half way from softmax to sparsemax."""

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.normalizers.thresholded import Thresholded


class Entmax15(Thresholded):
    """αᵢⱼ = max(0, (sᵢⱼ − maxᵢ) / 2 − τᵢ)², with τᵢ such that the row adds up to 1.

    α-entmax with α = 1.5, exactly, by sorting. Zeros as in sparsemax, but the
    weights fall smoothly to them. Taking maxᵢ off moves τᵢ along and changes no
    weight.

    References
    ----------
    Peters, Niculae & Martins 2019, "Sparse Sequence-to-Sequence Models",
    algorithm 2, and the Jacobian of α-entmax.
    """

    name = "entmax15"
    title = "1.5-entmax"
    formula = "1.5-entmax({source})"
    symbols = "max(0, (sᵢⱼ − maxᵢ) / 2 − τᵢ)²"
    power = 2

    def thresholds(self, z: Array, count: Array) -> Array:
        mean = np.cumsum(z, axis=-1) / count  # (..., n_q, n_k)
        variance = np.cumsum(z * z, axis=-1) / count - mean * mean  # (..., n_q, n_k)
        # Beyond the support there may be no root, and it is not looked at.
        tau: Array = mean - np.sqrt(np.maximum(1 / count - variance, 0))
        return tau  # (..., n_q, n_k)
