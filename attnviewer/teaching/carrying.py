"""Errors carried forward: what follows from a learner's own earlier answers."""

from collections.abc import Iterator
from copy import copy

from attnviewer.compute import Pin, Trace
from attnviewer.document import Document, EditError
from attnviewer.document.pins import add_pins
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task

MOST_TASKS = 8
"""How many of the tasks before are looked at."""


def carried(
    situation: Situation, task: Task, step: str
) -> Iterator[tuple[Trace, bool]]:
    """Yield the computations that follow from earlier answers.

    The answers are set as pins: those of the last task, of the last two, and so on;
    those of the first tasks; and those of each task alone. A learner may go on from the
    rounded numbers of a step, or from more digits that were not asked for.

    Parameters
    ----------
    situation : Situation
        The document, and the answers.
    task : Task
        What is asked now; only answers of tasks before it count.
    step : str
        What it is about. Answers about the same step are left out.

    Yields
    ------
    tuple of (Trace, bool)
        The computation, and whether one of the answers is wrong; rounded ones are
        not.
    """
    document = situation.document
    answers = [
        held
        for earlier in situation.before(task)[-MOST_TASKS:]
        if (held := earlier.held(document, situation.earlier.get(earlier.id))).pins
        and held.pins[0].step != step
    ]
    count = len(answers)
    spans = [
        *((k, count) for k in reversed(range(count))),
        *((0, k) for k in range(1, count)),
        *((k, k + 1) for k in range(1, count - 1)),
    ]
    for first, end in spans:
        chosen = answers[first:end]
        trace = _pinned(document, [pin for held in chosen for pin in held.pins])
        if trace is not None:
            yield trace, any(held.wrong for held in chosen)


def _pinned(document: Document, pins: list[Pin]) -> Trace | None:
    """Return the computation with pins; None where a step cannot be pinned so."""
    made = copy(document)
    try:
        made.apply(add_pins(made, pins, "Go on from earlier answers"))
        return made.compute()
    except (EditError, ValueError):
        return None
