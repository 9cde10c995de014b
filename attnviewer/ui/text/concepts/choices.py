"""Every choice about the variant, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.compute import Variant
from attnviewer.compute.scoring import SCORES as SCORINGS
from attnviewer.ui.text.concepts.concept import Concept

CHOICES: dict[str, Concept] = {
    "variant": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Where queries, keys and values come from, and how many heads there are.",
        ),
        "attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
    ),
    "dimensions": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How many numbers stand for a token, a query or key, and a value.",
        ),
        "X: n × d_model, Q: n × d_k, K: n_k × d_k, V: n_k × d_v",
    ),
    "heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How many heads attend in parallel, each with its own share"
            " of the columns, so that each can look for something "
            "different.",
        ),
        "headₖ = softmax(Qₖ Kₖᵀ / √d_k) Vₖ, k = 0, …, h − 1",
    ),
    "kv_heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How many key/value heads there are; where they are fewer than the query "
            "heads, neighbours share one, which saves memory.",
        ),
        "query head k uses key/value head ⌊k · h_kv / h⌋",
    ),
    "output_projection": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Whether a learned matrix W_O mixes what the heads have found into one "
            "vector per token.",
        ),
        "output = [head 0, …, head h − 1] W_O",
    ),
    "output_gate": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A gate between 0 and 1 that multiplies what a head has found, computed "
            "from the token itself: one for each number, or one for each head (Qiu et "
            "al. 2025).",
        ),
        "gated = heads · σ(X W_G)",
    ),
    "biases": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned rows that are added to every query, key, value or output.",
        ),
        "Q = X W_Q + b_Q",
    ),
    "bias": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Adds a number that you choose to each score, to favour a key or to "
            "suppress it.",
        ),
        "biased = s + bias",
    ),
    "positions": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How positions are encoded; without them, nothing but a mask tells "
            "attention the order of the tokens.",
        ),
        "X + P, or Q and K rotated, or scores − slope · distance",
    ),
    "qk_norm": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "QK norm: queries and keys are normalised before they are compared, so "
            "that no score grows without limit in training.",
        ),
        "gain_Q · Q / √(mean Q² + ε), and K likewise",
    ),
    "mask": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Which keys each query may look at; hidden ones get the score −∞ and so "
            "the weight 0.",
        ),
        "s where visible, else −∞",
    ),
    "scale": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What the scores are multiplied by, so that their size does not depend on "
            "the width of the keys.",
        ),
        "scaled = scores / √d_k",
    ),
    "length_scale": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A factor on the scores that grows with the length, so that attention does "
            "not become more even where there are more keys.",
        ),
        "s · ln n, or s · (1 + 0.1 · ln(⌊(i + 1) / 8192⌋ + 1))",
    ),
    "softcap": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A bound c that scores approach smoothly and never pass, so that none "
            "grows without limit in training.",
        ),
        "c · tanh(s / c)",
    ),
    "normalizer": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How the scores of a row become weights. Those of softmax are shares: they "
            "are positive and add up to 1.",
        ),
        "weights = softmax(s), row by row",
    ),
    "temperature": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Divides the scores before they become weights: below 1 those of softmax "
            "are sharper, above 1 more even.",
        ),
        "softmax(s / T)",
    ),
    "precision": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How many digits each number is computed and stored with."
        ),
        "x · (1 + δ) with |δ| ≤ ε / 2",
    ),
}

VARIANTS: dict[Variant, Concept] = {
    "simplified": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The embeddings are queries, keys and values at once; nothing is learned.",
        ),
        "softmax(X Xᵀ / √d_k) X",
    ),
    "self": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights make a query, a key and a value of every token, and all "
            "tokens look at the same sequence.",
        ),
        "softmax(Q Kᵀ / √d_k) V with Q = X W_Q, K = X W_K, V = X W_V",
    ),
    "multi_head": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Several heads attend side by side, each in its own columns, and W_O mixes "
            "what they find.",
        ),
        "[head 0, …, head h − 1] W_O",
    ),
    "cross": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries come from one sequence, keys and values from another, as when a "
            "translation looks at its source.",
        ),
        "Q = X W_Q, K = context W_K, V = context W_V",
    ),
    "given": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries, keys and values are entered directly, as another program "
            "computed them.",
        ),
        "softmax(Q Kᵀ / √d_k) V",
    ),
    "given_scores": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The scores or attention weights are entered directly; nothing is computed "
            "from queries and keys.",
        ),
        "output = weights V",
    ),
}

SCORES: dict[str, Concept] = {
    name: Concept(scoring.sentence, scoring.plain_rule)
    for name, scoring in SCORINGS.items()
}

_ROOT = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "Divides the scores by √d_k: if the numbers of q and k are independent with "
        "mean 0 and variance 1, q · k has variance d_k, and this brings it back to 1.",
    ),
    "scores / √d_k",
)
_UNSCALED = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "Leaves the scores as they are: with many columns, softmax then puts nearly "
        "all weight on one key.",
    ),
    "scores · 1",
)
_FACTOR = Concept(
    QT_TRANSLATE_NOOP("Concepts", "Multiplies the scores by a number that you choose."),
    "scores · scale",
)


def scale_concept(scale: float | None) -> Concept:
    """Return the explanation of a scale; None stands for 1/√d_k."""
    if scale is None:
        return _ROOT
    return _UNSCALED if scale == 1.0 else _FACTOR
