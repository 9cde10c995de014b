"""Output of the command, and the error for what it refuses."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from attnviewer.one_line import one_line


class RefusedError(Exception):
    """Wrong arguments or sources, with the reason in one sentence."""


def print_line(line: str) -> None:
    """Print a line of the answer and flush, so that a failure shows here."""
    if sys.stdout is None:  # a Windows program without a console
        return
    with _failures_reported():
        sys.stdout.write(_encodable(line, sys.stdout) + "\n")
        sys.stdout.flush()


def write_bytes(piece: bytes) -> None:
    """Print raw bytes of a file and flush."""
    if sys.stdout is None:
        return
    with _failures_reported():
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def note(text: str) -> None:
    """Print a note on the answer to stderr."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(_encodable(f"attnviewer: {text}", sys.stderr) + "\n")


def _encodable(text: str, stream: TextIO) -> str:
    """Return a text as one line that the stream can encode."""
    encoding = stream.encoding or "utf-8"
    return one_line(text).encode(encoding, "backslashreplace").decode(encoding)


@contextlib.contextmanager
def _failures_reported() -> Iterator[None]:
    """Report why nothing can be printed, except on a broken pipe."""
    try:
        yield
    except OSError as error:
        _discard_output()
        if isinstance(error, BrokenPipeError):
            raise
        from attnviewer.io.errors import system_reason

        raise RefusedError(f"Cannot print. {system_reason(error)}") from None


def _discard_output() -> None:
    # Otherwise the interpreter fails the same way when it flushes at exit.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
