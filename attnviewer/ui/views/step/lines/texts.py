"""Texts of tokens and lines, for tool tips and screen readers."""

import numpy as np

from attnviewer.compute import StepHead
from attnviewer.ui.state.folded_lines import FoldedLines, numbered
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.numbers import full_number, significant_number
from attnviewer.ui.text.pins import pinned_words
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.lines.content import LinesContent
from attnviewer.ui.views.step.lines.focus import Token
from attnviewer.ui.views.step.lines.reading import Reading

_tr = translate_in("Lines")

TOLD = 3
"""Links of a token that are listed."""
DIGITS = 3


def token_words(content: LinesContent, token: Token) -> str:
    """Return what a token is, and its strongest links."""
    side, index = token
    reading = content.reading
    of_query = side == "queries"
    mine, others = content.labels if of_query else content.labels[::-1]
    lines = FoldedLines(reading.folding)
    number = lines.number(index, rows=of_query)
    if number is None:
        pattern = _tr("Query {token}.") if of_query else _tr("Key {token}.")
    else:
        pattern = (
            _tr("Query {number}: {token}.")
            if of_query
            else _tr("Key {number}: {token}.")
        )
    links_text = pattern.format(number=number, token=mine[index])
    weights = reading.of(side, index)  # (heads, others)
    if not reading.heads:
        return links_text
    if np.isnan(weights).any():
        return f"{links_text} {_tr('Some of its weights are not a number.')}"
    if not weights.any():
        none = (
            _tr("It attends to no key: all its weights are 0.")
            if of_query
            else _tr("No query attends to it: all its weights are 0.")
        )
        return f"{links_text} {none}"
    mean = weights.mean(axis=0)  # (others,)
    order = np.argsort(-np.abs(mean), kind="stable")[:TOLD]
    links = ", ".join(
        f"{numbered(token_label(others[k]), lines.number(k, rows=not of_query))} "
        f"{significant_number(float(mean[k]), DIGITS)}"
        for k in order.tolist()
        if mean[k] != 0
    )
    pattern = (
        _tr("Strongest: {links}.")
        if len(reading.heads) == 1
        else _tr("Strongest, as the mean of the heads: {links}.")
    )
    return f"{links_text} {pattern.format(links=links)}"


def line_words(content: LinesContent, cell: Position) -> str:
    """Return which tokens a line joins, and its weight in each head."""
    query, key = cell
    names = content.labels[0][query], content.labels[1][key]
    reading = content.reading
    numbers = [_weight_words(reading, head, cell) for head in reading.heads]
    if len(numbers) > 1:
        pairs = zip(reading.heads, numbers, strict=True)
        numbers = [f"H{head} {number}" for head, number in pairs]
    return f"{names[0]} → {names[1]}: {', '.join(numbers)}"


def _weight_words(reading: Reading, head: int, cell: Position) -> str:
    """Return a weight, with what was computed if it is pinned."""
    query, key = cell
    weights = reading.weights(head)
    here = slice(query, query + 1), slice(key, key + 1)
    number = full_number(float(weights.window(*here)[0, 0]))
    computed = None
    if isinstance(weights, StepHead):
        computed = weights.computed_value(query, key)
    return number if computed is None else f"{number}, {pinned_words(computed)}"
