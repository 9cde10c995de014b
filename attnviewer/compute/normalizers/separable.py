"""Normalisers whose keys can change without the others of their row."""

from abc import abstractmethod

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Selection
from attnviewer.compute.normalizers.base import Normalizer


class Separable(Normalizer):
    """A normaliser whose weights are numerators over a divisor of their row.

    The numerators depend on the row only through a shift that keeps them in range, and
    the divisor only on the shift and their total. So a key can change without the
    others, as long as its numerator stays in range.
    """

    @abstractmethod
    def shift(self, scores: Array) -> Array:
        """Return what is subtracted from each row's scores, shape (..., n_q, 1)."""

    @abstractmethod
    def numerators(self, scores: Array, shift: Array, *, out: Array) -> Array:
        """Write the numerators of a window of scores into `out`, which may be it."""

    @abstractmethod
    def divide_by(self, shift: Array, total: Array) -> Array:
        """Return the divisor of each row, shape (..., n_q, 1); never 0."""

    def state(self, scores: Array) -> Array:
        return self.keep(scores.copy())

    def keep(self, scores: Array) -> Array:
        shift = self.shift(scores)  # (..., n_q, 1)
        kept = self.numerators(scores, shift, out=scores)  # (..., n_q, n_k)
        # In half precision a sum of many numbers would overflow.
        exact = np.promote_types(kept.dtype, np.float32)
        total = kept.sum(axis=-1, keepdims=True, dtype=exact)  # (..., n_q, 1)
        return np.concatenate([shift, total], axis=-1)  # (..., n_q, 2)

    def keep_columns(self, scores: Array, state: Array) -> BoolArray:
        shift = state[..., :1].astype(scores.dtype)  # (..., n_q, 1)
        # A row that saw no key has no shift to keep its first one in range.
        opened = np.isneginf(shift) & ~np.isneginf(scores)  # (..., n_q, columns)
        self.numerators(scores, shift, out=scores)
        return np.asarray(opened.any(axis=-1))  # (..., n_q)

    def total(self, state: Array) -> Array:
        total: Array = state[..., 1]  # (..., n_q)
        return total

    def normalize(self, scores: Array) -> Array:
        kept = scores.copy()  # (..., n_q, n_k)
        divisor = self.divisor(self.keep(kept))  # (..., n_q, 1)
        return np.divide(kept, divisor, out=kept, casting="same_kind")

    def divisor(self, state: Array) -> Array:
        return self.divide_by(state[..., :1], state[..., 1:])

    def apply(self, scores: Array, state: Array, keys: Selection = ALL) -> Array:
        out = np.empty_like(scores)
        kept = self.numerators(scores, state[..., :1], out=out)  # (..., rows, columns)
        return np.divide(kept, self.divisor(state), out=kept, casting="same_kind")
