"""A small course: a secret, a roster, exercises and what students hand in."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attnviewer.teaching.exercise.file import Copy, Exercise, exercise_from_text
from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.roster import Roster, Student
from attnviewer.teaching.exercise.seeds import seed_of
from attnviewer.teaching.exercise.submission import (
    Submission,
    submission_of,
    write_submission,
)
from attnviewer.teaching.situation import Situation

SECRET = bytes(range(32))
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DRAWN = """
```document
tokens: the, cat, sat
draw: X W_Q W_K W_V
seed: each
width: 2
```
"""
WEIGHTS = f"""---
title: Weights by hand
id: weights-by-hand
---
## Weights
{DRAWN}
Work out $Q K^\\top$.

```task
kind: numbers
id: scores
step: scores
points: 3
```

```task
kind: numbers
id: weights
step: weights
cells: 2, :
points: 2
```

```task
kind: choice
id: most
options: keys
answer: largest weights[2, :]
```
"""
PATH = Path("weights-by-hand.md")


def exercise_of(text: str = WEIGHTS) -> Exercise:
    return exercise_from_text(PATH, text)


def roster_of(*ids: str) -> Roster:
    return Roster(tuple(Student(id, f"Student {id}") for id in ids))


def copy_of(student: str, exercise: Exercise, secret: bytes = SECRET) -> Exercise:
    seed = seed_of(secret, exercise.id, student)
    return Exercise(exercise.text, exercise.lesson, Copy(student, seed))


def solutions(exercise: Exercise) -> dict[str, Any]:
    """Return right answers to a student's copy."""
    assert exercise.copy is not None
    answers: dict[str, Any] = {}
    for opened in open_pages(exercise.lesson, exercise.copy.seed):
        situation = Situation(opened.document, {}, opened.page.tasks)
        answers |= {task.id: task.solution(situation) for task in opened.page.tasks}
    return answers


def submitted(
    student: str,
    exercise: Exercise,
    answers: Mapping[str, Any] | None = None,
    *,
    minutes: int = 0,
    secret: bytes = SECRET,
) -> Submission:
    """Return what a student hands in: right answers, unless others are given."""
    copy = copy_of(student, exercise, secret)
    given = solutions(copy) if answers is None else answers
    at = NOON + timedelta(minutes=minutes)
    return submission_of(copy, given, dict.fromkeys(given, at), at)


def hand_in(folder: Path, name: str, submission: Submission) -> Path:
    path = folder / f"{name}.attnsub"
    write_submission(submission, path)
    return path
