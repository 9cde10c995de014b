"""The file that keeps a course's secret."""

import os
import re
import secrets
from pathlib import Path

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import read_bounded

SUFFIX = ".secret"
_BYTES = 32
_LIMIT = 2**16
_WRITTEN = re.compile(rb"(?:[0-9a-f]{2}){16,512}")
"""At least 128 bits, so that no seed can be guessed."""
_OWN = 0o600


def secret_beside(exercise: Path) -> Path:
    """Return where the secret of an exercise's file is by default.

    Parameters
    ----------
    exercise : Path
        The exercise, such as ``week3.attnx``; its secret is ``week3.secret``.
    """
    return exercise.with_suffix(SUFFIX)


def read_secret(path: Path) -> bytes:
    """Return a course's secret.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is none.
    """
    written = read_bounded(path, _LIMIT).strip().lower()
    if not _WRITTEN.fullmatch(written):
        raise FileFormatError(
            path,
            "It is no secret: it must be 32 to 1,024 hexadecimal digits in pairs.",
        )
    return bytes.fromhex(written.decode())


def new_secret() -> bytes:
    """Return a new secret, of the system's randomness."""
    return secrets.token_bytes(_BYTES)


def write_secret(path: Path, secret: bytes) -> None:
    """Write a secret to a new file that only its owner can read.

    Raises
    ------
    FileError
        If the file is there already, or cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWN)
    except FileExistsError:
        raise FileError(path, "There is a file already.") from None
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secret.hex()}\n")
    except OSError as error:
        path.unlink(missing_ok=True)  # nothing half-written stays
        raise FileError(path, system_reason(error)) from error
