"""``attnviewer exercise sheet``: exercises for paper and for learning platforms."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.exercise.options import (
    ROSTER_HELP,
    add_secret,
    read_course,
    secret_path,
)
from attnviewer.cli.output import RefusedError, note, print_line
from attnviewer.cli.parsing import Parser, command_parser, output_path
from attnviewer.cli.window import window_system

if TYPE_CHECKING:
    from attnviewer.teaching.exercise.file import Exercise
    from attnviewer.teaching.sheets.sheet import Sheet

_FORMATS = "pdf", "tex", "moodle", "qti"
_ON_PAPER = "pdf", "tex"
_MOST_VARIANTS = 1000


def run_sheet(arguments: list[str]) -> int:
    """Write an exercise for paper, or as questions of a learning platform."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.key and options.format not in _ON_PAPER:
        parser.error("argument --key: questions of a platform hold their answers")
    from attnviewer.io import write_atomically
    from attnviewer.teaching.exercise.file import read_exercise
    from attnviewer.teaching.sheets.content import off_paper

    exercise = read_exercise(options.exercise)
    for task in off_paper(exercise.lesson):
        note(
            f"The task '{task.id}' is done in the window: paper says so, with its "
            "points; a platform has none for it."
        )
    try:
        sheets = _sheets(options, exercise)
    except ValueError as error:
        raise RefusedError(str(error)) from None
    write_atomically(options.to, _content(sheets, options), lasting=False)
    count = "1 sheet" if len(sheets) == 1 else f"{len(sheets):,} sheets"
    print_line(f"{options.to} written: {count}")
    return 0


def _sheets(options: argparse.Namespace, exercise: "Exercise") -> "list[Sheet]":
    """Return the sheets that are asked for; a student's copy is one already."""
    from attnviewer.teaching.exercise.roster import id_problem
    from attnviewer.teaching.exercise.secret import read_secret
    from attnviewer.teaching.exercise.seeds import seed_of
    from attnviewer.teaching.sheets.content import sheet_of

    people: list[tuple[str, str]]
    roster = read_course(options)
    if roster is not None:
        people = [
            (s.id, s.id if s.shown == s.id else f"{s.shown} ({s.id})")
            for s in roster.students
        ]
    elif options.variants is not None:
        people = [(f"variant {k}",) * 2 for k in range(1, options.variants + 1)]
    elif options.student is not None:
        problem = id_problem(options.student)
        if problem:
            raise RefusedError(f"argument --student: {problem}")
        people = [(options.student,) * 2]
    elif exercise.copy is not None:
        copy = exercise.copy
        return [sheet_of(exercise.lesson, copy.seed, copy.student, copy.student)]
    else:
        raise RefusedError("Name --student, --roster or --variants: whose sheet it is.")
    if exercise.copy is not None:
        raise RefusedError(
            "It is the copy of a student: it has the numbers of that one."
        )
    secret = read_secret(secret_path(options, options.exercise))
    return [
        sheet_of(
            exercise.lesson,
            seed_of(secret, exercise.id, id),
            shown,
            id,
            anonymous=options.variants is not None,
        )
        for id, shown in people
    ]


def _content(sheets: "list[Sheet]", options: argparse.Namespace) -> bytes:
    if options.format == "pdf":
        with window_system():
            from attnviewer.figures import sheets_pdf
        return sheets_pdf(sheets, key=options.key)
    from attnviewer.teaching.sheets.moodle import sheets_moodle
    from attnviewer.teaching.sheets.qti import sheets_qti
    from attnviewer.teaching.sheets.tex import sheets_tex

    if options.format == "tex":
        return b"".join(sheets_tex(sheets, key=options.key))
    written = sheets_moodle if options.format == "moodle" else sheets_qti
    return b"".join(written(sheets))


def _parser() -> Parser:
    parser = command_parser(
        "exercise sheet",
        "Write an exercise with the numbers of one student, of all of a roster, or of "
        "N variants: as a PDF or LaTeX sheet with blanks, or its key; as Moodle "
        "XML; or as QTI 2.1. The numbers are those of the students' copies.",
    )
    parser.add_argument("exercise", metavar="FILE.attnx", type=Path)
    parser.add_argument("--to", metavar="FILE", required=True, type=output_path)
    parser.add_argument("--format", choices=_FORMATS, required=True)
    parser.add_argument(
        "--key", action="store_true", help="with the answers filled in (pdf, tex)"
    )
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument("--student", metavar="ID", help="one student")
    whose.add_argument("--roster", metavar="FILE.csv", type=Path, help=ROSTER_HELP)
    whose.add_argument(
        "--variants",
        metavar="N",
        type=_variants,
        help="N sheets not tied to a particular student",
    )
    add_secret(parser)
    return parser


def _variants(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not (
        1 <= int(text[:9]) <= _MOST_VARIANTS
    ):
        raise argparse.ArgumentTypeError(
            f"it must be a whole number from 1 to {_MOST_VARIANTS:,}. Got {text!r}"
        )
    return int(text)
