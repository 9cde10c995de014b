"""Every step and every input of a computation, in plain words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts.concept import Concept
from attnviewer.ui.text.concepts.relative import RELATIVE
from attnviewer.ui.text.concepts.score_weights import SCORE_WEIGHTS

STEPS: dict[str, Concept] = {
    "X": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "One row per token: its embedding, the numbers that stand for it.",
        ),
        "X: n × d_model",
    ),
    "context": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The embeddings of a second sequence, which the queries look into.",
        ),
        "K = context W_K, V = context W_V",
    ),
    "values": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The embeddings that the values are made of, in a sequence of their own.",
        ),
        "V = values W_V",
    ),
    "P": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "One row per position in the sequence, to be added to the embedding there.",
        ),
        "X + P",
    ),
    "X + P": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Embeddings with their positions added; without these, nothing but a mask "
            "tells attention the order of the tokens.",
        ),
        "X + P",
    ),
    **RELATIVE,
    "W_Q": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn an embedding into a query: what the token "
            "looks for.",
        ),
        "Q = X W_Q, W_Q: d_model × h·d_k",
    ),
    "W_K": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn an embedding into a key: what the token can be "
            "found by.",
        ),
        "K = X W_K, W_K: d_model × h_kv·d_k",
    ),
    "W_V": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn an embedding into a value: what the token "
            "passes on.",
        ),
        "V = X W_V, W_V: d_model × h_kv·d_v",
    ),
    "W_G": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that turn an embedding into the logits of the gates on "
            "what the heads have found for it.",
        ),
        "G = X W_G, W_G: d_model × h·d_v or d_model × h",
    ),
    "W_O": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned weights that mix what the heads have found into one vector per "
            "token.",
        ),
        "output = [head 0, …, head h − 1] W_O",
    ),
    "b_Q": Concept(
        QT_TRANSLATE_NOOP("Concepts", "A learned row that is added to every query."),
        "Q = X W_Q + b_Q",
    ),
    "b_K": Concept(
        QT_TRANSLATE_NOOP("Concepts", "A learned row that is added to every key."),
        "K = X W_K + b_K",
    ),
    "b_V": Concept(
        QT_TRANSLATE_NOOP("Concepts", "A learned row that is added to every value."),
        "V = X W_V + b_V",
    ),
    "b_O": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "A learned row that is added to every row of the output."
        ),
        "output = [head 0, …, head h − 1] W_O + b_O",
    ),
    "Q": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries: what each token looks for, like the words typed "
            "into a search for videos.",
        ),
        "Q = X W_Q",
    ),
    "K": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Keys: what each token can be found by, like the titles "
            "that a search for videos compares with the words typed.",
        ),
        "K = X W_K",
    ),
    "V": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Values: what each token passes on when it is attended to, like the "
            "videos that a search returns.",
        ),
        "V = X W_V",
    ),
    "G": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Logits of the gates on the outputs of the heads: far below 0 a gate is "
            "shut, at 0 half open, far above 0 open.",
        ),
        "G = X W_G, gates = σ(G) = 1 / (1 + e^(−G))",
    ),
    "S": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores or attention weights that were entered: one row per query, one "
            "column per key, heads side by side.",
        ),
        "S: n_q × h·n_k",
    ),
    "scores": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How well each query matches each key: with softmax, the larger the score, "
            "the more attention the key gets.",
        ),
        "scores[i, j] = Qᵢ · Kⱼ",
    ),
    "scaled": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Dot products grow with d_k. Dividing them by √d_k keeps softmax from "
            "giving all weight to one key, where gradients vanish.",
        ),
        "scaled = scores / √d_k",
    ),
    "tempered": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores multiplied by a factor that grows with the length of the text, so "
            "that the weights of many keys stay as sharp as those of few.",
        ),
        "tempered = s · ln n",
    ),
    "capped": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores squashed smoothly to between −c and c, so that none grows without "
            "limit in training.",
        ),
        "capped = c · tanh(s / c)",
    ),
    "bias": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Numbers added to the scores, which favour some keys and suppress others; "
            "−∞ hides a key.",
        ),
        "biased = s + bias",
    ),
    "position_ids": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Where each token stands along each axis, in a row of its own.",
        ),
        "θ = position along the axis of the pair · frequency",
    ),
    "relative_bias": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Learned numbers, one for each bucket of distances and each head. Near "
            "distances have a bucket each; distant ones share buckets.",
        ),
        "biased = s + relative_bias[bucket(j − i)]",
    ),
    "biased": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores with a number added to each, which favours some keys, such as "
            "near ones, and suppresses others.",
        ),
        "biased = s + bias",
    ),
    "sinks": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "A learned score for each head that stands beside those of the keys: what "
            "it takes of a row goes to no token.",
        ),
        "weights = e^s / (e^b + Σ e^s), b: 1 × h",
    ),
    "mask": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Which keys each query may look at: True for visible, False for hidden.",
        ),
        "masked = s where mask is True, else −∞",
    ),
    "masked": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Scores with −∞ wherever a query must not look: such a key gets no weight "
            "at all, from softmax because e^(−∞) is 0.",
        ),
        "masked = s where visible, else −∞",
    ),
    "weights": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "How each query shares out its attention: row i says how much of each "
            "value goes into output i.",
        ),
        "weights = softmax(scores / √d_k), row by row",
    ),
    "heads": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What each head finds for each query: the sum of its values, each "
            "multiplied by its weight.",
        ),
        "heads = weights V",
    ),
    "gated": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "What each head has found, multiplied by its gate: the token decides how "
            "much of it passes, so that a head can be silent.",
        ),
        "gated = heads · σ(G)",
    ),
    "concatenated": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "What all heads have found, side by side in one row per token."
        ),
        "[head 0, …, head h − 1]: n × h·d_v",
    ),
    "output": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The context vectors: for each query, what it has gathered from the values "
            "that it attends to.",
        ),
        "attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
    ),
    "extra_keys": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Learned keys without a token, which every query can look at."
        ),
        "extended K = rows of K, then extra_keys",
    ),
    "extra_values": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "The values that belong to the extra keys, which have no token."
        ),
        "extended V = rows of V, then extra_values",
    ),
    "gain_Q": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Learned factors, one for each column of normalised queries."
        ),
        "normed Q = gain_Q · Q / √(mean Q² + ε)",
    ),
    "gain_K": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "Learned factors, one for each column of normalised keys."
        ),
        "normed K = gain_K · K / √(mean K² + ε)",
    ),
    "shift_Q": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "A learned row that is added to every normalised query."
        ),
        "normed Q = gain_Q · (Q − mean) / √(mean (Q − mean)² + ε) + shift_Q",
    ),
    "shift_K": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts", "A learned row that is added to every normalised key."
        ),
        "normed K = gain_K · (K − mean) / √(mean (K − mean)² + ε) + shift_K",
    ),
    **SCORE_WEIGHTS,
}

CHANGED: dict[str, Concept] = {
    "split": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The columns divided among the heads: head k gets the k-th block.",
        ),
        "(n, h·d) → (h, n, d)",
        holds_everywhere=True,
    ),
    "rotated": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Pairs of columns rotated by an angle that grows with the "
            "token’s position, so that a score depends on how far apart"
            " two tokens are.",
        ),
        "(x, y) → (x cos θ − y sin θ, x sin θ + y cos θ), θ = position · frequency",
        holds_everywhere=True,
    ),
    "normed": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries or keys brought to a common length by a norm, so that no score "
            "grows without limit in training.",
        ),
        "gain · x / √(mean x² + ε)",
    ),
    "unit": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Each row divided by its length, so that only its direction counts.",
        ),
        "x / ‖x‖",
        holds_everywhere=True,
    ),
    "extended": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "The rows of the tokens, followed by learned rows that belong to no token "
            "and are seen by every query.",
        ),
        "[rows of the tokens; extra rows]",
        holds_everywhere=True,
    ),
    "weighed": Concept(
        QT_TRANSLATE_NOOP(
            "Concepts",
            "Queries or keys multiplied by the learned weights of the score, so that "
            "they can be compared.",
        ),
        "q w_q, k w_k",
    ),
}
"""Steps that change Q, K, V or X, by the kind of change."""


def step_concept(step: str) -> Concept:
    """Return the sentence on a step or an input.

    Raises
    ------
    KeyError
        If there is no such step.
    """
    if step in STEPS:
        return STEPS[step]
    *source, last = step.split(" ")
    if source and last in ("w", "w_q", "w_k"):
        return CHANGED["weighed"]
    return CHANGED[step.partition(" ")[0]]
