"""Texts of ids for tiny models, always the same."""

import numpy as np


def some_texts(count: int, vocabulary: int = 40) -> list[str]:
    """Return texts of 1 to 12 ids; tokens are repeated in many of them."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 13, count)
    return [" ".join(map(str, rng.integers(1, vocabulary, n))) for n in lengths]
