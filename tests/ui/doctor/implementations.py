"""Attention as somebody might write it with NumPy, right or with a mistake."""

import numpy as np

TOKENS, WIDTH, HEADS = 6, 8, 2
OWN = WIDTH // HEADS


def inputs(seed=1):
    """Return embeddings and weights."""
    generator = np.random.default_rng(seed)
    names = "W_Q", "W_K", "W_V", "W_O"
    return {
        "X": generator.normal(size=(TOKENS, WIDTH)),
        **{name: generator.normal(size=(WIDTH, WIDTH)) / 2 for name in names},
    }


def by_head(matrix):
    return matrix.reshape(TOKENS, HEADS, OWN).transpose(1, 0, 2)


def steps(given, *, scale=OWN**-0.5, causal=True, dtype=np.float64):
    """Return what causal attention of two heads gives, step by step."""
    given = {name: array.astype(dtype) for name, array in given.items()}
    q, k, v = (by_head(given["X"] @ given[f"W_{letter}"]) for letter in "QKV")
    scores = q @ k.transpose(0, 2, 1)
    scaled = scores * dtype(scale)
    allowed = np.tri(TOKENS, dtype=bool) | (not causal)
    masked = np.where(allowed, scaled, dtype(-np.inf))
    shares = np.exp(masked - masked.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    heads = (weights @ v).transpose(1, 0, 2).reshape(TOKENS, WIDTH)
    return {
        "mine_Q": q,
        "mine_scores": scores,
        "mine_scaled": scaled,
        "mine_weights": weights,
        "mine_output": heads @ given["W_O"],
    }


def saved(path, mine, given=None):
    """Write inputs and what came out to a file, and return its path."""
    np.savez(path, **(given or inputs()), **mine)
    return path
