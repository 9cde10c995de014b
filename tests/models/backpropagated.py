"""Gradients of metrics by PyTorch on the activations of tiny models, as recorded."""

from typing import NamedTuple

import numpy as np

from tests.models import recorded

FILE = recorded.DATA / "gradients.npz"
IDS = (3, 17, 42, 5, 29)
REFERENCE = (3, 17, 9, 5, 29)
"""The sentence that an encoder's is compared with."""
N_LAYERS = 2


class Measured(NamedTuple):
    """A metric of a decoder: a logit or a probability, after a token.

    Without one it is the cosine of the sentence embeddings.
    """

    token: int | None = None
    minus: int | None = None
    position: int = -1
    probability: bool = False


CASES = {
    "bert": Measured(),
    "gpt2": Measured(7, minus=11),
    "llama": Measured(7, position=3, probability=True),
    "gemma2": Measured(7),
}
"""What is measured of a model of each family."""

PER_HEAD = ("queries", "keys", "values", "scores", "weights", "heads")
KINDS = ("stream", *PER_HEAD, "attention", "after_attention", "feed_forward")
SITES = (*((kind, layer) for layer in range(N_LAYERS) for kind in KINDS), ("stream", 2))


def part_of(gradient: np.ndarray) -> np.ndarray:
    """Return what is recorded of a gradient: two tokens, every third column."""
    return gradient[..., [1, 3], ::3]


def load(family: str) -> np.ndarray:
    """Return what is recorded of all sites, one after another in a row."""
    with np.load(FILE, allow_pickle=False) as results:
        return results[family]
