"""The sum of a mixing desk in numbers, which grows term by term during playback."""

import numpy as np
from PySide6.QtCore import QRectF

from attnviewer.compute import Array
from attnviewer.compute.number_text import MINUS, rounded
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.drawing import Sheet, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import TITLE
from attnviewer.ui.views.step.how.subject import ARRIVED, Subject

_tr = translate_in("How")

TO_VALUES_BY = 0.4
"""Share of a row's first cell after which the ribbons are at the values."""
LINE, ABOVE, PADDING, SIZE = 24.0, 14.0, 14.0, 14.0
_TERMS, _PLUS = 3, " + "


def channels(desk: Sheet) -> list[int]:
    """Return the keys that no mask hides, as indices into the drawn ones."""
    if desk.hidden is None:
        return list(range(desk.values.shape[0]))
    return np.flatnonzero(~desk.hidden[:, 0]).tolist()


def back_at(subject: Subject) -> float:
    """Return the progress of the ribbons of a row from the values to the sum."""
    share = (subject.row_share - TO_VALUES_BY) / (ARRIVED - TO_VALUES_BY)
    return min(1.0, max(0.0, share))


def sum_texts(
    subject: Subject, desk: Sheet, values: Sheet, mixed: Sheet, room: QRectF
) -> list[Text]:
    """Return the largest terms and the sum of the selected column, below the result.

    While the step is played, these are the terms that have been added.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    desk, values, mixed : Sheet
        The weights, the values and the result.
    room : QRectF
        Where they are drawn.
    """
    if subject.cell is None:
        return []
    measures = subject.measures
    column = subject.focus[1]
    weights, row = desk.values[:, 0], values.values[:, column]  # (keys,), (keys,)
    with np.errstate(all="ignore"):
        terms = weights * row  # (keys,)
    keys = channels(desk)
    added = keys[: int(_passed(subject) * len(keys) + 1e-9)]
    every = len(added) == len(keys)
    total = float(mixed.values[0, column]) if every else float(terms[added].sum())
    line, size = measures(LINE), measures(SIZE)
    top, left = mixed.rect.bottom() + measures(ABOVE), mixed.rect.left()
    width = room.right() - left - measures(PADDING)
    most = max(1, int((room.bottom() - top) // line) - 1)
    # The picture may show the strongest keys only.
    every_term = _terms(subject, desk.step, values.step, column)  # (n_k,)
    # A single term more is as short as its number.
    most_terms = _TERMS if weights.size > _TERMS + 1 else _TERMS + 1
    for count in range(min(most_terms, weights.size), 0, -1):
        largest = _largest(terms, count)
        written = [
            f"{_factor(float(weights[k]), first=k == largest[0])}"
            f"·{_factor(float(row[k]))}"
            for k in largest
        ]
        there = [every or k in added for k in largest]
        others = np.delete(every_term, [desk.columns[k] for k in largest])
        if others.size > 0:
            rest = rounded(float(others.sum()), 3)
            more = _tr("{count} more = {rest}").format(count=others.size, rest=rest)
            written.append(more)
            there.append(every)
        lines = _lines(written, width, most, size, measures)
        if _fit(written, lines, width, size, measures):
            break
    texts = []
    rect = QRectF(left, top, width, line)
    for indices in lines:
        text = _PLUS.join(written[k] for k in indices if there[k])
        if indices[-1] + 1 < len(written) and there[indices[-1] + 1]:
            text += _PLUS.rstrip()
        texts.append(Text(text, rect, size, "muted", "left", "normal", "number"))
        rect = rect.translated(0, line)
    equals, bold = f"= {rounded(total, 4)}", measures(TITLE)
    return [*texts, Text(equals, rect, bold, "text", "left", "bold", "number")]


def _factor(number: float, *, first: bool = False) -> str:
    """Write a factor, a negative one that does not begin the sum in brackets."""
    text = rounded(number, 3)
    return f"({text})" if text.startswith(MINUS) and not first else text


def _largest(terms: Array, count: int) -> list[int]:
    """Return which terms are the largest, in their order."""
    sizes = np.nan_to_num(np.abs(terms))  # (keys,)
    return sorted(np.argsort(-sizes, kind="stable")[:count].tolist())


def _terms(subject: Subject, weights: str, values: str, column: int) -> Array:
    """Return the terms of a number of the row, one of each key, drawn or not."""
    row = subject.focus[0]
    shares = subject.trace.window(weights, slice(row, row + 1), head=subject.head)[0]
    taken = subject.trace.window(values, head=subject.head)[:, column]
    with np.errstate(all="ignore"):
        return np.asarray(shares * taken)  # (n_k,)


def _passed(subject: Subject) -> float:
    """Return the share of the terms that has been added to the selected number."""
    if subject.progress is None:
        return 1.0
    if not subject.focus[1]:
        return back_at(subject)
    return min(1.0, subject.progress.share / ARRIVED)


def _lines(
    terms: list[str], width: float, most: int, size: float, measures: Measures
) -> list[list[int]]:
    """Break a sum into lines that fit a width, at most so many; return their terms."""
    lines: list[list[int]] = [[]]
    for number in range(len(terms)):
        longer = [*lines[-1], number]
        fits = _fit(terms, [longer], width, size, measures)
        if fits or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append([number])
    return lines


def _fit(
    terms: list[str],
    lines: list[list[int]],
    width: float,
    size: float,
    measures: Measures,
) -> bool:
    """Return whether lines of terms fit a width, with the sign at their ends."""
    texts = (
        _PLUS.join(terms[k] for k in line)
        + (_PLUS.rstrip() if line[-1] + 1 < len(terms) else "")
        for line in lines
    )
    return all(measures.width(text, size, "number") <= width for text in texts)
