"""The texts of the bundled lessons: short, typeset, and with true numbers in them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from attnviewer.compute.notation import Piece
from attnviewer.document import Document, parse_number
from attnviewer.paths import resource
from attnviewer.teaching import Lesson, Page, Situation, Text, bundled_lessons
from attnviewer.teaching.tasks import (
    ChoiceTask,
    MakeTask,
    MistakeTask,
    NumbersTask,
    WrongStepTask,
)
from attnviewer.ui.paint.math import faces_of, lay_out
from attnviewer.ui.paint.math.tex import read
from tests.teaching.attention_by_hand import MISTAKEN, by_hand
from tests.teaching.said_in_lessons import COMPUTED, PRINTED, PRINTED_ONCE, SLIPS
from tests.teaching.ways_to_make import WAYS

LESSONS = bundled_lessons()
BY_ID = {lesson.id: lesson for lesson in LESSONS}
PAGES = [
    pytest.param(lesson, page, id=f"{lesson.id}: {page.title}")
    for lesson in LESSONS
    for page in (*lesson.pages, *lesson.exercises)
]
MOST_WORDS, WIDEST = 90, 340
"""Of a page, and in pixels of a formula or a line of code: a column is 360 wide."""
COMMANDS = {
    *("frac", "sqrt", "sum", "cdot", "quad", "infty", "top", "text", "mathrm"),
    *("left", "right", "max", "sin", "cos", "tanh", "log", "theta", "sigma", "tau"),
}
"""What the typesetter knows."""
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\w)")
_NOTEBOOKS = Path(__file__).parent.parent / "data" / "notebooks"


def own_text(page: Page) -> str:
    return "\n".join(b.markdown for b in page.blocks if isinstance(b, Text))


def all_texts(page: Page) -> Iterator[str]:
    yield own_text(page)
    for task in page.tasks:
        yield task.ask
        yield from task.hints
        if isinstance(task, ChoiceTask):
            for option in task.written:
                yield option.text
                yield option.feedback


@pytest.mark.parametrize(("lesson", "page"), PAGES)
def test_a_page_is_one_screen(lesson: Lesson, page: Page) -> None:
    words = re.sub(r"\$[^$]*\$", "formula", own_text(page)).split()
    assert 5 <= len(words) <= MOST_WORDS
    assert len(page.title) <= 40
    for task in page.tasks:
        assert 0 < len(task.ask.split()) <= 30, task.ask
        for hint in task.hints:
            assert len(hint.split()) <= 35, hint
    code = re.findall(r"```\n(.*?)```", own_text(page), re.DOTALL)
    for line in "".join(code).splitlines():
        assert len(line) <= 40, line


@pytest.mark.parametrize(("lesson", "page"), PAGES)
def test_each_task_asks_and_helps(lesson: Lesson, page: Page) -> None:
    for task in page.tasks:
        assert task.ask.endswith((".", "?")), task.ask
        assert task.hints, task.id
        assert all(hint.endswith((".", "?", "$")) for hint in task.hints), task.hints


def formulas(page: Page) -> list[str]:
    return [f for text in all_texts(page) for f in re.findall(r"\$([^$]+)\$", text)]


@pytest.mark.parametrize(("lesson", "page"), PAGES)
def test_formulas_are_typeset_within_a_column(
    lesson: Lesson, page: Page, qapp: QApplication
) -> None:
    font = QFont("Sans Serif")
    font.setPixelSize(14)
    faces = faces_of(font)
    for text in all_texts(page):
        assert text.count("$") % 2 == 0, text
    for formula in formulas(page):
        assert set(re.findall(r"\\([A-Za-z]+)", formula)) <= COMMANDS, formula
        assert formula.count("{") == formula.count("}"), formula
        laid = lay_out(read([Piece(formula)]), faces)
        assert 0 < laid.width <= WIDEST, (formula, laid.width)


def known_numbers(lesson: Lesson, page: Page) -> np.ndarray:
    """Return every number that a page can tell of: steps, sums, what is computed."""
    document = lesson.document_of(page).open(0, lesson.folder)
    found = [array.ravel() for array in document.compute().values()]
    found += [array.ravel().astype(float) for array in document.matrices.values()]
    right = by_hand(document)
    found += [array.ravel().astype(float) for array in right.values()]
    found.append(np.array(COMPUTED.get(lesson.id, ())))
    for task in page.tasks:
        if isinstance(task, MakeTask):
            texts = " ".join(condition.text for condition in task.until)
            found.append(np.array([float(n) for n in NUMBER.findall(texts)]))
    return np.concatenate(found)


@pytest.mark.parametrize(("lesson", "page"), PAGES)
def test_numbers_in_the_text_are_computed(lesson: Lesson, page: Page) -> None:
    known = known_numbers(lesson, page)
    for text in all_texts(page):
        for number in NUMBER.findall(text):
            digits = len(number.partition(".")[2])
            near = np.abs(np.abs(known) - float(number))
            assert np.any(near <= 0.5 * 10**-digits + 1e-9), (number, text)


FIRST = re.compile(r"The first (?:number|score|weight|one) is ([-−·+/(). \d]+)\.$")


def test_the_first_number_that_a_hint_tells_is_the_first_number() -> None:
    told = 0
    for lesson in LESSONS:
        for page in lesson.pages:
            document = lesson.document_of(page).open(0, lesson.folder)
            for task in page.tasks:
                if not isinstance(task, NumbersTask):
                    continue
                steps = by_hand(document)
                for slip in document.spec.mistakes:
                    steps |= MISTAKEN[slip.id](document)
                array = steps[task.step]
                array = array if array.ndim == 2 else array[task.head % len(array)]
                for hint in task.hints:
                    if found := FIRST.search(hint):
                        text = found[1].replace("·", "*").replace("−", "-")
                        first = float(array[task.cells(document)[0]])
                        assert abs(parse_number(text) - first) < 0.006, hint
                        told += 1
    assert told >= 15


def example(lesson: str, page: int = 0) -> Document:
    found = BY_ID[lesson]
    return found.document_of(found.pages[page]).open(0, found.folder)


def test_the_turned_query_has_the_scores_that_the_hint_tells() -> None:
    document = example("four-words")
    WAYS["four-words/turn"](document)
    assert "−12, −8, −20 and −4" in source("four-words")
    assert by_hand(document)["scores"][1].tolist() == [-12, -8, -20, -4]


def test_a_fresh_run_of_the_second_notebook_draws_the_matrices_of_the_first() -> None:
    generator = np.random.RandomState(42)
    document = example("four-words")
    for name in ("W_Q", "W_K", "W_V"):
        drawn = generator.randint(3, size=(3, 3))
        assert drawn.tolist() == document.matrix(name).tolist()


def test_only_the_shortest_row_gives_least_to_itself() -> None:
    steps = by_hand(example("fixed-query"))
    own = np.diagonal(steps["weights"])
    assert np.argmin(np.linalg.norm(steps["X"], axis=1)) == 1
    assert own[1] == steps["weights"][1].min()
    assert min(own[0], own[2], own[3]) >= 0.24


def test_equal_keys_share_whatever_the_query_is() -> None:
    keys = by_hand(example("one-query"))["K"]
    assert keys[1].tolist() == keys[2].tolist() == [0, 2, 0]
    document = example("one-query")
    WAYS["one-query/look"](document)
    assert by_hand(document)["K"][1:3].tolist() == [[0, 2, 0], [0, 0, 0]]


def test_the_minutes_are_plausible() -> None:
    seconds = {ChoiceTask: 30, MakeTask: 150, WrongStepTask: 60, MistakeTask: 60}
    for lesson in LESSONS:
        needed = 0.0
        for page in lesson.pages:
            document = lesson.document_of(page).open(0, lesson.folder)
            needed += len(own_text(page).split()) / 110 * 60
            for task in page.tasks:
                needed += len(task.ask.split()) / 110 * 60 + 10
                if isinstance(task, NumbersTask):
                    needed += 20 * len(task.cells(document))
                else:
                    needed += seconds[type(task)]
        assert 10 <= lesson.minutes <= 20, lesson.id
        assert 0.6 <= needed / 60 / lesson.minutes <= 1.25, (lesson.id, needed / 60)


def printed(notebook: str, array: str) -> np.ndarray:
    case = json.loads((_NOTEBOOKS / f"{notebook}.json").read_text("utf-8"))
    return np.array(case["arrays"][array]["value"])


def source(lesson: str) -> str:
    (path,) = (p for p in resource("lessons").glob("*.md") if p.stem[3:] == lesson)
    return " ".join(path.read_text("utf-8").split())


@pytest.mark.parametrize(("lesson", "text", "notebook", "array", "row"), PRINTED)
def test_a_lesson_says_what_its_notebook_prints(
    lesson: str, text: str, notebook: str, array: str, row: int | None
) -> None:
    assert text in source(lesson)
    numbers = re.findall(r"\d+(?:\.\d+)?", text)
    value = printed(notebook, array)
    value = (value if row is None else value[row]).ravel()
    assert len(numbers) == len(value)
    for number, want in zip(numbers, value, strict=True):
        digits = len(number.partition(".")[2])
        assert abs(float(number) - want) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize(("lesson", "text", "notebook", "array", "at"), PRINTED_ONCE)
def test_a_lesson_says_single_numbers_that_its_notebook_prints(
    lesson: str, text: str, notebook: str, array: str, at: tuple[int, ...]
) -> None:
    assert text in source(lesson)
    value = printed(notebook, array)
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", text)]
    assert numbers == [float(value[k]) for k in at]


@pytest.mark.parametrize(("name", "row", "typed", "said"), SLIPS)
def test_typical_slips_are_told(
    name: str, row: int, typed: tuple[str, ...], said: str
) -> None:
    lesson = BY_ID[name.partition("/")[0]]
    ((page, task),) = (
        (page, task)
        for page in lesson.pages
        for task in page.tasks
        if task.id == name.partition("/")[2]
    )
    assert isinstance(task, NumbersTask)
    document = lesson.document_of(page).open(0, lesson.folder)
    cells = task.cells(document)
    answer = dict(zip([c for c in cells if c[0] == row], typed, strict=True))
    verdict = task.check(Situation(document, {}, page.tasks), answer)
    assert not verdict.right
    messages = [verdict.message, *(cell.message for cell in verdict.cells.values())]
    assert any(said in message for message in messages), messages


def test_typical_slips_are_tried_in_every_lesson() -> None:
    assert {name.partition("/")[0] for name, *_ in SLIPS} == set(BY_ID)
