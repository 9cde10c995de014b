import re
from pathlib import Path

import pytest

from attnviewer.io.errors import FileError
from attnviewer.teaching import Show, Text, lesson_from_text, read_lesson
from attnviewer.teaching.tasks import ChoiceTask, MakeTask, NumbersTask
from tests.teaching.texts import FRONT, PAPER, block, lesson, task

LESSON = f"""---
title: Four words
id: four-words
minutes: 15
order: 3
language: en
summary: One sentence,
  in two lines.
---

## Queries
Compute $Q = X W_Q$.

```python
## no page
```
{PAPER}
{block("show", "step: weights", "view: table", "cell: 2, 0", "head: 0")}
{task("kind: numbers", "step: Q", "points: 2", "hint: one", "hint: two", "  lines")}
More text.
{task("kind: choice", "id: which", "ask: Which?", "option: a | No.", "right: b | c")}
## Weights ##
{task("kind: make", "until: weights[0, 2] >= 0.8", "only: W_Q, options", "skip: no")}
# Exercises
## One
{block("document", "tokens: a, b", "draw: X W_Q W_K W_V", "seed: each")}
"""


def test_a_lesson_has_what_its_text_says() -> None:
    found = lesson_from_text(LESSON, "folder/text.md")
    assert (found.id, found.title, found.minutes) == ("four-words", "Four words", 15)
    assert (found.order, found.language) == (3, "en")
    assert found.summary == "One sentence,\nin two lines."
    assert found.folder == Path("folder")
    assert [page.title for page in found.pages] == ["Queries", "Weights"]
    assert [page.title for page in found.exercises] == ["One"]
    first, second = found.pages
    text, numbers, more, choice = first.blocks
    assert isinstance(text, Text)
    assert text.markdown.startswith("Compute $Q = X W_Q$.\n\n```python\n## no page")
    assert isinstance(more, Text)
    assert more.markdown == "More text."
    assert isinstance(numbers, NumbersTask)
    assert (numbers.id, numbers.points, numbers.step) == ("task-1", 2, "Q")
    assert numbers.hints == ("one", "two\nlines")
    assert isinstance(choice, ChoiceTask)
    assert choice.ask == "Which?"
    assert [(o.text, o.right, o.feedback) for o in choice.written] == [
        ("a", False, "No."),
        ("b", True, "c"),
    ]
    assert first.show == Show("weights", "table", (2, 0), 0)
    (make,) = second.tasks
    assert isinstance(make, MakeTask)
    assert make.only == ("W_Q", "options")
    assert not make.skippable
    assert found.points == 4
    assert found.document_of(second) is first.document


def test_a_lesson_without_an_id_is_called_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "Week 3 (masks).md"
    path.write_bytes(b"\xef\xbb\xbf" + (FRONT + "## P\n" + PAPER).encode())
    assert read_lesson(path).id == "Week-3--masks"
    assert read_lesson(path).folder == tmp_path


def test_lines_of_windows_are_read_too() -> None:
    assert lesson_from_text(LESSON.replace("\n", "\r\n"), "text.md").points == 4


