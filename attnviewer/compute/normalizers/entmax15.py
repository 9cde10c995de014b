"""1.5-entmax: half way from softmax to sparsemax."""

from attnviewer.compute.normalizers.thresholded import Thresholded


class Entmax15(Thresholded):
    """αᵢⱼ = max(0, (sᵢⱼ − maxᵢ) / 2 − τᵢ)², with τᵢ such that the row adds up to 1.

    α-entmax with α = 1.5, exactly, by sorting. Zeros as in sparsemax, but the
    weights approach them smoothly. Subtracting maxᵢ shifts τᵢ and changes no weight.

    References
    ----------
    Peters, Niculae & Martins 2019, "Sparse Sequence-to-Sequence Models",
    algorithm 2, and the Jacobian of α-entmax.
    """

    name = "entmax15"
    title = "1.5-entmax"
    sentence = (
        "1.5-entmax lies between softmax and sparsemax: low scores get no "
        "weight, and weights grow smoothly from 0; each row adds up to 1."
    )
    plain_rule = "max(0, sⱼ / 2 − τ)²"
    power = 2
