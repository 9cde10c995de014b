"""Tests whether drawn numbers suit computing by hand."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.teaching.ranking import Ranking

_APART = 1e-6
_SEEN = 0.01
"""How far numbers must be apart for anybody to see which is larger."""


def is_friendly(document: Document) -> bool:
    """Return whether a document has numbers that show something.

    All rows of the tokens differ, no column of a weight is zero, and each query has one
    key of the largest weight.

    Parameters
    ----------
    document : Document
        The document, without a mistake.
    """
    for name, matrix in document.matrices.items():
        rows = {tuple(row) for row in matrix.tolist()}
        if name in ("X", "context", "Q", "K") and len(rows) < len(matrix):
            return False
        if name.startswith("W_") and not matrix.any(axis=0).all():
            return False
    trace = document.compute()
    finite = bool(np.isfinite(trace["output"]).all())
    return finite and not _tied(trace["weights"])


def untied(document: Document, rankings: Sequence[Ranking]) -> bool:
    """Return whether what tasks rank in a document has no ties, nor nearly any."""
    trace = document.compute()
    try:
        for ranking in rankings:
            ranking.best(document, trace, _SEEN)
    except ValueError:
        return False
    return True


def _tied(weights: Array) -> bool:
    """Return whether a row has several largest numbers; of one key it cannot."""
    if weights.shape[-1] == 1:
        return False
    two = np.sort(weights, axis=-1)[..., -2:]  # (..., n_q, 2)
    return bool(np.any(two[..., 1] - two[..., 0] < _APART))
