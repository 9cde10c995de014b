"""Every positional encoding, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.compute import (
    Alibi,
    Disentangled,
    Learned,
    Positions,
    RelativeBias,
    Rotary,
    Sinusoidal,
)
from attnviewer.ui.text.concepts.concept import Concept

POSITIONS: dict[type[Positions] | None, Concept] = {
    None: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Positions count in the mask alone: without one, shuffle the tokens, and "
            "each still gets the same output.",
        ),
        "attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
    ),
    Sinusoidal: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Sines and cosines of many wavelengths are added to the embeddings, a "
            "different row for each position (Vaswani et al. 2017).",
        ),
        "P[i, 2k] = sin(i / 10000^(2k / d_model)), and P[i, 2k + 1] its cosine",
    ),
    Learned: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A learned row for each position is added to the embedding there, as in "
            "GPT-2 and BERT.",
        ),
        "X + P",
    ),
    Rotary: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries and keys are rotated by an angle that grows with "
            "their position, so that scores depend on distance (Su et "
            "al. 2021).",
        ),
        "θ = position · frequency",
    ),
    Alibi: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The further back a key lies, the more is subtracted from its score, at a "
            "different rate for each head (Press et al. 2022).",
        ),
        "s − slope · (i − j)",
    ),
    RelativeBias: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A learned number, one for each head and bucket of distances, is added to "
            "each score (Raffel et al. 2020, T5).",
        ),
        "s + relative_bias[bucket(j − i)]",
    ),
    Disentangled: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each distance between query and key has a key and a query of its own, and "
            "their scores with the contents are added (DeBERTa, He et al. 2021).",
        ),
        "q · k + q · K_R[δ(i, j)] + k · Q_R[δ(i, j)]",
    ),
}

SEVERAL_AXES = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "The pairs of columns are divided among axes, and each is rotated by the "
        "position along its own: row and column of a patch, or time, height and width "
        "(M-RoPE, Wang et al. 2024).",
    ),
    "θ = position along the axis of the pair · frequency",
)
"""Rotary positions along more than one axis."""


def position_concept(positions: Positions | None) -> Concept:
    """Return the explanation of a positional encoding."""
    if isinstance(positions, Rotary) and positions.axes is not None:
        return SEVERAL_AXES
    return POSITIONS[None if positions is None else type(positions)]
