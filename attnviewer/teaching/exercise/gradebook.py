"""Grades as the CSV files that learning platforms import."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from attnviewer.document.text.formula_guard import guard_text
from attnviewer.io.atomic import write_atomically
from attnviewer.io.export.csv_text import Row, csv_pieces
from attnviewer.teaching.exercise.grading import Grade, Grades
from attnviewer.teaching.exercise.roster import Student

_DECIMALS = 6
"""Decimals of points; more would only show how doubles are rounded."""


def write_gradebook(grades: Grades, path: Path, format: str) -> None:
    """Write grades as CSV, atomically.

    Parameters
    ----------
    grades : Grades
        The grades.
    path : Path
        The file.
    format : str
        One of `FORMATS`.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    rows = FORMATS[format](grades)
    write_atomically(path, csv_pieces([_guarded(row) for row in rows]))


def _canvas(grades: Grades) -> Iterator[Sequence[str]]:
    # As the gradebook that Canvas exports and imports; a blank score leaves the one
    # that is there.
    yield "Student", "ID", "SIS User ID", "SIS Login ID", "Section", grades.title
    yield "    Points Possible", "", "", "", "", _points(grades.possible)
    for student in grades.roster.students:
        who = student.name or _last_first(student)
        yield (
            who,
            student.lms_id,
            student.id,
            student.login,
            student.section,
            _score(grades.by_student.get(student.id)),
        )


def _moodle(grades: Grades) -> Iterator[Sequence[str]]:
    # Points and feedback together: Moodle loses the points where only the feedback is
    # mapped to an item.
    feedback = f"{grades.title} feedback"
    heading = "First name", "Last name", "ID number", "Email address"
    yield (*heading, grades.title, feedback)
    for student in grades.roster.students:
        grade = grades.by_student.get(student.id)
        first, last = student.first or student.name, student.last
        words = "" if grade is None else _words(grade, grades)
        yield first, last, student.id, student.email, _score(grade), words


def _plain(grades: Grades) -> Iterator[Sequence[str]]:
    tasks = list(grades.tasks)
    yield "id", "name", "points", "of", *tasks, "handed in", "file"
    for student in grades.roster.students:
        grade = grades.by_student.get(student.id)
        possible = _points(grades.possible)
        if grade is None:
            yield student.id, student.shown, "", possible, *[""] * len(tasks), "", ""
            continue
        points = [_points(grade.points_of[task]) for task in tasks]
        name = grade.file.name
        yield (
            student.id,
            student.shown,
            _score(grade),
            possible,
            *points,
            grade.handed_in.isoformat(),
            name,
        )


def _words(grade: Grade, grades: Grades) -> str:
    """Return the points of each task, such as ``scores: 1.5 of 2; mistake: 1 of 1``."""
    return "; ".join(
        f"{task}: {_points(grade.points_of[task])} of {_points(possible)}"
        for task, possible in grades.tasks.items()
    )


def _last_first(student: Student) -> str:
    if student.last and student.first:
        return f"{student.last}, {student.first}"
    return student.shown


def _score(grade: Grade | None) -> str:
    return "" if grade is None else _points(grade.points)


def _points(points: float) -> str:
    return f"{round(points, _DECIMALS):.10g}"


def _guarded(row: Sequence[str]) -> Row:
    return [guard_text(text) for text in row]


FORMATS: Mapping[str, Callable[[Grades], Iterator[Sequence[str]]]] = {
    "canvas": _canvas,
    "moodle": _moodle,
    "plain": _plain,
}
"""The writers, by the name of their format."""
