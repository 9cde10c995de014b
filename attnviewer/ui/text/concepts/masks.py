"""Every kind of mask, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.document.masks import MaskKind
from attnviewer.ui.text.concepts.concept import Concept

MASKS: dict[MaskKind, Concept] = {
    "none": Concept(
        QT_TRANSLATE_NOOP("Concepts", "Every query sees every key."), "all i, j"
    ),
    "causal": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "No query sees a key that comes after it, as when a text is written token "
            "by token.",
        ),
        "j ≤ i",
    ),
    "window": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Each query sees only the keys near its own position."
        ),
        "i − left ≤ j ≤ i + right",
    ),
    "padding": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Hides the keys that only pad a sequence to the length of the others.",
        ),
        "j < number of real keys",
    ),
    "prefix": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Every query sees the whole prefix, and after it only what comes no later "
            "than itself.",
        ),
        "j < prefix or j ≤ i",
    ),
    "block": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each query sees only the keys of its own block, as where several texts "
            "share one sequence.",
        ),
        "block of i = block of j",
    ),
    "painted": Concept(
        QT_TRANSLATE_NOOP("Concepts", "You choose for each pair what is visible."),
        "mask[i, j]",
    ),
    "combined": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A key is visible only where every one of several masks shows it.",
        ),
        "mask 1 and mask 2 and …",
    ),
}
