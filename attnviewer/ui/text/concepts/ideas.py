"""The ideas behind attention that the steps have in common."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from attnviewer.ui.text.concepts.concept import CONTEXT, Concept

IDEAS: dict[str, tuple[object, Concept]] = {
    "history": (
        QT_TRANSLATE_NOOP("Concepts", "Why attention"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "A recurrent network (RNN) reads a sentence token by token and must "
                "keep all of it in one state, where early tokens fade in long "
                "sentences. Attention, first added to the decoder of translating RNNs "
                "in 2014, lets every output look back at all tokens and choose.",
            ),
            "hₜ = f(hₜ₋₁, xₜ)",
        ),
    ),
    "attention": (
        QT_TRANSLATE_NOOP("Concepts", "Attention"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "A query is compared with every key; the scores become weights; the "
                "output is the sum of the values, each multiplied by its weight.",
            ),
            "attention(q, K, V) = Σᵢ αᵢ vᵢ, αᵢ = softmax(q · kᵢ)",
        ),
    ),
    "search": (
        QT_TRANSLATE_NOOP("Concepts", "Query, key and value"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "As in a search for videos: what you type is the query, titles "
                "and descriptions are the keys, and the videos are the "
                "values. Attention does not return only the best match but "
                "a mixture of all values, with more weight on better "
                "matches.",
            ),
            "q = x W_Q, k = x W_K, v = x W_V",
        ),
    ),
    "matrix_form": (
        QT_TRANSLATE_NOOP("Concepts", "All queries at once"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "Queries, keys and values stacked as rows of matrices give the outputs "
                "of all tokens in three products, faster than a loop.",
            ),
            "attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
        ),
    ),
    "root": (
        QT_TRANSLATE_NOOP("Concepts", "Why √d_k"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "If the numbers of q and k are independent with mean 0 and variance 1, "
                "q · k has variance d_k. With large scores, softmax gives all weight "
                "to one key, where gradients vanish; divided by √d_k, scores keep "
                "variance 1.",
            ),
            "scaled = scores / √d_k",
        ),
    ),
    "softmax": (
        QT_TRANSLATE_NOOP("Concepts", "Why softmax"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "Divided by their sum, scores become shares only if none is negative "
                "and the sum is not near 0. Softmax makes every score positive first, "
                "and what is added to all scores of a row cancels, so that large ones "
                "need not overflow.",
            ),
            "weightsⱼ = e^sⱼ / Σₖ e^sₖ = e^(sⱼ − max) / Σₖ e^(sₖ − max)",
        ),
    ),
    "pin": (
        QT_TRANSLATE_NOOP("Concepts", "Pins"),
        Concept(
            QT_TRANSLATE_NOOP(
                "Concepts",
                "A pin holds a number of a step: once the step is computed, the number "
                "is set, added to or scaled, and everything after it follows. If a "
                "weight is pinned, the others of its row may share what it leaves of "
                "1. Gradients stop at a number that is set.",
            ),
            "pinned = value, computed + value or computed · value",
        ),
    ),
}
"""Titles and their texts, in reading order."""


def idea_title(idea: str) -> str:
    """Return the translated title of an idea."""
    return QCoreApplication.translate(CONTEXT, str(IDEAS[idea][0]))
