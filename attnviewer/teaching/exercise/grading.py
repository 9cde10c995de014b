"""Grading of a folder of submissions.

Nothing in a submission is believed but its answers: seed, numbers and verdicts are
computed here.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.strict_json import shortened
from attnviewer.teaching.exercise.answers import answer_from_plain
from attnviewer.teaching.exercise.file import Exercise
from attnviewer.teaching.exercise.opening import open_pages
from attnviewer.teaching.exercise.roster import Roster
from attnviewer.teaching.exercise.seeds import seed_of
from attnviewer.teaching.exercise.submission import (
    SUFFIX,
    Submission,
    read_submission,
)
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.verdict import Verdict

MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of a student.

    Parameters
    ----------
    student : str
        The student's id.
    points_of : mapping of str to float
        The points of each task, by its id.
    handed_in : datetime
        When it was handed in, by the student's clock.
    file : Path
        The submission.
    """

    student: str
    points_of: Mapping[str, float]
    handed_in: datetime
    file: Path

    @property
    def points(self) -> float:
        """All points together."""
        return sum(self.points_of.values())


@dataclass(frozen=True, slots=True)
class Grades:
    """The results of all students of a roster.

    Parameters
    ----------
    title : str
        The exercise's title.
    tasks : mapping of str to float
        What each task counts, by its id.
    roster : Roster
        The students.
    by_student : mapping of str to Grade
        The grades of those who handed something in, by id.
    refused : tuple of FileError
        The submissions that were not graded, with their reasons.
    notices : tuple of str
        What else is worth knowing.
    """

    title: str
    tasks: Mapping[str, float]
    roster: Roster
    by_student: Mapping[str, Grade]
    refused: tuple[FileError, ...] = ()
    notices: tuple[str, ...] = field(default=())

    @property
    def possible(self) -> float:
        """The most points."""
        return sum(self.tasks.values())


def grade_folder(
    folder: Path, exercise: Exercise, roster: Roster, secret: bytes
) -> Grades:
    """Grade the submissions of a folder and of the folders in it.

    Of several submissions of one student the latest that can be graded counts, by the
    time that it states; of two with the same time, the one whose name comes last.

    Parameters
    ----------
    folder : Path
        The folder.
    exercise : Exercise
        The exercise.
    roster : Roster
        Who may hand in.
    secret : bytes
        The course's secret.

    Raises
    ------
    FileError
        If the folder cannot be read. A submission that cannot be graded is among those
        refused.
    """
    by_student: dict[str, Grade] = {}
    refused: list[FileError] = []
    notices: list[str] = []
    for path in _submissions(folder):
        try:
            grade = grade_file(path, exercise, roster, secret)
        except FileError as error:
            refused.append(error)
            continue
        other = by_student.get(grade.student)
        if other is None:
            by_student[grade.student] = grade
            continue
        earlier, later = sorted((other, grade), key=lambda g: g.handed_in)
        by_student[grade.student] = later
        notices.append(
            f"{shortened(grade.student)} handed in more than once: "
            f"{later.file.name} of {later.handed_in.isoformat()} counts, "
            f"{earlier.file.name} of {earlier.handed_in.isoformat()} does not."
        )
    tasks = _points(exercise)
    title = exercise.lesson.title
    return Grades(title, tasks, roster, by_student, tuple(refused), tuple(notices))


def grade_file(path: Path, exercise: Exercise, roster: Roster, secret: bytes) -> Grade:
    """Grade one submission.

    Raises
    ------
    FileError
        If it cannot be read, or is not one that somebody of the roster may hand in for
        this exercise.
    """
    submission = read_submission(path)
    check_exercise(path, submission, exercise)
    student = submission.student
    if student not in roster.by_id:
        raise FileFormatError(path, f"'{shortened(student)}' is not on the roster.")
    seed = seed_of(secret, exercise.id, student)
    if submission.seed != seed:
        reason = (
            f"Its seed is not that of '{shortened(student)}': the numbers are those of "
            "another student, or of a copy made with another secret."
        )
        raise FileFormatError(path, reason)
    verdicts = verdicts_of(path, submission, exercise, seed)
    points = {
        task: possible * verdicts[task].share if task in verdicts else 0.0
        for task, possible in _points(exercise).items()
    }
    return Grade(student, points, submission.handed_in, path)


def check_exercise(path: Path, submission: Submission, exercise: Exercise) -> None:
    """Check that a submission answers an exercise, and this very text of it.

    Raises
    ------
    FileFormatError
        If it does not.
    """
    if submission.exercise != exercise.id:
        reason = (
            f"It answers the exercise '{shortened(submission.exercise)}', not "
            f"'{exercise.id}'."
        )
        raise FileFormatError(path, reason)
    if submission.digest != exercise.digest:
        reason = "It answers another version of the exercise's text."
        raise FileFormatError(path, reason)


def verdicts_of(
    path: Path, submission: Submission, exercise: Exercise, seed: int
) -> dict[str, Verdict]:
    """Return the verdicts on all answers, by the ids of their tasks.

    Parameters
    ----------
    path : Path
        The submission's file, for errors.
    submission : Submission
        The submission; of it, the answers alone are used.
    exercise : Exercise
        The exercise.
    seed : int
        The student's seed.

    Raises
    ------
    FileFormatError
        If an answer is of no task, or not such as the task takes.
    """
    verdicts: dict[str, Verdict] = {}
    known = {task.id for page in exercise.lesson.pages for task in page.tasks}
    for name in submission.answers:
        if name not in known:
            reason = f"The exercise has no task '{shortened(name)}'."
            raise FileFormatError(path, reason)
    for opened in open_pages(exercise.lesson, seed):
        tasks, document = opened.page.tasks, opened.document
        answers: dict[str, Any] = {}
        for task in tasks:
            if task.id not in submission.answers:
                continue
            plain = submission.answers[task.id].plain
            try:
                answers[task.id] = answer_from_plain(task, plain, document)
            except ValueError as error:
                raise FileFormatError(path, str(error)) from None
        situation = Situation(document, answers, tasks)
        for task in tasks:
            if task.id in answers:
                verdicts[task.id] = task.check(situation, answers[task.id])
    return verdicts


def _points(exercise: Exercise) -> dict[str, float]:
    pages = exercise.lesson.pages
    return {task.id: float(task.points) for page in pages for task in page.tasks}


def _submissions(folder: Path) -> Iterator[Path]:
    """Yield the submissions in a folder by name; links are not followed."""
    if not folder.is_dir():
        raise FileError(folder, "There is no such folder.")

    def failed(error: OSError) -> None:
        raise FileError(error.filename or folder, system_reason(error)) from error

    count = 0
    for path, folders, names in os.walk(folder, onerror=failed):
        folders.sort()
        for name in sorted(_named(names)):
            count += 1
            if count > MOST_FILES:
                reason = f"It holds more than {MOST_FILES:,} submissions."
                raise FileError(folder, reason)
            yield Path(path, name)


def _named(names: Sequence[str]) -> list[str]:
    return [name for name in names if name.lower().endswith(SUFFIX)]