NUMBERS = "kind: numbers", "step: Q"
CHOICE = "kind: choice"
WRONG = [
    ("", 1, "must begin with '---'"),
    ("---\ntitle: A\n", 1, "must end with '---'"),
    ("---\nid: a\n---\n## P\n" + PAPER, 1, "must have a 'title'"),
    ("---\ntitle: A\ntitel: B\n---\n", 3, "no key 'titel' here. Did you mean 'title'"),
    ("---\ntitle: A\nid: a b\n---\n", 3, "letters, digits"),
    ("---\ntitle: A\nminutes: ten\n---\n", 3, "whole number from 0 to 600"),
    ("---\ntitle: A\ntitle: B\n---\n", 3, "must be given once"),
    ("---\ntitle: A\nno entry\n---\n", 3, "must be 'key: value'"),
    (FRONT, 3, "must have a page"),
    (FRONT + "Text\n## P", 4, "must be on a page"),
    (FRONT + "# Something\n", 4, "The only heading"),
    (FRONT + "##\n", 4, "must have a heading"),
    (FRONT + "## P\nText", 4, "The first page must have a 'document'"),
    (FRONT + "## P\n```document\ntokens: a", 5, "must end with a line '```'"),
    (FRONT + "## P\n" + block("documents", "tokens: a"), 5, "Did you mean 'document'"),
    (FRONT + "## P\n" + PAPER + PAPER, 12, "one document"),
    (FRONT + "## P\n" + block("document", "X: 1"), 5, "one of 'example', 'file'"),
    (FRONT + "## P\n" + block("document", "example: nine"), 5, "no such example"),
    (FRONT + "## P\n" + block("document", "file: ../a.attn"), 6, "without folders"),
    (FRONT + "## P\n" + block("document", "file: C:\\a.attn"), 6, "without folders"),
    (FRONT + "## P\n" + block("document", "file: a.attn"), 5, "There is no such file"),
    (FRONT + "## P\n" + block("document", "tokens: a, ,b"), 6, "apart by commas"),
    (FRONT + "## P\n" + block("document", "tokens: a", "X: 1 2; 3"), 7, "as many"),
    (FRONT + "## P\n" + block("document", "tokens: a", "X: 1 x"), 7, "“x”"),
    (FRONT + "## P\n" + block("document", "tokens: a, b", "X: 1 2"), 5, "tokens"),
    (FRONT + "## P\n" + block("document", "tokens: a", "draw: W"), 7, "W_Q"),
    (
        FRONT + "## P\n" + block("document", "tokens: a", "X: 1", "draw: X"),
        8,
        "given or drawn",
    ),
    (
        FRONT + "## P\n" + block("document", "tokens: a", "X: 1", "options: cusal"),
        8,
        "Did you mean 'causal'?",
    ),
    (
        FRONT + "## P\n" + block("document", "tokens: a", "X: 1", "numbers: 2..1"),
        8,
        "a range",
    ),
    (
        FRONT + "## P\n" + block("document", "tokens: a", "X: 1", "mistake: scale"),
        8,
        "Did you mean 'scale-",
    ),
    (
        FRONT
        + "## P\n"
        + block("document", "tokens: a", "X: 1", "mistake: rope-twice"),
        5,
        "which it cannot",
    ),
    (FRONT + "## P\n" + PAPER + block("show", "view: 3d"), 13, "heatmap"),
    (FRONT + "## P\n" + PAPER + block("show", "step: P"), 12, "must be one of X"),
    (
        FRONT + "## P\n" + PAPER + block("show", "step: Q", "cell: 3, 0"),
        12,
        "must lie inside 'Q' (3, 2)",
    ),
    *(
        (FRONT + "## P\n" + PAPER + task(*lines), line, reason)
        for lines, line, reason in [
            ((), 12, "must have a 'kind'"),
            (("kind: essay",), 13, "must be one of numbers"),
            (("kind: numbers",), 12, "must have a 'step'"),
            (("kind: numbers", "step: nothing"), 12, "The 'step' must be one of"),
            ((*NUMBERS, "head: 1"), 12, "The 'head' must be below 1"),
            ((*NUMBERS, "cells: 3, 0"), 12, "must be below 3"),
            ((*NUMBERS, "cells: 1..0, 0"), 12, "from a smaller to a larger"),
            ((*NUMBERS, "cells: 1 0"), 15, "Got “0” instead"),
            ((*NUMBERS, 'cells: "d", 0'), 12, "a, b, c"),
            ((*NUMBERS, "digits: 2.5"), 15, "from 0 to 12"),
            ((*NUMBERS, "abs: 1", "rel: 1"), 16, "one of 'digits', 'abs' and 'rel'"),
            ((*NUMBERS, "hide: Q, , K"), 15, "apart by commas"),
            ((*NUMBERS, "hide: P"), 12, "must be one of X"),
            ((*NUMBERS, "points: -1"), 15, "from 0 to 1000"),
            ((*NUMBERS, "skip: never"), 15, "must be yes or no"),
            ((*NUMBERS, "until: 1"), 15, "no key 'until' here"),
            ((CHOICE,), 12, "either several 'option'"),
            ((CHOICE, "option: a", "option: b"), 12, "one of them right"),
            ((CHOICE, "options: keys", "answer: largest weights[0, 1]"), 15, "[2, :]"),
            (
                (CHOICE, "options: keys", "answer: largest scores[1, :]"),
                12,
                "one alone",
            ),
            ((CHOICE, "options: steps", "answer: nothing"), 12, "must be one of Q"),
            (("kind: make",), 12, "must have an 'until'"),
            (("kind: make", "until: weights[0] > 1"), 14, "Expected “,”"),
            (("kind: make", "until: weights[0, 5] > 1"), 12, "must be below 3"),
            (("kind: make", "until: visible[0, 0]", "only: W_O"), 12, "'only' must"),
            (("kind: wrong-step",), 12, "must compute with one mistake"),
            (("kind: mistake",), 12, "must compute with one mistake"),
        ]
    ),
]


@pytest.mark.parametrize(
    ("text", "line", "reason"), WRONG, ids=[f"{k}-{w[2]}" for k, w in enumerate(WRONG)]
)
def test_an_error_is_told_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(FileError, match=re.escape(reason)) as caught:
        lesson_from_text(text, "wrong.md")
    assert caught.value.location == f"line {line}"


def test_two_tasks_must_not_have_one_name() -> None:
    one = task(*NUMBERS, "id: same")
    with pytest.raises(FileError, match="Got 'same' again"):
        lesson(one, one)


def test_a_text_that_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes((FRONT + "## P\nf").encode() + b"\xfc")
    with pytest.raises(FileError, match="line 5: It is not UTF-8"):
        read_lesson(path)


def test_a_text_of_more_than_a_mebibyte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_bytes(b"-" * (2**20 + 1))
    with pytest.raises(FileError, match="larger than 1 MiB"):
        read_lesson(path)
    with pytest.raises(FileError, match="larger than 1 MiB"):
        lesson_from_text("-" * (2**20 + 1), "large.md")
