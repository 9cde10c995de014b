"""Heads that look at separators: special tokens and punctuation."""

from collections.abc import Collection

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.detectors.patterns import pattern_score
from attnviewer.models.trace import ModelTrace

_SPECIAL = frozenset(("[SEP]", "</s>", "<|endoftext|>", "<eos>", "<|eot_id|>"))
_PUNCTUATION = frozenset(".,;:!?…")
_BLANK, _BREAK = "␣", "⏎"
"""How spaces and line breaks are shown in readable tokens."""


def separator(weights: Array, separators: Collection[int]) -> Array:
    """Return the share of the attention on separators, Σ_i Σ_(j in S) A_ij / ΣA.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights A.
    separators : collection of int
        The positions S of the separators, see `separators_of`.

    Returns
    -------
    ndarray of float64, shape (...,)
        NaN without separators.

    References
    ----------
    Clark et al. 2019, "What Does BERT Look At?", arXiv:1906.04341, section 3.2: the
    attention to [SEP], commas and full stops.
    """
    n = weights.shape[-1]
    pattern = np.zeros((n, n), np.bool_)
    pattern[:, list(separators)] = True
    return pattern_score(weights, pattern)


def separators_of(run: ModelTrace) -> tuple[int, ...]:
    """Return the positions of special tokens that end a part, and of punctuation.

    The first token is none; see `first_token_sink`.
    """
    readable = run.model.readable(run.tokens)
    pairs = zip(run.tokens, readable, strict=True)
    return tuple(
        position
        for position, (token, shown) in enumerate(pairs)
        if position and (token in _SPECIAL or _is_punctuation(shown))
    )


def _is_punctuation(shown: str) -> bool:
    signs = set(shown.strip(_BLANK))
    return bool(signs) and signs <= _PUNCTUATION | {_BREAK}
