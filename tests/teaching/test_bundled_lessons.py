"""The bundled lessons: their tasks, checked by attention written by hand."""

from collections.abc import Iterator
from copy import copy
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from attnviewer.document import Document, SetCells
from attnviewer.paths import resource
from attnviewer.teaching import (
    Lesson,
    Page,
    Situation,
    Task,
    bundled_lessons,
    read_lesson,
)
from attnviewer.teaching.ranking import Ranking
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from tests.teaching.attention_by_hand import MISTAKEN, by_hand
from tests.teaching.ways_to_make import OTHER_WAYS, WAYS

LESSONS = bundled_lessons()
SEEDS = range(12)


def opened(lesson: Lesson, page: Page, seed: int = 0) -> Document:
    """Return the document of a page, a new one that may be edited."""
    return copy(_opened(lesson.id, page.line, seed))


@cache
def _opened(id: str, line: int, seed: int) -> Document:
    (lesson,) = (lesson for lesson in LESSONS if lesson.id == id)
    pages = (*lesson.pages, *lesson.exercises)
    (page,) = (page for page in pages if page.line == line)
    return lesson.document_of(page).open(seed, lesson.folder)


def named(lesson: Lesson, task: Task) -> str:
    return f"{lesson.id}/{task.id}"


def places(kind: type[Task], exercises: bool = False) -> list:
    """Return (lesson, page, task) for each task of a kind, to parametrize by."""
    return [
        pytest.param(lesson, page, task, id=named(lesson, task))
        for lesson in LESSONS
        for page in (lesson.exercises if exercises else lesson.pages)
        for task in page.tasks
        if isinstance(task, kind)
    ]


def documents(
    lesson: Lesson, page: Page, exercises: bool
) -> Iterator[tuple[Document, Situation]]:
    for seed in SEEDS if exercises else (0,):
        document = opened(lesson, page, seed)
        yield document, Situation(document, {}, page.tasks)


def steps_by_hand(document: Document) -> dict[str, np.ndarray]:
    """Return the steps that a document must have, with its mistake if it has one."""
    steps = by_hand(document)
    for slip in document.spec.mistakes:
        steps |= MISTAKEN[slip.id](document)
    return steps


