"""The texts about a head and its chosen query."""

import numpy as np

from attnviewer.compute import Array, HeadStatistics, top_keys
from attnviewer.document import Labels, distinct_label
from attnviewer.ui.text.head_statistics import in_words, number_of, with_unit
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("LinesBeside")

BESIDE = "first_share", "previous_share", "distance"
"""The means shown below the entropy."""
TOP = 3
"""The number of keys that are named."""
DECIMALS = 4
UNBROKEN = "\u00a0"
"""A non-breaking space."""


def statistics_lines(found: HeadStatistics | None, head: int) -> list[str]:
    """Return the means of a head, beside those of all heads if there are several.

    Parameters
    ----------
    found : HeadStatistics or None
        The means of all heads; None while they are not known yet.
    head : int
        The head.
    """
    mean = _tr("(layer mean {})")
    entropy = _compared("entropy", found, head, mean)
    others = (
        _compared(name, found, head, "({})").replace(" ", UNBROKEN) for name in BESIDE
    )
    return [entropy, f"{UNBROKEN}· ".join(others)]


def query_line(labels: Labels, queries: tuple[int, ...]) -> str:
    """Return the heading of what one query attends to, or several in sum."""
    if len(queries) > 1:
        return _tr("{count} queries together attend to:").format(count=len(queries))
    name = distinct_label("queries", labels, queries[0], token_label)
    return _tr("query {token} attends to:").format(token=quoted(name))


def looked_at(row: Array, labels: Labels) -> list[tuple[str, str]]:
    """Return the keys with the largest weights of a row, and the weights.

    Parameters
    ----------
    row : ndarray, shape (n_k,)
        The weights; NaN and zero are left out.
    labels : Labels
        The names of the keys.
    """
    shown = np.isfinite(row) & (row != 0)  # (n_k,)
    keys = [k for k in top_keys(np.where(shown, row, -np.inf), TOP) if shown[k]]
    return [
        (
            distinct_label("keys", labels, key, token_label),
            format_number(float(row[key]), DECIMALS),
        )
        for key in keys
    ]


def _compared(name: str, found: HeadStatistics | None, head: int, mean: str) -> str:
    if found is None:
        return in_words(name, "…")
    values = getattr(found, name)  # (heads,)
    text = in_words(name, with_unit(name, float(values[head])))
    if len(values) == 1:
        return text
    known = values[~np.isnan(values)]
    over_all = float(known.mean()) if known.size else np.nan
    return f"{text} {mean.format(number_of(name, over_all))}"
