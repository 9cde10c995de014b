"""Exercise files, `.attnx`: a teacher's, and a student's copy with numbers of its own.

A ZIP archive of ``exercise.json``, what it is and whose, and ``exercise.md``, its text
in the format of lessons.
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec

from attnviewer.io.archive import archive
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import encode
from attnviewer.teaching.exercise.parts import decoded, read_parts
from attnviewer.teaching.exercise.roster import id_problem
from attnviewer.teaching.lesson import Lesson
from attnviewer.teaching.reading.lesson_file import SIZE_LIMIT, lesson_from_text
from attnviewer.teaching.reading.task_block import read_id

FORMAT, VERSION = "attnviewer-exercise", 1
SUFFIX = ".attnx"
DESCRIPTION, TEXT = "exercise.json", "exercise.md"
_LIMIT = 2 * 2**20
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Copy:
    """Whose copy an exercise is.

    Parameters
    ----------
    student : str
        The student's id.
    seed : int
        The seed of the student's numbers.
    """

    student: str
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """An exercise: a text, and whose copy it is.

    Parameters
    ----------
    text : str
        The text in the format of lessons.
    lesson : Lesson
        What the text says.
    copy : Copy or None
        The student; None for the teacher's own.
    """

    text: str
    lesson: Lesson
    copy: Copy | None = None

    @property
    def id(self) -> str:
        """The exercise's id."""
        return self.lesson.id

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


class _CopyPart(msgspec.Struct, forbid_unknown_fields=True):
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]


class _Part(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    format: str
    version: int
    id: str
    title: str
    language: str
    points: int
    student: _CopyPart | None = None


def exercise_from_text(path: Path, text: str) -> Exercise:
    """Return the exercise of a text.

    Parameters
    ----------
    path : Path
        The file, for errors; a text without an id is called after it.
    text : str
        The text.

    Raises
    ------
    FileError
        If the text is no lesson, has no task on its pages, or names a file.
    """
    lesson = lesson_from_text(text, path)
    for page in (*lesson.pages, *lesson.exercises):
        if page.document is not None and page.document.file:
            raise FileFormatError(
                path,
                "An exercise is one file: its documents must be examples, or given or "
                f"drawn in the text. Got the file '{page.document.file}' instead.",
                f"line {page.document.line}",
            )
    if not any(page.tasks for page in lesson.pages):
        raise FileFormatError(path, "It has no task outside of '# Exercises'.")
    return Exercise(text, replace(lesson, folder=None))


def read_exercise_text(path: Path) -> Exercise:
    """Return the exercise of a text's file.

    Raises
    ------
    FileError
        As `exercise_from_text`, or if it cannot be read.
    """
    data = read_bounded(path, SIZE_LIMIT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(path, "It is not text in UTF-8.") from None
    return exercise_from_text(path, text)


def exercise_bytes(exercise: Exercise) -> bytes:
    """Return the content of an exercise's file."""
    lesson, copy = exercise.lesson, exercise.copy
    part = _Part(
        FORMAT,
        VERSION,
        lesson.id,
        lesson.title,
        lesson.language,
        lesson.points,
        None if copy is None else _CopyPart(copy.student, seed_text(copy.seed)),
    )
    content = msgspec.json.format(encode(part), indent=1)
    parts = [(DESCRIPTION, content), (TEXT, exercise.text.encode())]
    return b"".join(archive(parts, compressed=True))


def read_exercise(path: Path) -> Exercise:
    """Return the exercise of a file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no exercise.
    """
    parts = read_parts(path, [DESCRIPTION, TEXT], _LIMIT)
    part = decoded(path, DESCRIPTION, parts[DESCRIPTION], _Part, FORMAT, VERSION)
    try:
        text = parts[TEXT].decode()
    except UnicodeDecodeError:
        raise FileFormatError(path, "It is not text in UTF-8.", TEXT) from None
    try:
        exercise = exercise_from_text(Path(read_id(part.id)), text)
    except ValueError as error:
        raise FileFormatError(path, str(error), DESCRIPTION) from None
    except FileError as error:
        place = f"{TEXT} {error.location or ''}".strip()
        raise FileFormatError(path, error.reason, place) from None
    lesson = exercise.lesson
    stated = part.id, part.title, part.language, part.points
    if stated != (lesson.id, lesson.title, lesson.language, lesson.points):
        reason = "Its id, title, language or points are not those of its text."
        raise FileFormatError(path, reason, DESCRIPTION)
    if part.student is None:
        return exercise
    problem = id_problem(part.student.id)
    if problem:
        raise FileFormatError(path, problem, DESCRIPTION)
    copy = Copy(part.student.id, seed_from_text(part.student.seed))
    return Exercise(exercise.text, lesson, copy)


def seed_text(seed: int) -> str:
    """Return a seed as 16 hexadecimal digits."""
    return f"{seed:0{_DIGITS}x}"


def seed_from_text(text: str) -> int:
    """Return the seed of 16 hexadecimal digits."""
    return int(text, 16)
