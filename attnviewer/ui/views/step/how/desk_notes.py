"""Beside a mixing desk: where its row is among the weights, and what it takes most."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF

from attnviewer.ui.text.tokens import quoted
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.drawing import Shape, Sheet, Text
from attnviewer.ui.views.step.how.groups import are_shares
from attnviewer.ui.views.step.how.sheets import LABEL, SMALL, place
from attnviewer.ui.views.step.how.subject import Operand, Subject

_tr = translate_in("How")

SMALLEST_MAP, LARGEST_MAP = 48.0, 116.0
"""The sides of a map of the weights."""
LEAST_CELL = 2.0
LINE, APART = 18.0, 14.0
MOST_NAMED, ENOUGH = 3, 0.8
"""How many keys are named at most, and the share after which no more are."""


def weights_map(
    subject: Subject, weights_step: str, mixed: Sheet, room: QRectF
) -> Iterator[Shape]:
    """Yield all weights as a small map above the sum, with the row of the desk framed.

    Nothing where there is too little room.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    weights_step : str
        The step of the weights.
    mixed : Sheet
        The sum.
    room : QRectF
        Where the picture is drawn.
    """
    measures, whole = subject.measures, subject.operand(weights_step)
    left, top = mixed.rect.left(), room.top() + measures(APART)
    below = mixed.rect.top() - measures(48 + APART)  # with title and labels
    row = subject.focus[0]
    token = quoted(whole.row_labels[row])
    lines = [_tr("all weights"), _tr("row {token}").format(token=token)]
    size, line = measures(SMALL), measures(LINE)
    widest = max(measures.width(text, size) for text in lines)
    side = min(measures(LARGEST_MAP), below - top, mixed.rect.width())
    texts = QRectF(left + side + measures(APART), top, widest, line)
    if texts.right() > room.right() - measures(APART):
        # What it is stands above it where there is no room for more beside it.
        lines, texts = lines[:1], QRectF(left, top, mixed.rect.width(), line)
        top += line
        side = min(side, below - top)
    cell = side / max(whole.values.shape)
    if side < measures(SMALLEST_MAP) or cell < LEAST_CELL:
        return
    # Its numbers are beside it: the cells have none.
    yield replace(
        place(subject, whole, left, top, cell, lit=(row, None), lane="bar"),
        texts=(),
        size=0.0,
    )
    for number, text in enumerate(lines):
        yield Text(text, texts.translated(0, number * line), size, "muted", "left")


def contributions(
    subject: Subject, weights: Operand, rect: QRectF, sheets_bottom: float
) -> Iterator[Text]:
    """Yield the largest contributions to the row in words, below the desk.

    Nothing where there is too little room, while the step is played, or where weights
    are undefined or withheld.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    weights : Operand
        The row of weights, of all keys.
    rect : QRectF
        The width and the lower edge it has.
    sheets_bottom : float
        The lower edge of the sheets above it.
    """
    measures, size = subject.measures, subject.measures(LABEL)
    top = sheets_bottom + measures(8)
    if subject.progress is not None or top + measures(LINE) > rect.bottom():
        return
    if not np.isfinite(weights.values).all():
        return
    for most in range(MOST_NAMED, 0, -1):
        text = largest_in_words(weights, most)
        if measures.width(text, size) <= rect.width():
            line = QRectF(rect.left(), top, rect.width(), measures(LINE))
            yield Text(text, line, size, "text", "left")
            return


def largest_in_words(weights: Operand, most: int = MOST_NAMED) -> str:
    """Return which values a row takes most of, in a sentence.

    Parameters
    ----------
    weights : Operand
        One row of weights.
    most : int
        How many keys are named at most. None are after four fifths of the whole.
    """
    row, names = weights.values[0], weights.column_labels  # (n_k,)
    query = quoted(weights.row_labels[0])
    if not row.any():
        return _tr("{query} takes no values.").format(query=query)
    shares = are_shares(row)
    parts: list[str] = []
    named = 0.0
    for key in np.argsort(-np.abs(row), kind="stable")[:most].tolist():
        weight, name = float(row[key]), quoted(names[key])
        if (parts and named >= ENOUGH) or not weight:
            break
        if shares:
            named += weight
            part = (
                _tr("{share:.0f} % from {key}")
                if parts
                else _tr("{share:.0f} % of its values from {key}")
            )
            parts.append(part.format(share=100 * weight, key=name))
        else:
            part = _tr("{weight:.3g} for {key}")
            parts.append(part.format(weight=weight, key=name))
    *first, last = parts
    listed = _tr("{first} and {last}").format(first=", ".join(first), last=last)
    pattern = (
        _tr("{query} takes {listed}.")
        if shares
        else _tr("The largest weights of {query}: {listed}.")
    )
    return pattern.format(query=query, listed=listed if first else last)
