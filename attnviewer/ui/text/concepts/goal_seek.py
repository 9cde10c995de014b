"""Goal Seek in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

GOAL_SEEK: dict[str, Concept] = {
    "targets": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The values that numbers should reach or not exceed; all targets are met "
            "together.",
        ),
        "weights[i, j] = 0.8, entropy of row i ≤ 1",
    ),
    "free": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The inputs that may change to meet the targets, and by how much at most; "
            "all others stay.",
        ),
        "−limit ≤ Δ ≤ limit",
    ),
    "least_change": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The changes whose squares add up to the least: many small ones rather "
            "than a large one.",
        ),
        "min ‖Δ‖ = √(Σ Δ²)",
    ),
    "fewest_numbers": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "As few changed numbers as it finds, and of these the least change.",
        ),
        "min |{Δ ≠ 0}|",
    ),
}
"""In the order of the dialog."""
