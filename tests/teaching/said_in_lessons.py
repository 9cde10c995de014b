"""What bundled lessons say beyond their documents: numbers, prints, typical slips."""

from math import cos, e, exp, log, sin, sqrt

import numpy as np

DOUBLE_MAX = 1.7976931348623157e308
JOURNEY = (0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865)
RERUN = exp(2 / sqrt(3))
UNSCALED = [exp(s) for s in (8.0, 2.0, 10.0, 2.0)]
REAL_POWERS = (46.2409, 3.4307, 68.31795)
"""Of the scores of "it" with "animal" and with "street", and the sum of its row."""
THRESHOLD_OF_THREE = (2.5 / 3, 2 - 2.5 / 3, 1.5 - 2.5 / 3)
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
    "positions": (
        sin(1),
        cos(1),
        sin(2),
        cos(2),
        100**-0.5,  # the slow pair
    ),
    "normalizers": (
        exp(2),
        e,
        exp(2) + e + 1,
        *THRESHOLD_OF_THREE,
        sum(THRESHOLD_OF_THREE[1:]),
        (1 + 0.8 + 0.6 - 1) / 3,
        (2 + 0.8 + 0.6 - 1) / 3,
        (2 + 0.8 - 1) / 2,
        1.4,
        2.5,
        1.25,
        0.75 + 0.5 + 0.25,  # the sum of the sigmoids
    ),
    "numerics": (
        e,
        1 + e,
        0.5,  # offered to be stored
        0.1,
        float(np.float16(0.1)),
        log(float(np.finfo(np.float16).max)),
        log(DOUBLE_MAX),
        exp(-1),
        exp(-2),
        1 + exp(-1) + exp(-2),
    ),
    "real-head": (
        sqrt(32),
        *REAL_POWERS,
        REAL_POWERS[0] / REAL_POWERS[1],
        log(REAL_POWERS[0] / REAL_POWERS[1]),
        log(REAL_POWERS[0]) / log(REAL_POWERS[1]),
        0.20,  # what test_the_real_head_is_as_its_lesson_says checks
        2.7,
        4.3,
        1 - 0.6768,
        0.1016 / (1 - 0.6768),
        0.034,
        0.5,  # asked of Goal Seek
        0.28,  # what test_real_head.py checks
        0.33,
        0.12,
    ),
    "gradients": (
        0.25,  # of a weight of one half on its own score
        0.1,  # the change of an input, and a weight
        0.9,
        3 * 0.1,
        0.5,
        exp(-8),
        exp(-8) / (1 + exp(-8)) ** 2,
        0.0007,  # what test_the_look_back_lesson_tells_of_training_as_it_is checks
        0.999,
        0.03,
        3 / 32,  # what test_gradients_are_as_their_lesson_says checks
        1 / 32,
        exp(4),
    ),
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
    ("positions/added", 1, ("1", "0"), "without positions"),
    ("positions/added", 1, ("1.54", "0.84"), "cosines and sines are exchanged"),
    ("positions/turned", 1, ("2", "1"), "if queries are not rotated by RoPE"),
    ("positions/turned", 1, ("-2", "-1"), "if RoPE is applied twice"),
    ("positions/by-distance", 2, ("2",) * 4, "without positions"),
    ("positions/by-distance", 2, ("-2",) * 4, "if keys are not rotated by RoPE"),
    ("normalizers/softmax", 0, ("0.67", "0.33", "0"), "without an exponential"),
    ("normalizers/softmax", 0, ("7.389", "2.718", "1"), "not divided by their sum"),
    ("normalizers/sparsemax", 0, ("0.57", "0.35", "0.08"), "softmax takes the place"),
    ("normalizers/sigmoid", 0, ("0.9", "0.75", "0.5"), "the bias −log n"),
    ("numerics/double", 0, ("0", "1"), "the largest score takes all the weight"),
    ("numerics/biased", 0, ("1", "2", "0"), "if the bias is not added"),
    ("numerics/wins", 0, ("1000", "12000"), "without −10000"),
    ("real-head/scaled", 10, ("21.69", "6.97"), "without 1/√d_k"),
    ("real-head/scaled", 10, ("0.68", "0.22"), "d_k instead of its root"),
    ("real-head/weights", 10, ("46.24", "3.43"), "not divided by their sum"),
    ("gradients/step-score", 0, ("0.4", "0"), "without the softmax"),
    ("gradients/sure", 0, ("0.0003", "0.9997"), "the other sign"),
    ("gradients/on-values", 0, ("6", "3", "1"), "not divided by their sum"),
    ("numerics/nan", 0, ("1", "-inf"), "without the mistake"),
]
"""Task, row, what many a learner types, and a part of what the checker says to it."""
