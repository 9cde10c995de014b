"""Functions on arrays that several mistakes use."""

import numpy as np

from attnviewer.compute.arrays import Numbers


def join(heads: Numbers) -> Numbers:
    """Return heads (..., h, n, d) side by side, (..., n, h·d)."""
    moved = heads.swapaxes(-3, -2)  # (..., n, h, d)
    return moved.reshape(*moved.shape[:-2], -1)


def softmax(scores: Numbers, axes: int | tuple[int, ...] = -1) -> Numbers:
    """Return the softmax over some axes; 0 where all is −∞."""
    highest = np.max(scores, axis=axes, keepdims=True)
    shift = np.where(np.isfinite(highest), highest, 0)
    powers = np.exp(scores - shift)
    total = powers.sum(axis=axes, keepdims=True)
    shares: Numbers = np.divide(
        powers, total, out=np.zeros_like(powers), where=total > 0
    )
    return shares
