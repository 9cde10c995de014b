"""``attnviewer exercise new``: an exercise, and a copy for each student."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.exercise.options import (
    ROSTER_HELP,
    add_secret,
    read_course,
    secret_path,
)
from attnviewer.cli.output import RefusedError, note, print_line
from attnviewer.cli.parsing import Parser, command_parser

if TYPE_CHECKING:
    from attnviewer.teaching.exercise.file import Exercise

_TRIED = tuple(f"trial {k}" for k in range(8))
"""Whose numbers are tried where there is no roster."""


def run_new(arguments: list[str]) -> int:
    """Make an exercise from a text."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.roster is None) != (options.students is None):
        parser.error("--roster and --students belong together")
    from attnviewer.io import write_atomically
    from attnviewer.io.export.folder import make_folder
    from attnviewer.teaching.exercise.file import exercise_bytes, read_exercise_text
    from attnviewer.teaching.exercise.secret import (
        new_secret,
        read_secret,
        write_secret,
    )
    from attnviewer.teaching.exercise.student_files import student_file_name

    exercise = read_exercise_text(options.text)
    roster = read_course(options)
    path = secret_path(options, options.to)
    present = path.exists()
    secret = read_secret(path) if present else new_secret()
    students = () if roster is None else tuple(roster.by_id)
    copies = list(_copies(exercise, secret, students or _TRIED))
    # All that can fail for what is in the files has been done by now.
    if roster is not None:
        make_folder(options.students)
    if not present:
        write_secret(path, secret)
        print_line(f"{path} written; only you may have it, and grading needs it")
    write_atomically(options.to, exercise_bytes(exercise))
    print_line(f"{options.to} written")
    for student, copy in zip(students, copies, strict=False):
        target = options.students / f"{student_file_name(student)}.attnx"
        write_atomically(target, exercise_bytes(copy), lasting=False)
    if students:
        count = "1 copy" if len(students) == 1 else f"{len(students):,} copies"
        print_line(f"{options.students}: {count} written")
    return 0


def _copies(
    exercise: "Exercise", secret: bytes, students: Iterable[str]
) -> Iterator["Exercise"]:
    """Yield the students' copies, whose numbers have been drawn once."""
    from attnviewer.teaching.exercise.file import Copy, Exercise
    from attnviewer.teaching.exercise.opening import numbers_of, open_pages
    from attnviewer.teaching.exercise.seeds import seed_of

    lesson = exercise.lesson
    varies = any(p.document is not None and p.document.varies for p in lesson.pages)
    if not varies:
        note("Nothing is drawn with 'seed: each': all students have the same numbers.")
    first: dict[bytes, str] = {}
    for student in students:
        seed = seed_of(secret, exercise.id, student)
        try:
            numbers = numbers_of(open_pages(lesson, seed))
        except ValueError as error:
            raise RefusedError(f"The numbers of {student}: {error}") from None
        other = first.setdefault(numbers, student)
        if varies and other != student:
            note(
                f"{other} and {student} have the same numbers; draw more matrices, or "
                "from a wider range."
            )
        yield Exercise(exercise.text, lesson, Copy(student, seed))


def _parser() -> Parser:
    parser = command_parser(
        "exercise new",
        "Make an exercise from a text in the format of lessons, and a copy with each "
        "student's own numbers. The numbers follow from the course's secret, the "
        "exercise and the student; the secret is in no copy.",
    )
    parser.add_argument("text", metavar="TEXT.md", type=Path)
    parser.add_argument("--to", metavar="FILE.attnx", required=True, type=exercise_file)
    add_secret(parser)
    parser.add_argument("--roster", metavar="FILE.csv", type=Path, help=ROSTER_HELP)
    parser.add_argument(
        "--students",
        metavar="FOLDER",
        type=Path,
        help="where the students' copies go, each named after the student's id",
    )
    return parser


def exercise_file(text: str) -> Path:
    """Return the path of an exercise."""
    if Path(text).suffix.lower() != ".attnx":
        raise argparse.ArgumentTypeError(f"the name must end in .attnx. Got {text!r}")
    return Path(text)
