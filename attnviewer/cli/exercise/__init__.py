"""``attnviewer exercise``: exercises for a course, from the text to the grades."""

from collections.abc import Callable

from attnviewer.cli.exercise.check import run_check
from attnviewer.cli.exercise.grade import run_grade
from attnviewer.cli.exercise.new import run_new
from attnviewer.cli.exercise.sheet import run_sheet
from attnviewer.cli.parsing import command_parser

_COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "new": run_new,
    "sheet": run_sheet,
    "check": run_check,
    "grade": run_grade,
}


def run_exercise(arguments: list[str]) -> int:
    """Run one of the commands about exercises."""
    if arguments and arguments[0] in _COMMANDS:
        return _COMMANDS[arguments[0]](arguments[1:])
    parser = command_parser(
        "exercise",
        "Exercises with each student's own numbers: 'new' makes them from a text, "
        "'sheet' writes them for paper and learning platforms, 'check' looks at a text "
        "or a submission, 'grade' grades a folder of submissions.",
    )
    parser.add_argument(
        "command",
        metavar="COMMAND",
        choices=list(_COMMANDS),
        help="new, sheet, check or grade; 'attnviewer exercise COMMAND --help' tells "
        "more",
    )
    parser.parse_args(arguments)
    raise AssertionError("Only known commands are parsed.")
