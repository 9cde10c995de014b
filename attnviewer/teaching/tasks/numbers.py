"""The task to type the numbers of a step."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from attnviewer.compute import Array, Pin, Trace
from attnviewer.document import Document
from attnviewer.teaching.attempt import Attempt, Position
from attnviewer.teaching.carrying import carried
from attnviewer.teaching.feedback import explain
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of, own_head, steps_from
from attnviewer.teaching.tasks.cells import MOST_CELLS, CellBlock
from attnviewer.teaching.tasks.task import Held, Task
from attnviewer.teaching.tolerance import Tolerance, read_typed
from attnviewer.teaching.verdict import CellVerdict, Verdict

EMPTY = "Nothing is typed here yet."
CARRIED = "It follows from your earlier answer."
_TWO_DIGITS = Tolerance("digits", 2)


@dataclass(frozen=True, kw_only=True)
class NumbersTask(Task):
    """Numbers to be typed into empty cells.

    An answer is a mapping from (row, column) to the text as it was typed.

    Parameters
    ----------
    step : str
        The step.
    blocks : tuple of CellBlock
        Its cells that are asked for.
    head : int
        The head.
    hidden : tuple of str, or None
        The steps that are not shown before the answer; None hides the asked step and
        all that are computed from it.
    tolerance : Tolerance
        How close the numbers must come.
    """

    kind: ClassVar[str] = "numbers"

    step: str
    blocks: tuple[CellBlock, ...] = (CellBlock(None, None),)
    head: int = 0
    hidden: tuple[str, ...] | None = None
    tolerance: Tolerance = _TWO_DIGITS

    def cells(self, document: Document) -> tuple[Position, ...]:
        """Return the cells that are asked for, (row, column), in the order of text.

        Raises
        ------
        ValueError
            If the document has no such cells.
        """
        return self._cells(document, document.compute())

    def _cells(self, document: Document, trace: Trace) -> tuple[Position, ...]:
        found: dict[Position, None] = {}
        for block in self.blocks:
            found |= dict.fromkeys(block.positions(document, trace, self.step))
            if len(found) > MOST_CELLS:
                raise ValueError(
                    f"The 'cells' must be at most {MOST_CELLS}. Got more instead."
                )
        return tuple(found)

    def hide(self, document: Document) -> frozenset[str]:
        if self.hidden is not None:
            return frozenset(self.hidden)
        return steps_from(document.compute(), self.step)

    def check_fit(self, document: Document) -> None:
        trace = document.compute()
        if self.step == "mask":
            raise ValueError("The 'step' must have numbers. Got 'mask' instead.")
        matrix_of(trace, self.step, self.head)
        self._cells(document, trace)
        for name in self.hidden or ():
            matrix_of(trace, name)

    def held(self, document: Document, answer: Any) -> Held:
        if not isinstance(answer, Mapping):
            return Held()
        trace = document.compute()
        right = matrix_of(trace, self.step, self.head)
        head = own_head(trace, self.step, self.head)
        pins, wrong = [], False
        for cell in self._cells(document, trace):
            try:
                number = _number(answer.get(cell, ""))
            except ValueError:
                continue
            if math.isfinite(number) or number == -math.inf:
                pins.append(Pin(self.step, *cell, number, head=head))
                wrong |= not self.tolerance.holds(number, float(right[cell]))
        return Held(tuple(pins), wrong)

    def _verdict(self, situation: Situation, answer: Any) -> Verdict:
        typed = answer if isinstance(answer, Mapping) else {}
        document = situation.document
        trace = document.compute()
        right = matrix_of(trace, self.step, self.head)
        cells: dict[Position, CellVerdict] = {}
        numbers: dict[Position, float] = {}
        for cell in self._cells(document, trace):
            try:
                numbers[cell] = _number(typed.get(cell, ""))
            except ValueError as error:
                cells[cell] = CellVerdict(False, message=str(error))
            else:
                cells[cell] = CellVerdict(self._holds(numbers[cell], right, cell))
        traces = [trace]
        for other, from_wrong in carried(situation, self, self.step):
            if all(cells[cell].right for cell in numbers):
                break
            traces.append(other)
            follows = matrix_of(other, self.step, self.head)
            for cell, number in numbers.items():
                if not cells[cell].right and self._holds(number, follows, cell):
                    remark = CARRIED if from_wrong else ""
                    cells[cell] = CellVerdict(True, from_wrong, remark)
        message = ""
        if not all(cells[cell].right for cell in numbers):
            attempt = Attempt(
                document=document,
                trace=trace,
                step=self.step,
                head=self.head,
                tolerance=self.tolerance,
                texts={cell: str(typed[cell]) for cell in numbers},
                numbers=numbers,
                wrong=tuple(cell for cell in numbers if not cells[cell].right),
                carried=tuple(traces[1:]),
            )
            message, remarks = explain(attempt)
            for cell, remark in remarks.items():
                cells[cell] = CellVerdict(False, message=remark)
        n_right = sum(verdict.right for verdict in cells.values())
        explains_all = bool(message)
        if n_right < len(cells) and not message:
            message = _counted(n_right, len(cells))
        share = n_right / len(cells)
        return Verdict(share == 1, share, message, cells, explains_all)

    def _holds(self, number: float, right: Array, cell: Position) -> bool:
        return self.tolerance.holds(number, float(right[cell]))

    def solution(self, situation: Situation) -> dict[Position, str]:
        document = situation.document
        trace = document.compute()
        numbers = matrix_of(trace, self.step, self.head)
        return {
            cell: self.tolerance.text(float(numbers[cell]))
            for cell in self._cells(document, trace)
        }


def _counted(n_right: int, count: int) -> str:
    if n_right == 0:
        return "This number is not right." if count == 1 else "No number is right yet."
    verb = "is" if n_right == 1 else "are"
    return f"{n_right} of {count} numbers {verb} right."


def _number(text: object) -> float:
    typed = text if isinstance(text, str) else str(text)
    if not typed.strip():
        raise ValueError(EMPTY)
    return read_typed(typed)
