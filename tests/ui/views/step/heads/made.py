"""Heads that are made by hand."""

import numpy as np

from attnviewer.compute import HeadLocation, InMemory
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT


class Made:
    """Heads made by hand, with layers or without."""

    query_offset = 0

    def __init__(self, heads, layers=()):
        self.heads = {k: np.asarray(v, dtype=float) for k, v in heads.items()}
        self.layers = layers
        self.n_heads = len({location.head for location in self.heads})

    def matrix(self, location):
        return InMemory(self.heads[location])


def flat(*heads):
    """Return heads without layers."""
    return Made({HeadLocation(None, k): head for k, head in enumerate(heads)})


def layered(layers=12, heads=12, n=6):
    """Return layers of heads, the entropy of which grows with layer and head."""
    matrices = {}
    for layer in range(layers):
        for head in range(heads):
            rest = (1 + layer * heads + head) / (layers * heads) / n
            weights = np.full((n, n), rest)
            np.fill_diagonal(weights, 1 - (n - 1) * rest)
            matrices[HeadLocation(layer, head)] = weights
    return Made(matrices, tuple(range(layers)))


def content_of(source, *, step="weights", signed=False, limits=None):
    matrix = source.matrix(next(iter(source.heads)))
    rows, columns = matrix.shape
    return StepContent(
        step,
        matrix,
        scale_for(limits, signed=signed, theme=LIGHT),
        ("queries", "keys"),
        tuple(f"q{i}" for i in range(rows)),
        tuple(f"k{j}" for j in range(columns)),
    )
