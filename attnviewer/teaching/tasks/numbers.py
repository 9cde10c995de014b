"""The task to type the numbers of a step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of, steps_from
from attnviewer.teaching.tasks.cells import MOST_CELLS, CellBlock
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.tasks.tolerance import Tolerance
from attnviewer.teaching.verdict import Verdict


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
        Which head.
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
    tolerance: Tolerance = Tolerance()

    def cells(self, document: Document) -> tuple[tuple[int, int], ...]:
        """Return the cells that are asked for, (row, column), in the order of text.

        Raises
        ------
        ValueError
            If the document has no such cells.
        """
        return self.cells_in(document, document.compute())

    def cells_in(self, document: Document, trace: Trace) -> tuple[tuple[int, int], ...]:
        """Return the cells as `cells` does, from the document's computation."""
        found: dict[tuple[int, int], None] = {}
        for block in self.blocks:
            found |= dict.fromkeys(block.positions(document, trace, self.step))
        if len(found) > MOST_CELLS:
            raise ValueError(
                f"The 'cells' must be at most {MOST_CELLS}. Got {len(found)} instead."
            )
        return tuple(found)

    def hide(self, document: Document) -> frozenset[str]:
        if self.hidden is not None:
            return frozenset(self.hidden)
        return steps_from(document.compute(), self.step)

    def check_fit(self, document: Document) -> None:
        trace = document.compute()
        matrix_of(trace, self.step, self.head)
        self.cells_in(document, trace)
        if self.step == "mask":
            raise ValueError("The 'step' must have numbers. Got 'mask' instead.")
        for name in self.hidden or ():
            matrix_of(trace, name)

    def check(self, situation: Situation, answer: Any) -> Verdict:
        from attnviewer.teaching.grading import grade

        return grade(self, situation, answer if isinstance(answer, Mapping) else {})

    def solution(self, situation: Situation) -> dict[tuple[int, int], str]:
        document = situation.document
        trace = document.compute()
        numbers = matrix_of(trace, self.step, self.head)
        return {
            cell: self.tolerance.text(float(numbers[cell]))
            for cell in self.cells_in(document, trace)
        }
