"""Answers in files."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.document import SetCells
from attnviewer.teaching.exercise.answers import answer_from_plain, answer_to_plain
from attnviewer.teaching.exercise.opening import open_pages
from tests.teaching.exercise.course import DRAWN, exercise_of

TEXT = f"""---
title: All kinds
---
## All
{DRAWN}
```task
kind: numbers
id: numbers
step: scores
```
```task
kind: choice
id: choice
option: one
right: two
```
```task
kind: make
id: make
until: weights[0, 0] > 0.1
```
## Bug
```document
tokens: a, b, c
draw: X W_Q W_K W_V
width: 2
mistake: scale-missing
```
```task
kind: wrong-step
id: wrong-step
```
```task
kind: mistake
id: mistake
```
"""
PAGES = open_pages(exercise_of(TEXT).lesson, 5)
TASKS = {task.id: (task, o.document) for o in PAGES for task in o.page.tasks}
RIGHT = {
    "numbers": {(0, 0): "1/2", (2, 1): "−3"},
    "choice": (1,),
    "wrong-step": "scaled",
    "mistake": "scale-missing",
}


@pytest.mark.parametrize("kind", RIGHT)
def test_an_answer_comes_back(kind: str) -> None:
    plain = answer_to_plain(RIGHT[kind])
    assert answer_from_plain(TASKS[kind][0], plain, TASKS[kind][1]) == RIGHT[kind]


def test_a_changed_document_comes_back() -> None:
    task, document = TASKS["make"]
    made = document.__copy__()
    made.apply(SetCells("nine", "X", 0, 0, np.array([[9.0]])))
    back = answer_from_plain(task, answer_to_plain(made), document)
    assert back.tokens == made.tokens
    assert back.spec == made.spec
    assert {n: a.tolist() for n, a in back.matrices.items()} == {
        n: a.tolist() for n, a in made.matrices.items()
    }


def test_masks_and_minus_infinity_come_back() -> None:
    task, document = TASKS["make"]
    bias = np.array([[0, -np.inf, 1.5]] * 3)
    mask = np.array([[True, False, True]] * 3)
    spec = replace(document.spec, bias=True, mask=True)
    matrices = {**document.matrices, "bias": bias, "mask": mask}
    made = type(document)("x", document.tokens, matrices, spec)
    back = answer_from_plain(task, answer_to_plain(made), document)
    assert np.array_equal(back.matrix("bias"), bias)
    assert np.array_equal(back.matrix("mask"), mask)


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        ("numbers", {"0;0": "1"}),
        ("numbers", {"0,0": 1}),
        ("numbers", {"0,0": "1" * 201}),
        ("numbers", {"00,0": "1"}),
        ("numbers", ["1"]),
        ("choice", [-1]),
        ("choice", [0.5]),
        ("choice", "two"),
        ("choice", [0] * 101),
        ("wrong-step", ["scaled"]),
        ("mistake", 1),
        ("make", {"tokens": ["a"], "spec": {}, "matrices": {"X": [[1], [1, 2]]}}),
        ("make", {"tokens": ["a"], "spec": {}, "matrices": {"X": [["x"]]}}),
        ("make", {"tokens": ["a"], "spec": {"evil": 1}, "matrices": {"X": [[1]]}}),
        ("make", {"tokens": ["a"], "spec": {}, "matrices": {}, "points": 9}),
        ("make", {"tokens": ["a"] * 513, "spec": {}, "matrices": {}}),
        ("make", None),
    ],
)
def test_what_is_no_such_answer_is_refused(kind: str, plain) -> None:
    task, document = TASKS[kind]
    with pytest.raises(ValueError, match=r"\.$|instead|differ|fit|other than"):
        answer_from_plain(task, plain, document)
