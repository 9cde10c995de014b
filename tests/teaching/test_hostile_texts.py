"""Whatever a text holds, it is a lesson, or refused in time with a `FileError`."""

import contextlib
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attnviewer.io.errors import FileError
from attnviewer.teaching import Lesson, lesson_from_text
from tests.teaching.test_reading import LESSON
from tests.teaching.texts import FRONT, PAPER, block, task

LINES = LESSON.split("\n")
PIECES = st.sampled_from(
    [
        *LINES,
        *(
            "```",
            "~~~",
            "````task",
            "---",
            "# Exercises",
            "## ",
            "  goes on",
            "```task",
        ),
        *("kind: mistake", "kind: wrong-step", "mistake: scale-missing", "head: 9"),
        *("until: head 1: entropy weights[0] < 1", "cells: all", "seed: 99999999999"),
        *("options: heads=2", "options: keys", "answer: smallest weights[2, :]"),
        *("draw: X W_Q W_K W_V W_O mask bias", "numbers: -9..9", "width: 64"),
        *("tokens: " + ", ".join("abcdefgh"), "X: " + "1 " * 65, "example: two-heads"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=400),
    st.text(max_size=400).map(lambda text: FRONT + "## P\n" + text),
    st.lists(st.one_of(PIECES, st.text(max_size=30)), max_size=40).map(
        lambda lines: FRONT + "## P\n" + "\n".join(lines)
    ),
)


@settings(max_examples=50, deadline=2000, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_any_text_is_a_lesson_or_refused(text: str) -> None:
    with contextlib.suppress(FileError):
        assert isinstance(lesson_from_text(text, "any.md"), Lesson)


@st.composite
def disturbed(draw: st.DrawFn) -> str:
    """Return the lesson with some of its lines changed, moved or gone."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(["drop", "piece", "cut", "letters"]))
        if change == "drop" and len(lines) > 1:
            del lines[at]
        elif change == "piece":
            lines.insert(at, draw(PIECES))
        elif change == "cut":
            lines[at] = lines[at][: draw(st.integers(0, 20))]
        else:
            lines[at] += draw(st.text(max_size=10))
    return "\n".join(lines)


@settings(max_examples=50, deadline=2000, suppress_health_check=list(HealthCheck))
@given(disturbed())
def test_a_disturbed_lesson_is_a_lesson_or_refused(text: str) -> None:
    with contextlib.suppress(FileError):
        assert isinstance(lesson_from_text(text, "any.md"), Lesson)


MIB = 2**20 - 500
HOSTILE = {
    "blanks in a heading": FRONT + "## " + " " * MIB + "x",
    "signs in a heading": FRONT + "## " + "# " * (MIB // 2) + "x",
    "back ticks": FRONT + "## P\n" + "`" * MIB + "x`",
    "fences": FRONT + "## P\n" + "```\n" * (MIB // 4),
    "pages": FRONT + "## P\n" * (MIB // 5),
    "tasks": FRONT + "## P\n" + PAPER + task("kind: numbers", "step: Q") * 20_000,
    "keys": FRONT + "## P\n" + block("document", "a: b\n" * (MIB // 5)),
    "a long key": FRONT + "## P\n" + block("document", "a" * MIB),
    "options": FRONT
    + "## P\n"
    + block("document", "tokens: a", "options: " + "," * MIB),
    "rows": FRONT
    + "## P\n"
    + block("document", "tokens: a", "X: " + "1;" * (MIB // 2)),
    "columns": FRONT
    + "## P\n"
    + block("document", "tokens: a", "X: " + "1 " * (MIB // 2)),
    "digits": FRONT + "## P\n" + block("document", "tokens: a", "X: " + "1" * MIB),
    "brackets": FRONT + "## P\n" + block("document", "tokens: a", "X: " + "(" * MIB),
    "range": FRONT
    + "## P\n"
    + block("document", "tokens: a", "X: 1", "numbers: " + "1" * MIB),
    "mistakes": FRONT
    + "## P\n"
    + block("document", "tokens: a", "X: 1", "mistake: any of " + "a," * (MIB // 2)),
    "condition": FRONT
    + "## P\n"
    + PAPER
    + task("kind: make", "until: " + "sum " * (MIB // 4)),
    "cells": FRONT
    + "## P\n"
    + PAPER
    + task("kind: numbers", "step: Q", "cells: " + ";" * MIB),
    "step": FRONT + "## P\n" + PAPER + task("kind: numbers", "step: " + "Q" * MIB),
    "id": FRONT
    + "## P\n"
    + PAPER
    + task("kind: numbers", "step: Q", "id: " + "-" * MIB),
    "lines": "\n" * MIB,
    "front matter": "---\n" + "a: b\n" * (MIB // 5) + "---\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_text_made_to_take_long_is_refused_at_once(text: str) -> None:
    begin = process_time()
    with pytest.raises(FileError):
        lesson_from_text(text, "hostile.md")
    assert process_time() - begin < 3


def test_numbers_that_cannot_be_drawn_without_ties_are_given_up_in_time() -> None:
    lines = ("tokens: " + ", ".join("abcdefghijkl"), "draw: X W_Q W_K W_V")
    hopeless = block("document", *lines, "numbers: 0..1", "width: 1")
    begin = process_time()
    with pytest.raises(FileError, match="without ties"):
        lesson_from_text(FRONT + "## P\n" + hopeless, "hopeless.md")
    assert process_time() - begin < 5
