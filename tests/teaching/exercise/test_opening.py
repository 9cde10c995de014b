"""Numbers that can be worked out by hand."""

import numpy as np
import pytest

from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.seeds import seed_of
from tests.teaching.exercise.course import DRAWN, SECRET, exercise_of

STUDENTS = range(25)


@pytest.fixture(scope="module")
def drawn():
    lesson = exercise_of().lesson
    seeds = [seed_of(SECRET, lesson.id, f"s{student}") for student in STUDENTS]
    return [open_pages(lesson, seed)[0].document for seed in seeds]


def _steps(document) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and weights, worked out with NumPy alone."""
    x, w_q, w_k = (document.matrix(name) for name in ("X", "W_Q", "W_K"))
    scores = (x @ w_q) @ (x @ w_k).T
    powers = np.exp(scores / np.sqrt(2))
    return scores, powers / powers.sum(axis=1, keepdims=True)


def test_drawn_numbers_are_small_and_whole(drawn) -> None:
    for document in drawn:
        for name, least in (("X", 0), ("W_Q", -1), ("W_K", -1), ("W_V", -1)):
            matrix = document.matrix(name)
            assert np.array_equal(matrix, np.rint(matrix))
            assert matrix.min() >= least
            assert matrix.max() <= 2


def test_no_asked_row_has_two_equal_numbers(drawn) -> None:
    for document in drawn:
        scores, weights = _steps(document)
        for row in (*scores, weights[2]):
            assert len(set(np.round(row, 9))) == len(row)


def test_no_asked_number_is_near_the_middle_of_two_roundings_or_rounds_to_0(
    drawn,
) -> None:
    for document in drawn:
        _, weights = _steps(document)
        units = weights[2] * 100
        assert np.all(np.abs(units % 1 - 0.5) > 0.0199)
        assert np.all(units >= 0.5)


def test_a_page_without_a_document_goes_on_with_the_same_numbers() -> None:
    text = f"""---
title: Two pages
---
## One
{DRAWN}
```task
kind: numbers
step: Q
```
## Two
```task
kind: numbers
step: weights
```
"""
    one, two = open_pages(exercise_of(text).lesson, 7)
    assert one.document is two.document


def test_pages_with_documents_of_their_own_have_other_numbers() -> None:
    task = "```task\nkind: numbers\nstep: Q\n```\n"
    again = task.replace("step: Q", "step: K")
    text = f"---\ntitle: Two\n---\n## One\n{DRAWN}\n{task}## Two\n{DRAWN}\n{again}"
    one, two = open_pages(exercise_of(text).lesson, 7)
    assert not np.array_equal(one.document.matrix("X"), two.document.matrix("X"))


def test_where_every_draw_has_flaws_the_numbers_are_still_always_the_same() -> None:
    text = """---
title: Nothing to round
---
## Weights
```document
tokens: a, b
X: 1 0; 0 1
draw: W_V
W_Q: 1 0; 0 1
W_K: 1 0; 0 1
seed: each
width: 2
```
```task
kind: numbers
step: weights
digits: 0
```
"""
    lesson = exercise_of(text).lesson
    first, again = (open_pages(lesson, 3)[0].document for _ in range(2))
    assert np.array_equal(first.matrix("W_V"), again.matrix("W_V"))
