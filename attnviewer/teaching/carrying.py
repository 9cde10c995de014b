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

    The answers of the last task alone are set as pins, then those of the last two, and
    so on: a learner may go on from any of them.

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
    document, pins, wrong = situation.document, list[Pin](), False
    for earlier in reversed(situation.before(task)[-MOST_TASKS:]):
        held = earlier.held(document, situation.earlier.get(earlier.id))
        if not held.pins or held.pins[0].step == step:
            continue
        wrong |= held.wrong
        pins = [*held.pins, *pins]
        trace = _pinned(document, pins)
        if trace is None:
            return
        yield trace, wrong


def _pinned(document: Document, pins: list[Pin]) -> Trace | None:
    """Return the computation with pins; None where a step cannot be pinned so."""
    made = copy(document)
    try:
        made.apply(add_pins(made, pins, "Go on from earlier answers"))
        return made.compute()
    except (EditError, ValueError):
        return None
