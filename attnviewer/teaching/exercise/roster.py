"""The roster: who takes the course."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from attnviewer.io.errors import FileFormatError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import shortened
from attnviewer.teaching.exercise.student_files import student_file_name

_LIMIT = 16 * 2**20
_MOST_STUDENTS = 100_000
LONGEST_ID = 100
"""Maximum length of a student's id, in characters."""
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("sis user id", "id number", "student id", "student number", "id"),
    "name": ("student", "student name", "full name", "name"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "email": ("email address", "email", "e-mail"),
    "login": ("sis login id", "login", "username", "user name"),
    "section": ("section", "group", "groups"),
}
"""Headings of each column, the most telling first: ours, Canvas's and Moodle's."""
_SECOND_HEADING = "points possible"
_TEST_STUDENT = "Student, Test"


@dataclass(frozen=True, slots=True)
class Student:
    """Somebody who takes the course.

    Parameters
    ----------
    id : str
        What tells students apart, such as a matriculation number.
    name, first, last, email, login, section : str
        What a gradebook asks for, as far as it is known.
    lms_id : str
        The number that Canvas itself gave, if the roster is its gradebook.
    """

    id: str
    name: str = ""
    first: str = ""
    last: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    lms_id: str = ""

    @property
    def shown(self) -> str:
        """The name for people; the id if there is none."""
        return self.name or f"{self.first} {self.last}".strip() or self.id


@dataclass(frozen=True)
class Roster:
    """All students of a course, in the order of their file."""

    students: tuple[Student, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Student]:
        """The students by id."""
        return {student.id: student for student in self.students}


def read_roster(path: Path) -> Roster:
    """Return the students of a CSV file.

    The first line has the headings. A student's id is needed; a gradebook that Canvas
    has exported and a list of participants from Moodle are understood as they are.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with commas, semicolons or tabs.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) an id is missing, unusable, or
        there twice.
    """
    data = read_bounded(path, _LIMIT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(path, "It is not text in UTF-8.") from None
    lines = _lines(path, text)
    try:
        _, headings = next(lines)
    except StopIteration:
        raise FileFormatError(path, "The file is empty.") from None
    columns = _columns(path, headings)
    students: list[Student] = []
    places: dict[str, int] = {}
    for number, row in lines:
        student = _student(path, number, row, columns)
        if student is None:
            continue
        file = student_file_name(student.id).casefold()
        if file in places:
            reason = (
                f"The id '{shortened(student.id)}' is in line {places[file]} already. "
                "Ids must differ in more than upper and lower case."
            )
            raise FileFormatError(path, reason, f"line {number}")
        places[file] = number
        students.append(student)
        if len(students) > _MOST_STUDENTS:
            raise FileFormatError(path, f"It has more than {_MOST_STUDENTS:,} rows.")
    if not students:
        raise FileFormatError(path, "It has headings but no students.")
    return Roster(tuple(students))


def _lines(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the numbers of their lines."""
    heading = text.partition("\n")[0]
    delimiter = max(",;\t", key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield reader.line_num, [value.strip() for value in row]
    except csv.Error as error:
        reason = f"It is not CSV: {error}."
        raise FileFormatError(path, reason, f"line {reader.line_num}") from None


def _columns(path: Path, headings: list[str]) -> dict[str, int]:
    places = {heading.casefold(): k for k, heading in reversed([*enumerate(headings)])}
    columns = {}
    for column, names in _NAMES.items():
        found = [places[name] for name in names if name in places]
        if found:
            columns[column] = found[0]
    if "id" not in columns:
        reason = "No heading is 'id', 'student id', 'ID number' or 'SIS User ID'."
        raise FileFormatError(path, reason, "line 1")
    if "sis user id" in places and "id" in places:
        columns["lms_id"] = places["id"]
    return columns


def _student(
    path: Path, line: int, row: list[str], columns: Mapping[str, int]
) -> Student | None:
    """Return the student of a row; None for a row that Canvas adds to its own."""
    values = {
        name: row[column] if column < len(row) else ""
        for name, column in columns.items()
    }
    name = values.get("name", "")
    if name.casefold() == _SECOND_HEADING or (
        name == _TEST_STUDENT and not values["id"]
    ):
        return None
    problem = id_problem(values["id"])
    if problem:
        raise FileFormatError(path, problem, f"line {line}")
    return Student(**values)


def id_problem(id: str) -> str:
    """Return why a text cannot be a student's id, as a sentence; "" if it can."""
    if not id:
        return "The student has no id."
    if len(id) > LONGEST_ID:
        return f"The id has more than {LONGEST_ID} characters."
    if not id.isprintable() or id != id.strip():
        return f"The id '{shortened(id)}' has characters that cannot be printed."
    if not id[0].isalnum():
        # A spreadsheet would take =1+1 or @x for a formula.
        return f"The id '{shortened(id)}' must begin with a letter or a digit."
    return ""
