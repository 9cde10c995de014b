"""Options that commands about exercises share."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.parsing import Parser

if TYPE_CHECKING:
    from attnviewer.teaching.exercise.roster import Roster

ROSTER_HELP = (
    "who takes the course: CSV with a column 'id' and, as far as there are, 'name', "
    "'first name', 'last name', 'email', 'login' and 'section'; a gradebook of Canvas "
    "or a list of participants of Moodle will do"
)


def add_secret(parser: Parser) -> None:
    """Add ``--secret``."""
    parser.add_argument(
        "--secret",
        metavar="FILE",
        type=Path,
        help="the file with the course's secret; beside the exercise by default",
    )


def secret_path(options: argparse.Namespace, exercise: Path) -> Path:
    """Return where the secret of an exercise is."""
    from attnviewer.teaching.exercise.secret import secret_beside

    given: Path | None = options.secret
    return secret_beside(exercise) if given is None else given


def read_course(options: argparse.Namespace) -> "Roster | None":
    """Return the roster that is named, if any."""
    from attnviewer.teaching.exercise.roster import read_roster

    return None if options.roster is None else read_roster(options.roster)
