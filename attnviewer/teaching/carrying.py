"""Errors carried forward: what follows from a learner's own earlier answers."""

from collections.abc import Iterator, Mapping
from copy import copy

import numpy as np

from attnviewer.compute import Pin, Trace
from attnviewer.document import Document, EditError
from attnviewer.document.pins import add_pins
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of
from attnviewer.teaching.tasks.numbers import NumbersTask
from attnviewer.teaching.tasks.tolerance import read_typed

MOST_TASKS = 8
"""How many of the tasks before are looked at."""


def carried(situation: Situation, task: NumbersTask) -> Iterator[tuple[Trace, bool]]:
    """Yield the computations that follow from earlier answers.

    The answers of the last task alone are set as pins, then those of the last two, and
    so on: a learner may go on from any of them.

    Parameters
    ----------
    situation : Situation
        The document, and the answers.
    task : NumbersTask
        What is asked now.

    Yields
    ------
    tuple of (Trace, bool)
        The computation, and whether one of the answers is wrong; rounded ones are
        not.
    """
    document = situation.document
    right = document.compute()
    later: list[Pin] = []
    wrong = False
    before = [t for t in situation.before(task) if isinstance(t, NumbersTask)]
    for earlier in reversed(before[-MOST_TASKS:]):
        answer = situation.earlier.get(earlier.id)
        if not isinstance(answer, Mapping) or earlier.step == task.step:
            continue
        typed = _typed(document, right, earlier, answer)
        if not typed:
            continue
        numbers = matrix_of(right, earlier.step, earlier.head)
        wrong |= not all(
            earlier.tolerance.holds(number, float(numbers[cell]))
            for cell, number in typed.items()
        )
        later = _pins(right, earlier, typed) + later
        pinned = _pinned(document, later)
        if pinned is None:
            return
        yield pinned, wrong


def _typed(
    document: Document, right: Trace, task: NumbersTask, answer: Mapping[object, object]
) -> dict[tuple[int, int], float]:
    """Return the numbers of an earlier answer that a pin can hold."""
    found = {}
    for cell in task.cells_in(document, right):
        if cell not in answer:
            continue
        try:
            number = read_typed(answer[cell])
        except ValueError:
            continue
        if np.isfinite(number) or number == -np.inf:
            found[cell] = number
    return found


def _pins(
    right: Trace, task: NumbersTask, typed: Mapping[tuple[int, int], float]
) -> list[Pin]:
    head = None
    shape = right.shape(task.step)
    if len(shape) > 2:
        heads = right.spec.n_heads
        head = task.head if shape[0] == heads else right.spec.kv_head_of(task.head)
    return [
        Pin(task.step, row, column, number, head=head)
        for (row, column), number in typed.items()
    ]


def _pinned(document: Document, pins: list[Pin]) -> Trace | None:
    """Return the computation with pins; None where a step cannot be pinned so."""
    made = copy(document)
    try:
        made.apply(add_pins(made, pins, "Go on from earlier answers"))
        return made.compute()
    except (EditError, ValueError):
        return None