def of_head(array: np.ndarray, head: int, heads: int) -> np.ndarray:
    if array.ndim == 2:
        return array
    return array[head * len(array) // heads]


@pytest.mark.parametrize(
    "path", sorted(resource("lessons").glob("*.md")), ids=lambda path: path.stem
)
def test_a_lesson_reads_with_its_documents_tried(path: Path) -> None:
    assert read_lesson(path).id in {lesson.id for lesson in LESSONS}
    assert path.stem[3:] == read_lesson(path).id


def test_each_lesson_has_pages_and_three_exercises_with_numbers_of_their_own() -> None:
    for lesson in LESSONS:
        assert 5 <= len(lesson.pages) <= 8, lesson.id
        assert len(lesson.exercises) == 3, lesson.id
        for page in lesson.exercises:
            block = page.document
            assert block is not None, page.title
            assert block.draw, page.title
            assert block.seed is None, page.title
            assert page.tasks, page.title


def test_lessons_have_names_and_places_of_their_own() -> None:
    assert len({lesson.id for lesson in LESSONS}) == len(LESSONS)
    assert len({lesson.order for lesson in LESSONS}) == len(LESSONS)
    for lesson in LESSONS:
        assert lesson.title
        assert lesson.summary.endswith(".")
        assert lesson.language == "en"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_other_seeds_give_other_numbers(lesson: Lesson) -> None:
    for page in lesson.exercises:
        found = {
            tuple(
                array.tobytes()
                for array in opened(lesson, page, seed).matrices.values()
            )
            for seed in SEEDS
        }
        assert len(found) == len(SEEDS), page.title


def typed(number: float) -> str:
    """Return a number as a learner types it."""
    whole = not np.isfinite(number) or number == round(number)
    return f"{number:g}" if whole else f"{number:.4f}"


def check_numbers(lesson: Lesson, page: Page, task: NumbersTask, *, many: bool) -> None:
    for number, (document, situation) in enumerate(documents(lesson, page, many)):
        right = of_head(
            steps_by_hand(document)[task.step], task.head, document.spec.n_heads
        )
        answer = {cell: typed(right[cell]) for cell in task.cells(document)}
        verdict = task.check(situation, answer)
        assert verdict.right, (lesson.id, task.id, answer, verdict)
        assert verdict.share == 1
        assert task.check(situation, task.solution(situation)).right
        cell = max(answer)
        wrong = answer | {cell: f"{answer[cell]} + 0.37"}
        # What is said of a wrong one takes long to find.
        if number % 3 == 0 and np.isfinite(right[cell]):
            said = task.check(situation, wrong)
            assert not said.right
            assert not said.cells[cell].right


@pytest.mark.parametrize(("lesson", "page", "task"), places(NumbersTask))
def test_numbers_of_a_page_are_those_by_hand(
    lesson: Lesson, page: Page, task: NumbersTask
) -> None:
    check_numbers(lesson, page, task, many=False)


@pytest.mark.parametrize(("lesson", "page", "task"), places(NumbersTask, True))
def test_numbers_of_an_exercise_are_those_by_hand_for_every_seed(
    lesson: Lesson, page: Page, task: NumbersTask
) -> None:
    check_numbers(lesson, page, task, many=True)


@pytest.mark.parametrize(
    ("lesson", "page", "task"), [*places(NumbersTask), *places(NumbersTask, True)]
)
def test_what_is_asked_for_is_hidden_and_what_it_needs_is_shown(
    lesson: Lesson, page: Page, task: NumbersTask
) -> None:
    document = opened(lesson, page)
    trace = document.compute()
    hidden = task.hide(document)
    assert task.step in hidden
    # What is hidden, too, is asked for on the same page or on purpose.
    own = {t.step for t in page.tasks if isinstance(t, NumbersTask)}
    for source in trace.stages[task.step].inputs:
        assert source not in hidden or source in own or task.hidden is not None


def check_choice(lesson: Lesson, page: Page, task: ChoiceTask, *, many: bool) -> None:
    for document, situation in documents(lesson, page, many):
        options = task.options(document)
        right = tuple(k for k, option in enumerate(options) if option.right)
        if isinstance(task.answer, Ranking):
            assert right == (ranked(document, task.answer, 0.009 if many else 1e-3),)
        assert task.check(situation, right).right
        assert tuple(sorted(task.solution(situation))) == right
        # All sets of 16 tokens would take a minute.
        most = len(options) if len(options) <= 8 else 2
        for count in range(1, most + 1):
            for chosen in combinations(range(len(options)), count):
                if chosen != right:
                    assert not task.check(situation, chosen).right


def ranked(document: Document, ranking: Ranking, apart: float) -> int:
    """Return the largest or smallest by hand, to which no other may come near."""
    steps, heads = steps_by_hand(document), document.spec.n_heads
    if ranking.among == "heads":
        row, column = (
            list(document.tokens).index(at) if isinstance(at, str) else at
            for at in (ranking.row, ranking.column)
        )
        numbers = steps[ranking.step][:, row, column]
    else:
        matrix = of_head(steps[ranking.step], ranking.head, heads)
        numbers = (
            matrix[ranking.row]
            if ranking.among == "keys"
            else matrix[:, ranking.column]
        )
    ordered = np.sort(numbers)
    if ranking.largest:
        assert ordered[-1] - ordered[-2] > apart
        return int(np.argmax(numbers))
    assert ordered[1] - ordered[0] > apart
    return int(np.argmin(numbers))


@pytest.mark.parametrize(("lesson", "page", "task"), places(ChoiceTask))
def test_of_the_choices_only_the_right_ones_are_right(
    lesson: Lesson, page: Page, task: ChoiceTask
) -> None:
    check_choice(lesson, page, task, many=False)


@pytest.mark.parametrize(("lesson", "page", "task"), places(ChoiceTask, True))
def test_of_the_choices_of_an_exercise_only_the_right_ones_are_right(
    lesson: Lesson, page: Page, task: ChoiceTask
) -> None:
    check_choice(lesson, page, task, many=True)


@pytest.mark.parametrize(
    ("lesson", "page", "task"), [*places(ChoiceTask), *places(ChoiceTask, True)]
)
def test_each_choice_says_why(lesson: Lesson, page: Page, task: ChoiceTask) -> None:
    texts = [option.text for option in task.written]
    assert len(set(texts)) == len(texts)
    for option in task.written:
        assert option.feedback.endswith((".", "!", "?")), option.text
        assert len(option.feedback.split()) <= 30, option.feedback


def test_the_right_choice_stands_anywhere() -> None:
    for lesson in LESSONS:
        places = [
            [option.right for option in task.written].index(True)
            for task in lesson.tasks
            if isinstance(task, ChoiceTask) and task.written
        ]
        for place in places:
            assert places.count(place) <= (len(places) + 1) // 2, lesson.id


@pytest.mark.parametrize(
    ("lesson", "page"),
    [
        pytest.param(lesson, page, id=f"{lesson.id}: {page.title}")
        for lesson in LESSONS
        for page in (*lesson.pages, *lesson.exercises)
    ],
)
def test_what_a_page_shows_is_not_hidden_there(lesson: Lesson, page: Page) -> None:
    document = opened(lesson, page)
    assert page.show is not None
    for task in page.tasks:
        assert page.show.step not in task.hide(document)


def check_make(lesson: Lesson, page: Page, task: MakeTask, *, many: bool) -> None:
    name = named(lesson, task)
    assert name in WAYS, "Say in ways_to_make.py how this is done."
    for document, situation in documents(lesson, page, many):
        assert not task.check(situation, document).right
        for ways in (WAYS, OTHER_WAYS):
            if name in ways:
                made = copy(document)
                ways[name](made)
                verdict = task.check(situation, made)
                assert verdict.right, verdict.message
                assert not task.check(situation, document).right


@pytest.mark.usefixtures("few_starts")
@pytest.mark.parametrize(("lesson", "page", "task"), places(MakeTask))
def test_what_is_to_be_made_can_be_made_and_is_not_there_yet(
    lesson: Lesson, page: Page, task: MakeTask
) -> None:
    check_make(lesson, page, task, many=False)


@pytest.mark.parametrize(("lesson", "page", "task"), places(MakeTask, True))
def test_what_an_exercise_wants_can_be_made_for_every_seed(
    lesson: Lesson, page: Page, task: MakeTask
) -> None:
    check_make(lesson, page, task, many=True)


@pytest.mark.usefixtures("few_starts")
@pytest.mark.parametrize(
    ("lesson", "page", "task"), [*places(MakeTask), *places(MakeTask, True)]
)
def test_what_else_is_changed_is_not_accepted(
    lesson: Lesson, page: Page, task: MakeTask
) -> None:
    document = opened(lesson, page)
    made = copy(document)
    WAYS[named(lesson, task)](made)
    assert task.only is not None
    for name in set(document.matrices) - set(task.only) - {"mask"}:
        other = copy(made)
        number = document.matrix(name)[:1, :1] + 1
        other.apply(SetCells("Type", name, 0, 0, number))
        verdict = task.check(Situation(document, {}, page.tasks), other)
        assert not verdict.right
        assert name in verdict.message


def first_wrong(document: Document) -> str:
    """Return the first step that is not the one by hand."""
    right, found = by_hand(document), document.compute()
    for name in found:
        alike = right[name].shape == found[name].shape
        if not alike or not np.allclose(right[name], found[name], equal_nan=True):
            return name
    raise AssertionError


def check_hunt(lesson: Lesson, page: Page, *, many: bool) -> set[str]:
    """Check the hunt of a page, and return the mistakes that occurred."""
    seen = set()
    for document, situation in documents(lesson, page, many):
        (slip,) = document.spec.mistakes
        seen.add(slip.id)
        for task in page.tasks:
            if isinstance(task, WrongStepTask):
                right = first_wrong(document)
                assert task.solution(situation) == right
                for step in task.options(document):
                    assert task.check(situation, step).right == (step == right)
            elif isinstance(task, MistakeTask):
                assert slip.id in task.options(document)
                for id in task.options(document):
                    verdict = task.check(situation, id)
                    assert verdict.right == (id == slip.id), (id, slip.id)
                    assert verdict.right or verdict.message
    return seen


@pytest.mark.parametrize(("lesson", "page", "task"), places(MistakeTask))
def test_the_mistake_of_a_page_is_found_by_hand_and_no_other_fits(
    lesson: Lesson, page: Page, task: MistakeTask
) -> None:
    check_hunt(lesson, page, many=False)


@pytest.mark.parametrize(("lesson", "page", "task"), places(MistakeTask, True))
def test_each_mistake_of_an_exercise_occurs_and_no_other_fits(
    lesson: Lesson, page: Page, task: MistakeTask
) -> None:
    block = page.document
    assert block is not None
    assert check_hunt(lesson, page, many=True) == set(block.mistakes)


def test_every_way_belongs_to_a_task() -> None:
    tasks = {
        named(lesson, task)
        for lesson in LESSONS
        for task in lesson.tasks
        if isinstance(task, MakeTask)
    }
    assert set(WAYS) == tasks
    assert set(OTHER_WAYS) <= tasks
