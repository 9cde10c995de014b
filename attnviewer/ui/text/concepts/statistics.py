"""Every statistic of rows, keys and heads, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

_SHARES = "p[i, j] = weights[i, j] / Σₖ weights[i, k]"

STATISTICS: dict[str, Concept] = {
    "row_sum": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What the weights of a row add up to: 1, if they are shares of one query’s "
            "attention.",
        ),
        "Σⱼ weights[i, j]",
    ),
    "maximum": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The largest weight of a row."),
        "maxⱼ weights[i, j]",
    ),
    "entropy": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How widely a query spreads its attention, in bits: 0 for a"
            " single key, log₂ n_k if all keys get the same.",
        ),
        f"H = −Σⱼ p[i, j] log₂ p[i, j], {_SHARES}",
    ),
    "effective_keys": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The number of keys that would give the same entropy if they shared the "
            "attention evenly.",
        ),
        "2^H",
    ),
    "span": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The smallest and the largest score of a query. Softmax sees only the"
            " distances between scores: the further apart they are, the more of the"
            " attention the largest one gets.",
        ),
        "minⱼ scores[i, j] … maxⱼ scores[i, j] over the visible j",
    ),
    "mean_score": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The average score of a query."),
        "mean of scores[i, j] over the visible j",
    ),
    "distance": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How far away the keys are that a query attends to, in tokens, averaged "
            "by weight.",
        ),
        f"Σⱼ p[i, j] · |i − j|, {_SHARES}",
    ),
    "first_share": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How much attention goes to the first token, where many heads put what "
            "they do not need: an attention sink.",
        ),
        f"p[i, 0], {_SHARES}",
    ),
    "diagonal_share": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How much attention a token pays to itself, the diagonal."
        ),
        f"p[i, i], {_SHARES}",
    ),
    "previous_share": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How much attention a token pays to the one just before it."
        ),
        f"p[i, i − 1], {_SHARES}",
    ),
    "visible": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Whether a row has any weight; it has none if all keys are masked.",
        ),
        "maxⱼ |weights[i, j]| > 0",
    ),
    "negative": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Whether a row has a negative weight, which cannot be a share.",
        ),
        "minⱼ weights[i, j] < 0",
    ),
    "received": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How much attention a key gets from all queries together. Where every row "
            "adds up to 1, keys get n_q / n_k on average.",
        ),
        "Σᵢ weights[i, j]",
    ),
    "top_keys": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The keys with the largest numbers in a row."),
        "sorted by weights[i, j], largest first",
    ),
    "marked": Concept(
        QT_TRANSLATE_NOOP("Concepts", "What the marked columns of a row add up to."),
        "Σ weights[i, j] over the marked j",
    ),
    "mean": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Several heads as one: the mean of each cell over the heads."
        ),
        "Σₖ weightsₖ[i, j] / number of heads",
    ),
    "max": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Several heads as one: the largest number of each cell among the heads.",
        ),
        "maxₖ weightsₖ[i, j]",
    ),
    "range": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The smallest and the largest number of a head."),
        "min to max of all cells",
    ),
    "cell": Concept(
        QT_TRANSLATE_NOOP("Concepts", "A head’s number in the selected cell."),
        "weights[head, i, j]",
    ),
    "similarity": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How alike two heads are: 1 if they are the same, 0 if they look at no "
            "common key.",
        ),
        f"mean over i of Σⱼ √(p[i, j] · p′[i, j]), {_SHARES}",
    ),
    "gradient": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How fast a number changes as another grows: the partial derivative.",
        ),
        "∂ output[i, j] / ∂ X[k, l]",
    ),
}
