"""The content of a sheet: the given numbers, and those that are asked for."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from attnviewer.compute import Array, Trace
from attnviewer.compute.number_text import rounded
from attnviewer.document import Document
from attnviewer.document.labels import axis_labels
from attnviewer.io.export.statement import choices
from attnviewer.teaching.exercise.opening import OpenedPage, open_pages
from attnviewer.teaching.lesson import Lesson, Text
from attnviewer.teaching.mistaken import mistake_title
from attnviewer.teaching.sheets.prose import Paragraph, Span, paragraphs, spans
from attnviewer.teaching.sheets.sheet import (
    Blank,
    Block,
    Cell,
    ChoiceQuestion,
    NumberQuestion,
    Part,
    Prose,
    Sheet,
    Table,
    WindowQuestion,
)
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of, own_head
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.texts import Words
from attnviewer.teaching.tolerance import Tolerance, is_whole

_DECIMALS = 4
"""Decimals of given numbers that are not whole."""
_LEFT_OUT = "variant", "output_projection"
"""Choices that the given matrices show already."""


def sheet_of(
    lesson: Lesson, seed: int, who: str, key: str, *, anonymous: bool = False
) -> Sheet:
    """Return the sheet of an exercise with the numbers of a seed.

    Steps that a task hides are on no page of the same document, as paper cannot show
    them later. A task to change a document is done in the window, as it then says.

    Parameters
    ----------
    lesson : Lesson
        The exercise.
    seed : int
        The seed of the numbers.
    who, key : str
        Whose sheet it is, for people and for names; see `Sheet`.
    anonymous : bool
        Whether it is for nobody in person.

    Raises
    ------
    ValueError
        If a page's document cannot be made.
    """
    opened = open_pages(lesson, seed)
    words = lesson.words
    parts = tuple(_part(page, opened, words) for page in opened)
    return Sheet(
        lesson.id, lesson.title, who, key, lesson.language, parts, words, anonymous
    )


def off_paper(lesson: Lesson) -> tuple[Task, ...]:
    """Return the tasks of an exercise that are done in the window alone."""
    tasks = (task for page in lesson.pages for task in page.tasks)
    return tuple(task for task in tasks if isinstance(task, MakeTask))


def _part(opened: OpenedPage, all_pages: Sequence[OpenedPage], words: Words) -> Part:
    page, document = opened.page, opened.document
    hidden = {
        step
        for other in all_pages
        if other.document is document
        for task in other.page.tasks
        for step in task.hide(document)
    }
    situation = Situation(document, {}, page.tasks)
    blocks: list[Block] = []
    tables = list(_given(document, hidden))
    for block in page.blocks:
        if isinstance(block, Text):
            blocks.append(Prose(paragraphs(block.markdown)))
            continue
        # The numbers stand between what introduces them and the first question.
        blocks += tables
        tables = []
        blocks.append(_question(block, situation, words))
    return Part(page.title, tuple(blocks))


def _given(document: Document, hidden: set[str]) -> Iterator[Block]:
    trace = document.compute()
    right = replace(document.spec, mistakes=(), pins=())
    settings = {
        name.replace("_", " "): value
        for name, value in choices(right).items()
        if name not in _LEFT_OUT and (name, value) != ("n_heads", "1")
    }
    line = "; ".join(f"{name}: {value}" for name, value in settings.items())
    yield Prose((Paragraph((Span(line, "emphasis"),)),))
    for name in trace:
        if name in hidden:
            continue
        array = trace[name]
        heads = range(len(array)) if array.ndim > 2 else [None]
        for head in heads:
            matrix = array if head is None else array[head]
            cells = {
                (row, column): _number(matrix[row, column].item())
                for row in range(matrix.shape[0])
                for column in range(matrix.shape[1])
            }
            yield _table(document, trace, name, head, matrix, cells)


def _question(task: Task, situation: Situation, words: Words) -> Block:
    document = situation.document
    ask = Prose(paragraphs(task.ask or _usual(task, words)))
    match task:
        case NumbersTask():
            return _numbers(task, ask, document)
        case ChoiceTask():
            texts = [option.text for option in task.options(document)]
            options = tuple(Paragraph(spans(text)) for text in texts)
            right = task.solution(situation)
            return ChoiceQuestion(
                task.id, task.points, ask, options, right, task.several
            )
        case WrongStepTask() | MistakeTask():
            names = task.options(document)
            titled = isinstance(task, MistakeTask)
            texts = [mistake_title(name) if titled else name for name in names]
            right = tuple(
                k for k, name in enumerate(names) if task.check(situation, name).right
            )
            options = tuple(Paragraph((Span(text),)) for text in texts)
            return ChoiceQuestion(task.id, task.points, ask, options, right, False)
    return WindowQuestion(task.id, task.points, ask)


def _usual(task: Task, words: Words) -> str:
    """Return the question of a task that has none of its own."""
    match task:
        case NumbersTask():
            return words.fill
        case ChoiceTask():
            return words.choose
        case WrongStepTask():
            return words.step
        case MistakeTask():
            return words.mistake
        case MakeTask():
            conditions = "; ".join(f"`{c.text}`" for c in task.until)
            only = "" if task.only is None else f" (`only: {', '.join(task.only)}`)"
            return f"{words.make} {conditions}{only}"
    raise TypeError(f"The 'task' must be of a known kind. Got {task!r} instead.")


def _numbers(task: NumbersTask, ask: Prose, document: Document) -> NumberQuestion:
    trace = document.compute()
    head = own_head(trace, task.step, task.head)
    matrix = matrix_of(trace, task.step, task.head)
    blanks = {
        cell: _blank(float(matrix[cell]), task.tolerance)
        for cell in task.cells(document)
    }
    table = _table(document, trace, task.step, head, matrix, {})
    return NumberQuestion(task.id, task.points, ask, table, blanks)


def _table(
    document: Document,
    trace: Trace,
    step: str,
    head: int | None,
    matrix: Array,
    cells: dict[Cell, str],
) -> Table:
    axes, labels = trace.stages[step].axes, document.labels
    rows, columns = (
        tuple(axis_labels(axis, labels, count))
        for axis, count in zip(axes, matrix.shape, strict=True)
    )
    alone = head is None or trace.n_heads(step) == 1
    return Table(step if alone else f"{step}, head {head}", rows, columns, cells)


def _blank(value: float, tolerance: Tolerance) -> Blank:
    """Return a blank; its tolerance is that of the task around this number."""
    whole = not math.isfinite(value) or is_whole(value)
    amount = tolerance.amount
    match tolerance.measure:
        case "abs":
            width = amount
        case "rel":
            width = amount * abs(value)
        case _:
            width = 0.0 if whole else 0.5 * 10**-amount
    return Blank(value, tolerance.text(value), width)


def _number(value: float) -> str:
    return rounded(float(value), _DECIMALS)
