"""Every normaliser, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.concepts.concept import Concept

NORMALIZERS: dict[str, Concept] = {
    "softmax": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Softmax makes every weight positive and each row add up to 1, for "
            "negative scores too, where dividing by a plain sum fails.",
        ),
        "e^sⱼ / Σₖ e^sₖ",
    ),
    "sum": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The plain sum divides each score by the sum of its row: negative scores "
            "make negative weights, and a sum near 0 makes huge ones.",
        ),
        "sⱼ / Σₖ sₖ",
    ),
    "softmax1": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Softmax with 1 added to the sum, so that a query that finds nothing may "
            "attend to nothing.",
        ),
        "e^sⱼ / (1 + Σₖ e^sₖ)",
    ),
    "sigmoid": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The sigmoid weighs each key by itself, from 0 to 1: keys do not compete, "
            "and a row may add up to anything.",
        ),
        "1 / (1 + e^(log n − sⱼ))",
    ),
    "sparsemax": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Sparsemax takes a threshold off the scores and cuts at 0, so that low "
            "scores get no weight at all; each row adds up to 1.",
        ),
        "max(0, sⱼ − τ)",
    ),
    "entmax15": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "1.5-entmax lies between softmax and sparsemax: low scores get no weight, "
            "and weights grow smoothly from 0; each row adds up to 1.",
        ),
        "max(0, sⱼ / 2 − τ)²",
    ),
    "hardmax": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Hardmax gives all weight to the key with the largest score; its gradient "
            "is 0, so nothing can be learned through it.",
        ),
        "1 for the largest sⱼ, else 0",
    ),
    "none": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The scores are used as the weights, unchanged: they may be negative, and "
            "a row may add up to anything.",
        ),
        "weights = s",
    ),
}
