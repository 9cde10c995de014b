"""The steps of disentangled attention and its inputs, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

RELATIVE: dict[str, Concept] = {
    "R": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "One row per relative position: its embedding. The row in the middle is "
            "that of a token itself, those before it are of keys to the right, those "
            "after it of keys to the left.",
        ),
        "R: 2k × d_model, δ(i, j) = i − j + k",
    ),
    "K_R": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The keys of the relative positions, which queries are compared with.",
        ),
        "K_R = R W_K, or R W_KR",
    ),
    "Q_R": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The queries of the relative positions, which keys are compared with.",
        ),
        "Q_R = R W_Q, or R W_QR",
    ),
    "c2p": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How well what the query looks for fits the distance to the key, whatever "
            "the key says.",
        ),
        "qᵢ · K_R[δ(i, j)]",
    ),
    "p2c": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How well the key fits the distance from the query, whatever the query "
            "looks for.",
        ),
        "kⱼ · Q_R[δ(i, j)]",
    ),
    "summed": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The scores of contents with contents, and those of contents with relative "
            "positions, added.",
        ),
        "scores + c2p + p2c",
    ),
    "W_KR": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn a relative position into a key.",
        ),
        "K_R = R W_KR, W_KR: d_model × h·d_k",
    ),
    "W_QR": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn a relative position into a query.",
        ),
        "Q_R = R W_QR, W_QR: d_model × h·d_k",
    ),
    "b_KR": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A learned row that is added to each key of a relative position.",
        ),
        "K_R = R W_KR + b_KR",
    ),
    "b_QR": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A learned row that is added to each query of a relative position.",
        ),
        "Q_R = R W_QR + b_QR",
    ),
}
