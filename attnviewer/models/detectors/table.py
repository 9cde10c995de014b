"""All detectors by name."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.detectors.copy_suppression import copy_suppression
from attnviewer.models.detectors.detector import Detector
from attnviewer.models.detectors.first_token_sink import EPSILON, first_token_sink
from attnviewer.models.detectors.local import WINDOW, local
from attnviewer.models.detectors.readings import HeadsReading, RunReading
from attnviewer.models.detectors.repeated_tokens import (
    duplicate_token,
    has_repeated,
    induction,
    prefix_matching,
)
from attnviewer.models.detectors.retrieval import retrieval
from attnviewer.models.detectors.separator import separator

_HILL = "Hill 1973, Diversity and Evenness"
_OLSSON = "Olsson et al. 2022, arXiv:2209.11895"
_VIG = "Vig and Belinkov 2019, arXiv:1906.04284"
# The sinks of gpt-oss leave rows whose sum is less than 1.
_SHARES = "p_ij = A_ij / Σ_k A_ik"


def _mean(name: str) -> Callable[[HeadsReading], Array]:
    read = attrgetter(f"statistics.{name}")
    return lambda heads: np.asarray(read(heads), np.float64)


def _no_repetition(reading: RunReading) -> str:
    return "" if has_repeated(reading.run.ids) else "No token occurs twice."


def _no_tokens(reading: RunReading) -> str:
    return "The model reads images." if reading.run.model.reads_pictures else ""


def _no_separator(reading: RunReading) -> str:
    return "" if reading.separators else "There is no separator after the first token."


def _no_unembedding(reading: RunReading) -> str:
    try:
        reading.run.model.weights.unembedding([0])
    except ValueError as error:
        return str(error)
    return ""


def _no_needle(reading: RunReading) -> str:
    return "" if reading.needle is not None else "No needle is given."


def _prefix_matching(heads: HeadsReading) -> Array:
    return prefix_matching(heads.random_weights, heads.whole.shared.random.ids)


def _copy_suppression(heads: HeadsReading) -> Array:
    own = heads.whole.unembedding
    pairs = zip(heads.weights, heads.moved(), strict=True)
    return np.array([copy_suppression(weights, moved, own) for weights, moved in pairs])


def _retrieval(heads: HeadsReading) -> Array:
    assert heads.whole.needle is not None
    return retrieval(heads.weights, heads.ids, heads.whole.needle)


DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {
        "entropy": Detector(
            "Entropy",
            "Mean entropy of the queries' attention, in bits.",
            f"−(1/n) Σ_i Σ_j p_ij log₂ p_ij, {_SHARES}",
            "Shannon 1948, A Mathematical Theory of Communication",
            _mean("entropy"),
        ),
        "effective_keys": Detector(
            "Effective keys",
            "Among how many keys the queries effectively spread their attention.",
            f"(1/n) Σ_i 2^(−Σ_j p_ij log₂ p_ij), {_SHARES}",
            _HILL,
            _mean("effective_keys"),
        ),
        "distance": Detector(
            "Mean distance",
            "Mean distance between a query and the keys it attends to, in tokens.",
            f"(1/n) Σ_i Σ_j p_ij |i − j|, {_SHARES}",
            _VIG,
            _mean("distance"),
        ),
        "first_share": Detector(
            "First token",
            "Mean attention to the first token.",
            f"(1/n) Σ_i p_i0, {_SHARES}",
            "Xiao et al. 2023, arXiv:2309.17453",
            _mean("first_share"),
        ),
        "previous_share": Detector(
            "Previous token",
            "Mean attention to the token before the query.",
            f"1/(n − 1) Σ_i p_(i, i−1), {_SHARES}",
            _OLSSON,
            _mean("previous_share"),
        ),
        "diagonal_share": Detector(
            "Own token",
            "Mean attention to the query's own token.",
            f"(1/n) Σ_i p_ii, {_SHARES}",
            _VIG,
            _mean("diagonal_share"),
        ),
        "duplicate_token": Detector(
            "Duplicate token",
            "Share of the attention on earlier occurrences of the query's token.",
            "Σ(A ⊙ D) / ΣA, D_ij = 1 if j < i and t_j = t_i",
            "Wang et al. 2023, arXiv:2211.00593; TransformerLens, detect_head",
            lambda heads: duplicate_token(heads.weights, heads.ids),
            "a token that occurs twice",
            _no_repetition,
            by_text=True,
        ),
        "induction": Detector(
            "Induction",
            "Share of the attention on tokens that follow an earlier occurrence of the "
            "query's token.",
            "Σ(A ⊙ D) / ΣA, D_ij = 1 if j ≤ i and t_(j−1) = t_i",
            f"{_OLSSON}; TransformerLens, detect_head",
            lambda heads: induction(heads.weights, heads.ids),
            "a token that occurs twice",
            _no_repetition,
            by_text=True,
        ),
        "prefix_matching": Detector(
            "Prefix matching",
            "Mean attention from repeated tokens to the tokens after their earlier "
            "occurrences, over 25 random tokens repeated 4 times.",
            "mean over repeated t_i of Σ_j A_ij, t_(j−1) = t_i",
            _OLSSON,
            _prefix_matching,
            "a run of its own over random tokens",
            _no_tokens,
        ),
        "first_token_sink": Detector(
            "Sink",
            "1 if the first token gets more than ε of the attention on average; over "
            "several texts, the share of texts where this holds.",
            f"1 if (1/n) Σ_i A_i0 > ε, ε = {EPSILON}",
            "Gu et al. 2025, arXiv:2410.10781",
            lambda heads: first_token_sink(heads.weights),
        ),
        "local": Detector(
            "Local",
            f"Share of the attention at most {WINDOW} tokens from the query.",
            f"Σ(A ⊙ D) / ΣA, D_ij = 1 if |i − j| ≤ {WINDOW}",
            "Kovaleva et al. 2019, arXiv:1908.08593",
            lambda heads: local(heads.weights),
        ),
        "separator": Detector(
            "Separator",
            "Share of the attention on punctuation and special tokens after the first.",
            "Σ_i Σ_(j in S) A_ij / ΣA",
            "Clark et al. 2019, arXiv:1906.04341",
            lambda heads: separator(heads.weights, heads.whole.separators),
            "a separator",
            _no_separator,
            by_text=True,
        ),
        "copy_suppression": Detector(
            "Copy suppression",
            "How far the head writes against the tokens it looks at: 1 if it lowers "
            "their logits alone, −1 if it raises them.",
            "−Σ A_ij cos(v_j W_O, u_j − ū) / ΣA_ij, j > 0, after the final norm",
            "after McDougall et al. 2023, arXiv:2310.04625",
            _copy_suppression,
            "a model that predicts tokens",
            _no_unembedding,
        ),
        "retrieval": Detector(
            "Retrieval",
            "Share of the needle's tokens that get the largest weight as the text "
            "repeats them.",
            "(positions in both g and k) / (positions in k)",
            "Wu et al. 2024, arXiv:2404.15574",
            _retrieval,
            "the positions of a needle",
            _no_needle,
        ),
    }
)
"""The detectors by the name of their column; the first six are in each `HeadRow`."""
