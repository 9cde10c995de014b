"""The learned weights of a general or an additive score, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

SCORE_WEIGHTS: dict[str, Concept] = {
    "w": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights between query and key, so that either may be of any "
            "width (Luong et al. 2015).",
        ),
        "score = (q w) · k",
    ),
    "w_q": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights of the small network that compares query and key: those "
            "of the query.",
        ),
        "score = v · tanh(q w_q + k w_k)",
    ),
    "w_k": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights of the small network that compares query and key: those "
            "of the key.",
        ),
        "score = v · tanh(q w_q + k w_k)",
    ),
    "v": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn the output of the small network into one "
            "number, the score.",
        ),
        "score = v · tanh(q w_q + k w_k)",
    ),
}
