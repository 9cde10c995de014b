"""The choices of patching and ablation in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

PATCHING: dict[str, Concept] = {
    "zero": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The head gives the layers after it nothing."),
        "head[i] = 0",
    ),
    "mean": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The head gives every token the same: the mean of what it has found for "
            "all tokens, of this sentence or of those that you give.",
        ),
        "head[i] = mean of head[j] over all j",
    ),
    "resample": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The head gives what it has found in other sentences, token by token; the "
            "metric is the mean over these.",
        ),
        "head[i] = head[i] of the other sentence",
    ),
    "clean": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Shows which activation alone spoils what the model does with the clean "
            "sentence.",
        ),
        "(m(patched) − m(clean)) / (m(corrupted) − m(clean))",
    ),
    "corrupted": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Shows which activation alone restores what the corruption has spoilt.",
        ),
        "(m(patched) − m(corrupted)) / (m(clean) − m(corrupted))",
    ),
    "head": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A number for each head, whose activations at all tokens are put in "
            "together.",
        ),
        "grid[layer, head]",
    ),
    "token": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A number for each token, whose activation is put in alone: a row for each "
            "head, or for each layer.",
        ),
        "grid[head or layer, token]",
    ),
    "heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "What one head has found for each token, before W_O."
        ),
        "head[i] = Σⱼ weights[i, j] · V[j]",
    ),
    "weights": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How much attention each token of one head pays to each other."
        ),
        "weights[i, j]",
    ),
    "values": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "What each token passes on to the others in one head."
        ),
        "V[j]",
    ),
    "stream": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The vector of a token as it enters a layer: its embedding, and all that "
            "the layers before have added to it.",
        ),
        "x[i]",
    ),
    "attention": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What all heads of a layer together add to the vector of a token.",
        ),
        "[head 0, …, head h − 1] W_O",
    ),
    "feed_forward": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What the MLP of a layer, which looks at one token at a time, adds to its "
            "vector.",
        ),
        "MLP(x[i])",
    ),
    "difference": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "By how much the model prefers one next token to another, before softmax.",
        ),
        "m = logit(token) − logit(minus)",
    ),
    "probability": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How probable a token is as the one that comes next."
        ),
        "m = softmax(logits)[token]",
    ),
    "cosine": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How alike the sentence embedding stays to that of the open sentence.",
        ),
        "m = a · b / (‖a‖ ‖b‖)",
    ),
}
"""By the value of the choice."""
