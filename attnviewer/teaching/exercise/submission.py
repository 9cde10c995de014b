"""Submissions, `.attnsub`: what a student hands in.

A ZIP archive of ``submission.json``: whose it is, of which exercise, the answers and
their times. It holds no verdict; the teacher's machine computes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from attnviewer.io.archive import archive
from attnviewer.io.atomic import write_atomically
from attnviewer.io.strict_json import encode
from attnviewer.teaching.exercise.answers import answer_to_plain
from attnviewer.teaching.exercise.file import Exercise, seed_from_text, seed_text
from attnviewer.teaching.exercise.parts import decoded, read_parts

FORMAT, VERSION = "attnviewer-submission", 1
SUFFIX = ".attnsub"
PART = "submission.json"
_LIMIT = 8 * 2**20
_Time = Annotated[datetime, msgspec.Meta(tz=True)]
_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as its file holds it.

    Parameters
    ----------
    plain : object
        Plain values, see `answer_from_plain`.
    at : datetime
        When it was given, with a time zone.
    """

    plain: Any
    at: datetime


@dataclass(frozen=True, slots=True)
class Submission:
    """A student's submission.

    Parameters
    ----------
    exercise, student : str
        Their ids.
    seed : int
        The seed of the student's numbers.
    digest : str
        The SHA-256 of the exercise's text, in hexadecimal digits.
    answers : mapping of str to Answer
        By the ids of the tasks.
    handed_in : datetime
        When it was written, by the clock of the student's machine.
    """

    exercise: str
    student: str
    seed: int
    digest: str
    answers: Mapping[str, Answer]
    handed_in: datetime


class _AnswerPart(msgspec.Struct, forbid_unknown_fields=True):
    answer: Any
    at: _Time


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    exercise: _Id
    student: _Id
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
    text: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    handed_in: _Time
    answers: Annotated[dict[_Id, _AnswerPart], msgspec.Meta(max_length=1000)]


def submission_of(
    exercise: Exercise,
    answers: Mapping[str, Any],
    times: Mapping[str, datetime],
    handed_in: datetime,
) -> Submission:
    """Return what a student hands in for an exercise.

    Parameters
    ----------
    exercise : Exercise
        A student's copy.
    answers : mapping of str to object
        By the ids of the tasks, in the form that each kind of task takes.
    times : mapping of str to datetime
        When each was given, with a time zone.
    handed_in : datetime
        The present time, with a time zone.

    Raises
    ------
    ValueError
        If the exercise is nobody's copy.
    """
    if exercise.copy is None:
        raise ValueError(
            "The 'exercise' must be a student's copy. Got a copy that names no student "
            "instead."
        )
    return Submission(
        exercise.id,
        exercise.copy.student,
        exercise.copy.seed,
        exercise.digest,
        {
            task: Answer(answer_to_plain(answer), times[task])
            for task, answer in answers.items()
        },
        handed_in,
    )


def write_submission(submission: Submission, path: Path) -> None:
    """Write a submission atomically.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    part = _Part(
        FORMAT,
        VERSION,
        submission.exercise,
        submission.student,
        seed_text(submission.seed),
        submission.digest,
        submission.handed_in,
        {
            task: _AnswerPart(answer.plain, answer.at)
            for task, answer in submission.answers.items()
        },
    )
    content = msgspec.json.format(encode(part), indent=1)
    write_atomically(path, archive([(PART, content)], compressed=True))


def read_submission(path: Path) -> Submission:
    """Return the submission of a file, which is not trusted.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no submission.
    """
    data = read_parts(path, [PART], _LIMIT)[PART]
    part = decoded(path, PART, data, _Part, FORMAT, VERSION)
    answers = {task: Answer(a.answer, a.at) for task, a in part.answers.items()}
    return Submission(
        part.exercise,
        part.student,
        seed_from_text(part.seed),
        part.text,
        answers,
        part.handed_in,
    )
