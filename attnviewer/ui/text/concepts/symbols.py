"""Every symbol that formulas are written with, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept

DIMENSIONS: dict[str, Concept] = {
    "n": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How many tokens there are: the rows of X. In log n, how many keys there "
            "are; in ln n, how many of them the query sees.",
        ),
        "X: n × d_model",
    ),
    "n_k": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How many keys there are: the columns of weights."
        ),
        "weights: n × n_k",
    ),
    "h": Concept(
        QT_TRANSLATE_NOOP("Concepts", "How many heads attend side by side."),
        "W_Q: d_model × h·d_k",
    ),
    "d_model": Concept(
        QT_TRANSLATE_NOOP("Concepts", "How many numbers an embedding has."),
        "X: n × d_model",
    ),
    "d_context": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How many numbers an embedding of the second sequence has."
        ),
        "context: n_k × d_context",
    ),
    "d_k": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "How many numbers a query and a key of one head have."
        ),
        "Q: n × d_k, K: n_k × d_k",
    ),
    "d_v": Concept(
        QT_TRANSLATE_NOOP("Concepts", "How many numbers a value of one head has."),
        "V: n_k × d_v",
    ),
    "√d_k": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The typical size of a dot product of two vectors of d_k independent "
            "numbers with mean 0 and variance 1: dividing by it keeps the variance of "
            "the scores at 1.",
        ),
        "scaled = scores / √d_k",
    ),
    "n_heads": Concept(
        QT_TRANSLATE_NOOP("Concepts", "How many query heads there are."),
        "n_heads = h",
    ),
    "n_kv_heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How many key/value heads there are; n_heads / n_kv_heads query heads "
            "share one.",
        ),
        "n_kv_heads = h_kv, K: h_kv × n_k × d_k",
    ),
}

SIGNS: dict[str, Concept] = {
    "i": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The index of a query, a row, from 0."),
        "scores[i, j]",
    ),
    "j": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The index of a key, a column, from 0."),
        "scores[i, j]",
    ),
    "k": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The index that a sum runs over, from 0."),
        "Σₖ weights[i, k] · V[k, j]",
    ),
    "p": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The other column of a pair that is rotated."),
        "Qᵢⱼ · cos θ − Qᵢₚ · sin θ",
    ),
    "s": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A score just before it is normalised: scaled, capped, biased, masked and "
            "divided by the temperature, as chosen.",
        ),
        "weights = softmax(s)",
    ),
    "m": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The largest score of a row, that of an extra key or a sink included. It "
            "is subtracted from each score before exponentiation: the weights stay the "
            "same, and no exponential overflows.",
        ),
        "e^(sⱼ − m) / Σₖ e^(sₖ − m)",
    ),
    "max": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The largest number of a row."), "max(sᵢ)"
    ),
    "e": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Euler’s number, 2.71828…: e^s is positive for every s and grows faster "
            "the larger s is.",
        ),
        "e^s = exp(s)",
    ),
    "Σ": Concept(
        QT_TRANSLATE_NOOP("Concepts", "A sum over what stands below it."),
        "Σₖ sₖ = s₀ + s₁ + …",
    ),
    "b": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The score of the sink, which each head has learned.",
        ),
        "e^sⱼ / (e^b + Σₖ e^sₖ)",
    ),
    "τ": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The threshold of a row, chosen so that the weights, which are made of "
            "what lies above it, add up to 1.",
        ),
        "Σⱼ max(0, sⱼ − τ) = 1, or Σⱼ max(0, sⱼ / 2 − τ)² = 1",
    ),
    "σ": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "The sigmoid, which brings every number between 0 and 1."
        ),
        "σ(x) = 1 / (1 + e^(−x))",
    ),
    "ε": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A tiny number that keeps a norm from dividing by 0.",
        ),
        "x / √(mean x² + ε)",
    ),
    "μ": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "The mean of a row, which a layer norm subtracts first."
        ),
        "μ = Σₖ xₖ / d",
    ),
    "d": Concept(
        QT_TRANSLATE_NOOP("Concepts", "How many numbers a row has that is normalised."),
        "mean x² = Σₖ xₖ² / d",
    ),
    "δ": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The row of a relative position: how far the query is after the key, from "
            "the middle of the table, and at most to its ends.",
        ),
        "δ(i, j) = i − j + k, from 0 to 2k − 1",
    ),
    "x": Concept(QT_TRANSLATE_NOOP("Concepts", "Any number."), "σ(x)"),
    "θ": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "The angle by which a pair of columns is rotated at a position."
        ),
        "θ = position · frequency",
    ),
    "position": Concept(
        QT_TRANSLATE_NOOP("Concepts", "Where a token stands in its sequence, from 0."),
        "θ = position · frequency",
    ),
    "slope": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How much a head subtracts from a score for each token of distance "
            "(ALiBi).",
        ),
        "s − slope · (i − j)",
    ),
    "bucket": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The row of the relative bias that a distance belongs to: near distances "
            "have a row each, distant ones share rows.",
        ),
        "s + relative_bias[bucket(j − i)]",
    ),
    "scale": Concept(
        QT_TRANSLATE_NOOP("Concepts", "What the scores are multiplied by."),
        "scaled = scores · scale",
    ),
    "c": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The soft cap: a bound that no score passes."),
        "c · tanh(s / c)",
    ),
    "tanh": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The hyperbolic tangent: like x near 0, and never beyond −1 and 1.",
        ),
        "tanh(x) = (e^x − e^(−x)) / (e^x + e^(−x))",
    ),
    "sin": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The sine of an angle."), "sin²θ + cos²θ = 1"
    ),
    "cos": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The cosine of an angle."), "sin²θ + cos²θ = 1"
    ),
    "log": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The natural logarithm."), "e^(log n) = n"
    ),
    "ᵀ": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The transpose: rows become columns."),
        "Kᵀ[k, j] = K[j, k]",
    ),
    "‖": Concept(
        QT_TRANSLATE_NOOP("Concepts", "The length of a vector."), "‖x‖ = √Σₖ xₖ²"
    ),
}
"""All symbols except steps and dimensions."""
