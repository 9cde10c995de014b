"""``attnviewer SOURCE``: the window."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError
from attnviewer.cli.parsing import Parser, add_source
from attnviewer.sources import EXERCISE, FIRST_EXAMPLE, LESSON, is_of_lesson
from attnviewer.version import __version__

if TYPE_CHECKING:
    from attnviewer.teaching import Lesson
    from attnviewer.teaching.exercise.file import Exercise

_EPILOG = """\
commands:
  attnviewer examples             list the bundled examples
  attnviewer doctor FILE ...      tell what is wrong with an implementation
  attnviewer exercise COMMAND ... make, print, check and grade exercises of a course
  attnviewer export SOURCE ...    write the steps to files, or a picture of one
  attnviewer model PATH ...       open a real model, export a layer, draw a head,
                                  or tell what its heads look at
  attnviewer patterns SOURCE ...  tell where the attention of each head goes
  attnviewer screenshot SOURCE ...
                                  draw the window into a PNG file
  attnviewer survey MODEL TEXTS ...
                                  statistics of every head over many texts
'attnviewer COMMAND --help' tells more. For a file that is named like a command
write ./export.
"""


_SOURCE = (
    "example:ID (see 'attnviewer examples'), a file, or a lesson (.md, or .attnx of an "
    "exercise)"
)


def open_window(arguments: list[str]) -> int:
    """Open the window and run until it is closed."""
    parser = Parser(
        "attnviewer",
        description="Open the workbench for the attention mechanism.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    add_source(parser, default=FIRST_EXAMPLE, what=_SOURCE)
    parser.add_argument(
        "--lesson",
        metavar="LESSON",
        help="open a lesson: the id of a bundled one, or the path of a .md file or of "
        "a copy of an exercise (.attnx)",
    )
    options = parser.parse_args(arguments)
    source, lesson = options.source, options.lesson
    if options.assign is None and is_of_lesson(Path(source)):
        if lesson is not None:
            raise RefusedError(
                f"Name one lesson, either as SOURCE or after --lesson. Got '{source}' "
                f"and '{lesson}' instead."
            )
        source, lesson = FIRST_EXAMPLE, source
    # Read first: without it, no window is opened.
    lessons = [] if lesson is None else [find_lesson(lesson)]
    with window_system():
        from attnviewer.ui.launch import launch

        return launch(source, options.assign, *lessons)


def find_lesson(name: str) -> "Lesson | Exercise":
    """Return a lesson or an exercise by its id or its path.

    Raises
    ------
    FileError
        If the file cannot be read.
    RefusedError
        If there is no such lesson.
    """
    # Imported here: most windows open none.
    from attnviewer.teaching import bundled_lessons, read_lesson

    suffix = Path(name).suffix.lower()
    if suffix == LESSON:
        return read_lesson(name)
    if suffix == EXERCISE:
        from attnviewer.teaching.exercise.file import read_exercise

        return read_exercise(Path(name))
    lessons = {lesson.id: lesson for lesson in bundled_lessons()}
    if name not in lessons:
        known = ", ".join(lessons) or "none"
        raise RefusedError(
            f"The lesson must be one of {known}, or the path of a .md or .attnx "
            f"file. Got '{name}' instead."
        )
    return lessons[name]


@contextlib.contextmanager
def window_system() -> Iterator[None]:
    """Load Qt first; report a broken installation of it instead of a traceback."""
    try:
        from attnviewer.ui.pyside_imports import import_without_reading_sources

        import_without_reading_sources()
        yield
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6", "pyqtgraph")):
            raise
        raise RefusedError(f"The window cannot be loaded: {error}") from None
