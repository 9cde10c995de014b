"""What bundled lessons say beyond their documents: numbers, prints, typical slips."""

from math import e, exp, log, sqrt

DOUBLE_MAX = 1.7976931348623157e308
JOURNEY = (0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865)
RERUN = exp(2 / sqrt(3))
UNSCALED = [exp(s) for s in (8.0, 2.0, 10.0, 2.0)]
RANDOM = (0.53041613, 0.13610384, 0.3418364, 0.36677499)

COMPUTED: dict[str, tuple[float, ...]] = {
    "four-words": (
        sqrt(3),
        exp(4 / sqrt(3)),
        4 / sqrt(3),
        max(UNSCALED) / sum(UNSCALED),
    ),
    "one-query": (
        RERUN,
        3 + RERUN,
        1 / (3 + RERUN),  # on the page about matrices that do not give them
        RERUN / (3 + RERUN),
    ),
    "simplified": (
        sum(JOURNEY),
        exp(JOURNEY[1]),
        sum(exp(s) for s in JOURNEY),
        JOURNEY[1] / sum(JOURNEY),  # by the sum, on the page about softmax
        JOURNEY[4] / sum(JOURNEY),
    ),
    "fixed-query": (
        *(exp(s) for s in RANDOM),
        sum(exp(s) for s in RANDOM),
        DOUBLE_MAX / 10**308,
        log(DOUBLE_MAX),
        exp(-1),
        1 + exp(-1),
        1.001,  # a wrong answer
    ),
    "masks": (e, e**2, e**3, 1 + e + e**2 + e**3),
}
"""Numbers in the texts of a lesson that no step of the page's document holds."""

PRINTED = [
    ("four-words", "0.2361, 0.0074, 0.7491 and 0.0074", "000", "weights", 0),
    ("one-query", "1.67601, 1.67601 and 0.64798", "001", "attention_word1", None),
    ("one-query", "scores 0, 0, 0 and 2", "001", "scores_word1", None),
    ("one-query", "W_Q: 8 4 1; 3 6 7; 2 0 3", "001", "W_Q_printed", None),
    ("one-query", "W_K: 1 1 1; 1 1 1; 1 0 2", "001", "W_K_printed", None),
    ("one-query", "W_V: 1 1 1; 1 1 1; 2 2 1", "001", "W_V_printed", None),
    (
        "simplified",
        "0.9544, 1.4950, 1.4754, 0.8434, 0.7070 and 1.0865",
        "002",
        "attention_score_2",
        None,
    ),
    ("simplified", "0.4419, 0.6515, 0.5683", "002", "all_context_vec", 1),
    ("fixed-query", "72, 3, 64 and 69", "003", "tokens", None),
    ("fixed-query", "0.5304, 0.1361, 0.3418 and 0.3668", "003", "score", None),
]
"""Lesson, what it says that a notebook prints, the notebook, its array, and the row."""

PRINTED_ONCE = [
    ("one-query", "0.16199 and 0.51402", "001", "weights_word1", (0, 3)),
    ("simplified", "0.2278", "002", "attention_weight_2_sum_normalised", (1,)),
    ("simplified", "0.2379", "002", "attn_weight_2_softmax", (1,)),
    ("fixed-query", "0.29838948", "003", "weight", (0,)),
]
"""The same of some numbers of a vector."""

Slip = tuple[str, int, tuple[str, ...], str]
SLIPS: list[Slip] = [
    ("four-words/query", 2, ("2", "2", "3"), "if W_Q is transposed"),
    ("four-words/scaled", 0, ("8", "2", "10", "2"), "without 1/√d_k"),
    (
        "four-words/scaled",
        0,
        ("2.67", "0.67", "3.33", "0.67"),
        "d_k instead of its root",
    ),
    ("four-words/weights", 1, ("10.07", "1", "10.07", "1"), "not divided by their sum"),
    ("four-words/weights", 1, ("0.49", "0.01", "0.49", "0.01"), "without 1/√d_k"),
    ("one-query/weights", 0, ("0.1", "0.1", "0.1", "0.71"), "without 1/√d_k"),
    ("one-query/weights", 0, ("0", "0", "0", "1"), "divided by their sum, without an"),
    ("one-query/printed-scores", 0, ("13", "13", "13", "10"), "scores[word 1, word 1]"),
    ("simplified/sum-weights", 1, ("0.14", "0.24", "0.23"), "softmax takes the place"),
    ("simplified/broken", 0, ("0.98", "0.00", "0.02"), "softmax takes the place"),
    ("fixed-query/naive-softmax", 1, ("1.15", "1.41", "1.44"), "not divided by"),
    ("fixed-query/naive-softmax", 1, ("0.1", "0.25", "0.27"), "without an exp"),
    ("fixed-query/overflow", 0, ("0.27", "0.73"), "without the mistake"),
    ("fixed-query/stable", 0, ("nan", "nan"), "if the exponential overflows"),
    ("masks/masked", 1, ("0", "1", "3", "2"), "without the causal mask"),
    ("masks/causal-weights", 2, ("0.25",) * 4, "without the causal mask"),
    ("masks/causal-weights", 2, ("0.25", "0.25", "0.25", "0"), "after the softmax"),
    ("masks/late", 1, ("0.27", "0.73", "0", "0"), "without the mistake"),
    ("heads/scores-1", 2, ("2", "3", "2"), "is the number of head 0"),
    ("heads/mixed", 0, ("2", "1", "1", "2"), "without W_O"),
    ("heads/grouped", 0, ("3", "0", "3"), "tiled instead of repeated"),
]
"""Task, row, what many a learner types, and a part of what the checker says to it."""
