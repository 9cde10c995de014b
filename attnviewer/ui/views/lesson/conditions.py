"""Conditions of a document in words, and what their numbers are now."""

import re

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.document.labels import distinct_label
from attnviewer.teaching.conditions import (
    Compared,
    Condition,
    LargestIs,
    OptionIs,
    Seen,
)
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Lesson")
DIGITS = 3
_SIGNS = {">=": "≥", "<=": "≤", "!=": "≠"}
_PLACE = re.compile(r"([^\W\d][\w ]*)\[([^\],]+),([^\]]+)\]")


def in_words(condition: Condition, document: Document, trace: Trace) -> str:
    """Return what a condition asks, with the names of the document's tokens."""
    match condition:
        case LargestIs(step=step, row=row, column=column):
            text = _tr("in row {row} of {step}, the largest is at {column}")
            query, key = (
                quoted(_token(document, trace, step, axis, _written(place)))
                for axis, place in enumerate((row, column))
            )
            return text.format(row=query, step=step, column=key)
        case Seen(row=row, column=column, visible=visible):
            text = _tr("{query} sees {key}")
            if not visible:
                text = _tr("{key} is hidden from {query}")
            query, key = (
                _every(axis)
                if place is None
                else quoted(_token(document, trace, "weights", axis, _written(place)))
                for axis, place in enumerate((row, column))
            )
            return text.format(query=query, key=key)
        case OptionIs(name=name):
            return _tr("option {name}").format(name=name)
    text = _named(condition.text, document, trace)
    for typed, sign in _SIGNS.items():
        text = text.replace(typed, sign)
    return text


def present(condition: Condition, document: Document, trace: Trace) -> str:
    """Return the number that a condition is about, as it is now; "" without one."""
    if not isinstance(condition, Compared):
        return ""
    try:
        number = condition.left.value(document, trace, condition.head)
    except ValueError:
        return ""
    return _tr("now {number}").format(number=significant_number(number, DIGITS))


def holds_now(condition: Condition, document: Document, trace: Trace) -> bool:
    """Return whether a condition holds; one of what is no longer there does not."""
    try:
        return condition.holds(document, trace)
    except ValueError:
        return False


def _every(axis: int) -> str:
    return _tr("every key") if axis else _tr("every query")


def _written(place: int | str) -> str:
    return f'"{place}"' if isinstance(place, str) else str(place)


def _named(text: str, document: Document, trace: Trace) -> str:
    """Return a text with tokens in place of the numbers of rows and columns."""

    def named(found: re.Match[str]) -> str:
        step = found[1].split(" ", 1)[-1] if found[1] not in trace else found[1]
        places = (
            _token(document, trace, step, axis, found[2 + axis].strip())
            for axis in range(2)
        )
        return f"{found[1]}[{', '.join(places)}]"

    return _PLACE.sub(named, text)


def _token(document: Document, trace: Trace, step: str, axis: int, written: str) -> str:
    if not written.isdecimal() or step not in trace:
        return token_label(written.strip('"“”'))
    along = trace.stages[step].axes[axis]
    return distinct_label(along, document.labels, int(written), token_label)
