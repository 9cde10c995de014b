"""Activations that were replaced by hooks of PyTorch, as they were recorded."""

from typing import NamedTuple

import numpy as np

from tests.models import recorded

FILE = recorded.DATA / "hooked.npz"
IDS = (3, 17, 42, 5, 29)
FAMILIES = ("bert", "gpt2", "llama", "gemma2")


class Case(NamedTuple):
    """A site, and the tokens whose rows are replaced; None for all."""

    kind: str
    layer: int
    head: int | None = None
    positions: tuple[int, ...] | None = None


CASES = (
    Case("stream", 0),
    Case("stream", 1, None, (2,)),
    Case("stream", 2),
    Case("queries", 0, 3),
    Case("queries", 1),
    Case("keys", 0, 1),
    Case("keys", 1, None, (0, 3)),
    Case("values", 0, None, (1,)),
    Case("values", 1, 1),
    Case("scores", 0, 2, (1, 3)),
    Case("scores", 1),
    Case("weights", 0, 2),
    Case("weights", 1, None, (1, 4)),
    Case("heads", 0, None, (0, 2)),
    Case("heads", 1, 2),
    Case("attention", 0, None, (3,)),
    Case("attention", 1),
    Case("after_attention", 0, None, (1, 2)),
    Case("after_attention", 1),
    Case("feed_forward", 0),
    Case("feed_forward", 1, None, (1,)),
)


def changed(rows: np.ndarray) -> np.ndarray:
    """Return what replaces an activation (..., rows, columns): each row and the next.

    Of scores, −inf stays −inf.
    """
    return 0.5 * rows + 0.75 * np.roll(rows, -1, axis=-2)


def part_of(last: np.ndarray) -> np.ndarray:
    """Return what is recorded of last hidden states: two tokens, every 2nd column."""
    return last[[1, 4], ::2]


def load(family: str) -> np.ndarray:
    """Return what is recorded of each case, (cases, 2, d_model / 2)."""
    with np.load(FILE, allow_pickle=False) as results:
        return results[family]
