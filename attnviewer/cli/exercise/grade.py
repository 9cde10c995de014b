"""``attnviewer exercise grade``: from a folder of submissions to a gradebook."""

from pathlib import Path

from attnviewer.cli.exercise.options import ROSTER_HELP, add_secret, secret_path
from attnviewer.cli.output import note, print_line
from attnviewer.cli.parsing import Parser, command_parser, output_path

GRADED, REFUSED = 0, 1
"""Exit codes; 2 is where nothing can be graded."""
_FORMATS = "plain", "canvas", "moodle"


def run_grade(arguments: list[str]) -> int:
    """Grade a folder of submissions."""
    options = _parser().parse_args(arguments)
    from attnviewer.teaching.exercise.file import read_exercise
    from attnviewer.teaching.exercise.gradebook import write_gradebook
    from attnviewer.teaching.exercise.grading import grade_folder
    from attnviewer.teaching.exercise.roster import read_roster
    from attnviewer.teaching.exercise.secret import read_secret

    exercise = read_exercise(options.exercise)
    roster = read_roster(options.roster)
    secret = read_secret(secret_path(options, options.exercise))
    grades = grade_folder(options.submissions, exercise, roster, secret)
    write_gradebook(grades, options.to, options.format)
    for error in grades.refused:
        note(f"not graded: {error}")
    for notice in grades.notices:
        note(notice)
    graded, students = len(grades.by_student), len(roster.students)
    refused = len(grades.refused)
    print_line(
        f"{options.to} written: {graded:,} of {students:,} students graded, "
        f"{refused:,} {'submission' if refused == 1 else 'submissions'} refused"
    )
    return REFUSED if grades.refused else GRADED


def _parser() -> Parser:
    parser = command_parser(
        "exercise grade",
        "Grade the submissions in a folder. Verdicts are computed here, from the "
        "course's secret and the answers alone. Submissions that are damaged, forged "
        "or somebody else's are refused by name and the others graded; the exit code "
        "is 0 where none was refused, else 1, and 2 where nothing can be graded.",
    )
    parser.add_argument("submissions", metavar="FOLDER", type=Path)
    parser.add_argument("--exercise", metavar="FILE.attnx", required=True, type=Path)
    parser.add_argument(
        "--roster", metavar="FILE.csv", required=True, type=Path, help=ROSTER_HELP
    )
    parser.add_argument("--to", metavar="FILE.csv", required=True, type=output_path)
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="the columns: ours, or those that Canvas or Moodle imports",
    )
    add_secret(parser)
    return parser
