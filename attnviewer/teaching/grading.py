"""The verdict on typed numbers."""

from collections.abc import Mapping

from attnviewer.teaching.carrying import carried
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of
from attnviewer.teaching.tasks.numbers import NumbersTask
from attnviewer.teaching.tasks.tolerance import read_typed
from attnviewer.teaching.verdict import CellVerdict, Verdict

EMPTY = "Nothing is typed here yet."


def grade(
    task: NumbersTask,
    situation: Situation,
    answer: Mapping[tuple[int, int], object],
) -> Verdict:
    """Return the verdict on typed numbers.

    A number is right if it is that of the document, or follows from what was answered
    to earlier tasks.

    Parameters
    ----------
    task : NumbersTask
        What is asked.
    situation : Situation
        The document, and the earlier answers.
    answer : mapping of (int, int) to str
        The numbers as they were typed; cells that were not asked for are left out.
    """
    trace = situation.document.compute()
    right = matrix_of(trace, task.step, task.head)
    asked = task.cells_in(situation.document, trace)
    cells: dict[tuple[int, int], CellVerdict] = {}
    wrong: dict[tuple[int, int], float] = {}
    for cell in asked:
        try:
            number = _number(answer.get(cell, ""))
        except ValueError as error:
            cells[cell] = CellVerdict(False, message=str(error))
            continue
        cells[cell] = CellVerdict(task.tolerance.holds(number, float(right[cell])))
        if not cells[cell].right:
            wrong[cell] = number
    if wrong:
        _carry(task, situation, wrong, cells)
    share = sum(verdict.right for verdict in cells.values()) / max(len(cells), 1)
    return Verdict(share == 1.0, share, "", cells)


def _number(text: object) -> float:
    if isinstance(text, str) and not text.strip():
        raise ValueError(EMPTY)
    return read_typed(text)


def _carry(
    task: NumbersTask,
    situation: Situation,
    wrong: dict[tuple[int, int], float],
    cells: dict[tuple[int, int], CellVerdict],
) -> None:
    """Count as right what follows from earlier answers."""
    for trace, from_wrong in carried(situation, task):
        numbers = matrix_of(trace, task.step, task.head)
        for cell, number in list(wrong.items()):
            if task.tolerance.holds(number, float(numbers[cell])):
                cells[cell] = CellVerdict(True, carried=from_wrong)
                del wrong[cell]
