"""The `task` block, a reader for each kind."""

import math
from collections.abc import Callable
from typing import Any

from attnviewer.compute.arguments import check_name
from attnviewer.document import parse_number
from attnviewer.teaching.conditions import parse_condition
from attnviewer.teaching.ranking import parse_ranking
from attnviewer.teaching.reading.entries import Entries, Entry, LineError, read_value
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    Task,
    WrongStepTask,
)
from attnviewer.teaching.tasks.cells import parse_cells
from attnviewer.teaching.tasks.choice import Option
from attnviewer.teaching.tolerance import Tolerance

COMMON = "kind", "id", "points", "ask", "hint", "skip"
MOST_HINTS, MOST_OPTIONS, MOST_CONDITIONS, MOST_POINTS = 10, 20, 20, 1000


def read_task(entries: Entries, id: str) -> Task:
    """Return what a `task` block says.

    Parameters
    ----------
    entries : Entries
        Its lines.
    id : str
        Its id if it does not give itself one.

    Raises
    ------
    LineError
        If something is missing, unknown or out of range.
    """
    kind = entries.required("kind")
    read_value(kind, lambda text: check_name("kind", text, _KINDS))
    read, keys = _KINDS[kind.value]
    own = entries.one("id")
    hints = entries.many("hint")
    _check_count(hints, MOST_HINTS)
    common = {
        "id": id if own is None else read_value(own, read_id),
        "points": entries.whole("points", 1, 0, MOST_POINTS),
        "ask": entries.text("ask"),
        "hints": tuple(hint.value for hint in hints),
        "skippable": entries.yes("skip", True),
        "line": entries.line,
    }
    task = read(entries, common)
    entries.finish((*COMMON, *keys))
    return task


def read_id(text: str) -> str:
    """Return an id: letters, digits, hyphens and underscores.

    Raises
    ------
    ValueError
        If it is something else.
    """
    plain = text.replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum()) or len(text) > 60:
        raise ValueError(
            "The 'id' must be letters, digits, hyphens and underscores, 60 at most. "
            f"Got '{text}' instead."
        )
    return text


Common = dict[str, Any]


def _numbers(entries: Entries, common: Common) -> Task:
    cells, hide = entries.one("cells"), entries.one("hide")
    given: Common = {}
    if cells is not None:
        given["blocks"] = read_value(cells, parse_cells)
    if hide is not None:
        given["hidden"] = _names(hide)
    measures = [e for name in _MEASURES if (e := entries.one(name)) is not None]
    if len(measures) > 1:
        raise LineError(
            measures[1].line, "The task must have one of 'digits', 'abs' and 'rel'."
        )
    if measures:
        given["tolerance"] = _tolerance(measures[0])
    step = entries.required("step").value
    head = entries.whole("head", 0, 0, 999)
    return NumbersTask(step=step, head=head, **given, **common)


_MEASURES = "digits", "abs", "rel"


def _tolerance(entry: Entry) -> Tolerance:
    amount = read_value(entry, parse_number)
    if entry.key == "digits":
        if amount not in range(13):
            raise LineError(entry.line, "The 'digits' must be from 0 to 12.")
        return Tolerance("digits", amount)
    if not 0 <= amount < math.inf:
        raise LineError(entry.line, f"The '{entry.key}' must be at least 0.")
    return Tolerance("abs" if entry.key == "abs" else "rel", amount)


def _names(entry: Entry) -> tuple[str, ...]:
    """Return names of steps, apart by commas; ``nothing`` for none."""
    if entry.value == "nothing":
        return ()
    names = tuple(part.strip() for part in entry.value.replace("\n", " ").split(","))
    if not all(names):
        raise LineError(entry.line, f"The '{entry.key}' must be names apart by commas.")
    return names


def _choice(entries: Entries, common: Common) -> Task:
    listed = entries.many("option") + entries.many("right")
    listed.sort(key=lambda entry: entry.line)
    _check_count(listed, MOST_OPTIONS)
    among, answer = entries.one("options"), entries.one("answer")
    hide = entries.one("hide")
    hidden = () if hide is None else _names(hide)
    if (among is None) != (answer is None) or bool(listed) == (among is not None):
        raise LineError(
            entries.line,
            "The task must have either several 'option' and 'right', or 'options' and "
            "'answer'.",
        )
    if among is not None and answer is not None:
        read_value(among, lambda text: check_name("options", text, _AMONG))
        right = (
            answer.value
            if among.value == "steps"
            else read_value(answer, lambda text: parse_ranking(text, among.value))
        )
        return ChoiceTask(answer=right, hidden=hidden, **common)
    options = tuple(_option(entry) for entry in listed)
    if len(options) < 2 or not any(option.right for option in options):
        raise LineError(
            entries.line, "The task must have at least two options, one of them right."
        )
    return ChoiceTask(written=options, hidden=hidden, **common)


_AMONG = "keys", "queries", "heads", "steps"


def _option(entry: Entry) -> Option:
    # A bar inside a formula or code does not divide; blanks around it do.
    text, _, feedback = entry.value.partition(" | ")
    if not text.strip():
        raise LineError(entry.line, f"The '{entry.key}' must have a text.")
    return Option(text.strip(), entry.key == "right", feedback.strip())


def _make(entries: Entries, common: Common) -> Task:
    until, only = entries.many("until"), entries.one("only")
    if not until:
        raise LineError(entries.line, "The task must have an 'until'.")
    _check_count(until, MOST_CONDITIONS)
    conditions = tuple(read_value(entry, parse_condition) for entry in until)
    names = None if only is None else _names(only)
    return MakeTask(until=conditions, only=names, **common)


def _wrong_step(entries: Entries, common: Common) -> Task:
    return WrongStepTask(**common)


def _mistake(entries: Entries, common: Common) -> Task:
    options = entries.one("options")
    ids = () if options is None else _names(options)
    if options is not None and not 2 <= len(ids) <= MOST_OPTIONS:
        raise LineError(
            options.line, f"The 'options' must be 2 to {MOST_OPTIONS} mistakes."
        )
    return MistakeTask(ids=ids, **common)


def _check_count(entries: list[Entry], most: int) -> None:
    if len(entries) > most:
        raise LineError(
            entries[most].line,
            f"The '{entries[most].key}' must be at most {most} times.",
        )


_KINDS: dict[str, tuple[Callable[[Entries, Common], Task], tuple[str, ...]]] = {
    "numbers": (_numbers, ("step", "head", "cells", "hide", *_MEASURES)),
    "choice": (_choice, ("option", "right", "options", "answer", "hide")),
    "make": (_make, ("until", "only")),
    "wrong-step": (_wrong_step, ()),
    "mistake": (_mistake, ("options",)),
}
