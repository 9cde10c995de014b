"""The pages of an exercise with the numbers of one seed."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.teaching.exercise.seeds import derived_seed
from attnviewer.teaching.lesson import Lesson, Page
from attnviewer.teaching.steps import matrix_of
from attnviewer.teaching.tasks.numbers import NumbersTask
from attnviewer.teaching.tolerance import Tolerance

Cell: TypeAlias = tuple[int, int]
ATTEMPTS = 40
"""How often a page is drawn at most. Few ask for more than three."""
_NEAR_TIE = 0.02
"""How near to half a unit of the last digit a number may not be, in such units."""
_WHOLE, _EQUAL = 1e-9, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class OpenedPage:
    """A page, and the document that its tasks are about.

    Parameters
    ----------
    page : Page
        The page.
    document : Document
        Its document, as it opens.
    """

    page: Page
    document: Document


def open_pages(lesson: Lesson, seed: int) -> tuple[OpenedPage, ...]:
    """Return the pages of an exercise with their documents.

    The numbers of a page are drawn from seeds that follow from the given one, until
    those that tasks ask for are fit to be worked out by hand: no row of scores or
    weights has ties, no number is so near to the middle between two roundings that
    either might be right, none rounds to zero without being it, and some are not zero.
    If no draw of `ATTEMPTS` is, the one with the fewest such flaws is taken.
    The same seed always gives the same numbers.

    Parameters
    ----------
    lesson : Lesson
        The exercise.
    seed : int
        The student's seed, see `seed_of`.

    Raises
    ------
    ValueError
        If a page's document cannot be made.
    """
    opened: list[OpenedPage] = []
    for place, page in enumerate(lesson.pages):
        if page.document is not None:
            document = _drawn(lesson, place, seed)
        opened.append(OpenedPage(page, document))
    return tuple(opened)


def numbers_of(pages: Sequence[OpenedPage]) -> bytes:
    """Return a digest of all given numbers: equal ones are the same exercise."""
    digest = hashlib.sha256()
    for opened in pages:
        document = opened.document
        digest.update(repr((document.tokens, document.spec.mistakes)).encode())
        for name, matrix in document.matrices.items():
            digest.update(f"{name} {matrix.shape}".encode() + matrix.tobytes())
    return digest.digest()


def _drawn(lesson: Lesson, place: int, seed: int) -> Document:
    block = lesson.pages[place].document
    assert block is not None
    asked: list[tuple[NumbersTask, tuple[Cell, ...]]] | None = None
    fewest, best = math.inf, None
    for attempt in range(ATTEMPTS if block.varies else 1):
        document = block.open(derived_seed(seed, place, attempt), lesson.folder)
        if asked is None:  # the same cells in every draw
            tasks = _tasks_from(lesson, place)
            asked = [(task, task.cells(document)) for task in tasks]
        flaws = _flaws(document, asked)
        if flaws < fewest:
            fewest, best = flaws, document
        if not flaws:
            break
    assert best is not None
    return best


def _tasks_from(lesson: Lesson, place: int) -> list[NumbersTask]:
    """Return the tasks on numbers of all pages that share a page's document."""
    tasks: list[NumbersTask] = []
    for number, page in enumerate(lesson.pages[place:]):
        if number and page.document is not None:
            break
        tasks += [task for task in page.tasks if isinstance(task, NumbersTask)]
    return tasks


def _flaws(
    document: Document, asked: Sequence[tuple[NumbersTask, tuple[Cell, ...]]]
) -> int:
    trace = document.compute()
    flaws = 0
    for task, cells in asked:
        matrix = matrix_of(trace, task.step, task.head)
        numbers = np.array([matrix[cell] for cell in cells])
        flaws += _undecided(numbers, task.tolerance)
        flaws += not np.any(numbers[np.isfinite(numbers)])
        if trace.stages[task.step].axes[1] == "keys":
            hidden = 0.0 if task.step == trace.pipeline.weights else -np.inf
            rows = {row for row, _ in cells}
            flaws += sum(_tied(matrix[row], hidden) for row in rows)
    return flaws


def _undecided(numbers: Array, tolerance: Tolerance) -> int:
    """Return how many numbers have no one rounding that shows something.

    They are nearly in the middle between two, or round to 0 without being it.
    """
    if tolerance.measure != "digits":
        return 0
    finite = numbers[np.isfinite(numbers)]
    units = finite[np.abs(finite - np.rint(finite)) > _WHOLE] * 10**tolerance.amount
    middle, nothing = np.abs(units % 1 - 0.5) < _NEAR_TIE, np.abs(units) < 0.5
    return int(np.count_nonzero(middle | nothing))


def _tied(row: Array, hidden: float) -> bool:
    """Return whether two numbers of a row are equal, but for hidden keys."""
    shown = np.sort(row[np.isfinite(row) & (row != hidden)])  # (k,)
    return bool(np.any(np.diff(shown) < _EQUAL))
