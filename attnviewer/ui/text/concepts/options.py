"""The values of choices that are listed in the Attention menu, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.compute import LengthScale, QKNorm
from attnviewer.compute.length_scale import Counted
from attnviewer.compute.spec import OutputGate
from attnviewer.document.variants.ablation import Ablation
from attnviewer.ui.text.concepts.choices import CHOICES
from attnviewer.ui.text.concepts.concept import Concept

_RMS = "gain · x / √(mean x² + ε)"
_LAYER = "gain · (x − mean) / √(mean (x − mean)² + ε) + shift"

NORMS: dict[str | None, Concept] = {
    None: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries and keys are compared as they are: the longer they are, the "
            "larger their scores.",
        ),
        "scores[i, j] = Qᵢ · Kⱼ",
    ),
    "RMS norm": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each query and key is divided by the root of its mean square, and each "
            "column multiplied by a learned gain.",
        ),
        _RMS,
    ),
    "layer norm": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The mean of each query and key is subtracted first; the rest is divided "
            "by its standard deviation, multiplied by a learned gain and shifted.",
        ),
        _LAYER,
    ),
    "RMS norm over all heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "RMS norm with one mean over the columns of all heads together, as in "
            "OLMo 2, instead of one for each head.",
        ),
        f"{_RMS}, mean over h·d_k columns",
    ),
    "layer norm over all heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Layer norm with one mean over the columns of all heads together instead "
            "of one for each head.",
        ),
        f"{_LAYER}, means over h·d_k columns",
    ),
}
"""By the title of the norm."""

GATES: dict[OutputGate | None, Concept] = {
    None: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "All that a head has found is passed on, whatever the token is."
        ),
        "heads · 1",
    ),
    "elementwise": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each number that a head has found has a gate of its own, between shut "
            "and open.",
        ),
        "gated[i, j] = heads[i, j] · σ(G[i, j])",
    ),
    "headwise": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each head has one gate for each token, which opens or shuts all that the "
            "head has found for it.",
        ),
        "gated[i, j] = heads[i, j] · σ(G[i])",
    ),
}

ABLATIONS: dict[Ablation, Concept] = {
    "off": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The head gives the output nothing, so that what changes shows what the "
            "head is for. Its weights stay visible.",
        ),
        "head[i] = 0 for every query i",
    ),
    "mean": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The head gives every query the same, the mean of what it has found, so "
            "that its usual contribution stays. Its weights stay visible.",
        ),
        "head[i] = Σⱼ head[j] / n for every query i",
    ),
}

PRECISIONS: dict[str | None, Concept] = {
    None: Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Double precision for up to 1,024 tokens, single beyond."
        ),
        "float64 if n ≤ 1024, else float32",
    ),
    "float64": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Double precision: about 16 digits, and 8 bytes a number."
        ),
        "ε = 2⁻⁵² ≈ 2.2e−16",
    ),
    "float32": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Single precision: about 7 digits, and 4 bytes a number."
        ),
        "ε = 2⁻²³ ≈ 1.2e−7",
    ),
}

_LENGTHS: dict[Counted, object] = {
    "keys": QT_TRANSLATE_NOOP(
        "Concepts",
        "A factor that grows with n, the number of keys that the query sees, as in "
        "Scalable-Softmax (Nakanishi 2025).",
    ),
    "position": QT_TRANSLATE_NOOP(
        "Concepts",
        "A factor that grows with i, the position of the query, as in the layers of "
        "Llama 4 without rotary positions.",
    ),
}


def norm_concept(norm: QKNorm | None) -> Concept:
    """Return the explanation of a norm of queries and keys."""
    return NORMS[None if norm is None else norm.title]


def length_concept(rule: LengthScale | None) -> Concept:
    """Return the explanation of a factor that grows with the length."""
    if rule is None:
        sentence = QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores do not depend on the length: of more keys, each gets less of the "
            "weights of softmax.",
        )
        return Concept(sentence, "s · 1")
    factor = f"({rule.symbols})" if rule.offset else rule.symbols
    return Concept(_LENGTHS[rule.counted], f"s · {factor}")


def cap_concept(cap: float | None) -> Concept:
    """Return the explanation of a soft cap."""
    if cap is None:
        return Concept(QT_TRANSLATE_NOOP("Concepts", "Scores may be of any size."), "s")
    return CHOICES["softcap"]
