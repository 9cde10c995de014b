"""Dispatch to the subcommands."""

import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from attnviewer.cli.doctor import run_doctor
from attnviewer.cli.examples import run_examples
from attnviewer.cli.exercise import run_exercise
from attnviewer.cli.export import run_export
from attnviewer.cli.model import run_model
from attnviewer.cli.output import RefusedError, note
from attnviewer.cli.parsing import Finished
from attnviewer.cli.patterns import run_patterns
from attnviewer.cli.screenshot import run_screenshot
from attnviewer.cli.survey import run_survey
from attnviewer.cli.window import open_window

_REFUSED, _INTERRUPTED, _PIPE_CLOSED = 2, 130, 141
_COMMANDS: dict[str | None, Callable[[list[str]], int]] = {
    "doctor": run_doctor,
    "examples": run_examples,
    "exercise": run_exercise,
    "export": run_export,
    "model": run_model,
    "patterns": run_patterns,
    "screenshot": run_screenshot,
    "survey": run_survey,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the command's name; those of the process by default.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return _run(arguments)
    except Finished:
        return 0
    except RefusedError as error:
        note(str(error))
        return _REFUSED
    except MemoryError:
        note("There is not enough memory for this.")
        return _REFUSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return _PIPE_CLOSED
    except Exception as error:
        from attnviewer.io import FileError

        if not isinstance(error, FileError):
            raise
        note(str(error))
        return _REFUSED


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments else None
    if command in _COMMANDS:
        return _COMMANDS[command](arguments[1:])
    if command is not None:
        _refuse_misspelt(command)
    return open_window(arguments)


def _refuse_misspelt(word: str) -> None:
    """Name the command that a word was meant to be, if it is no file either."""
    near = get_close_matches(word, [name for name in _COMMANDS if name], n=1)
    if near and word.isalpha() and not os.path.lexists(word):
        raise RefusedError(
            f"{word}: There is no such file or folder, nor such a command. Did you "
            f"mean 'attnviewer {near[0]}'?"
        )
