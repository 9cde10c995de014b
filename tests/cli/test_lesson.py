"""``attnviewer --lesson`` opens a lesson, or says that there is none."""

import sys
from types import SimpleNamespace

import pytest

from attnviewer.cli import main
from attnviewer.teaching.exercise.file import exercise_bytes, exercise_from_text

LESSON = """---
title: Short
id: short
---
## One

```document
tokens: a
draw: X W_Q W_K W_V
```
"""


@pytest.fixture
def launched(monkeypatch):
    calls = []

    def launch(*arguments):
        calls.append(arguments)
        return 0

    app = SimpleNamespace(launch=launch)
    monkeypatch.setitem(sys.modules, "attnviewer.ui.launch", app)
    return calls


def test_the_lesson_of_a_file_is_read_before_the_window_opens(launched, tmp_path):
    path = tmp_path / "short.md"
    path.write_text(LESSON, encoding="utf-8")
    assert main(["--lesson", str(path)]) == 0
    ((source, assign, lesson),) = launched
    assert (source, assign, lesson.title) == ("example:four-words", None, "Short")


def test_a_wrong_lesson_is_one_clear_line_and_no_window(launched, tmp_path, capsys):
    path = tmp_path / "wrong.md"
    path.write_text(LESSON.replace("draw:", "draws:"), encoding="utf-8")
    assert main(["--lesson", str(path)]) == 2
    assert "line 9" in capsys.readouterr().err
    assert main(["--lesson", "no-such-lesson"]) == 2
    assert "no-such-lesson" in capsys.readouterr().err
    assert launched == []


@pytest.mark.parametrize("name", ["short.md", "SHORT.MD"])
def test_a_lesson_named_as_the_source_is_opened_as_a_lesson(launched, tmp_path, name):
    path = tmp_path / name
    path.write_text(LESSON, encoding="utf-8")
    assert main([str(path)]) == 0
    ((source, assign, lesson),) = launched
    assert (source, assign, lesson.title) == ("example:four-words", None, "Short")


def test_an_exercise_named_as_the_source_is_opened_as_a_lesson(launched, tmp_path):
    task = "```task\nkind: numbers\nid: q\nstep: Q\n```\n"
    exercise = exercise_from_text(tmp_path / "short.md", LESSON + task)
    (tmp_path / "short.attnx").write_bytes(exercise_bytes(exercise))
    assert main([str(tmp_path / "short.attnx")]) == 0
    ((source, _, found),) = launched
    assert source == "example:four-words"
    assert found.lesson.title == "Short"


def test_two_lessons_at_once_are_refused(launched, tmp_path, capsys):
    assert main([str(tmp_path / "short.md"), "--lesson", "masks"]) == 2
    assert "Name one lesson" in capsys.readouterr().err
    assert main([str(tmp_path / "missing.md")]) == 2
    assert "missing.md" in capsys.readouterr().err
    assert launched == []
