"""Errors of files, each with a message of one sentence."""

import errno
from pathlib import Path

from attnviewer.one_line import one_line

_REASONS = {
    errno.ENOENT: "There is no such file or folder.",
    errno.EACCES: "Permission denied.",
    errno.EPERM: "Permission denied.",
    errno.EISDIR: "It is a folder, not a file.",
    errno.ENOTDIR: "A part of the path is a file, not a folder.",
    errno.ENOSPC: "The disk is full.",
    errno.EDQUOT: "The disk quota is used up.",
    errno.EFBIG: "The file would be larger than the system allows.",
    errno.EROFS: "The disk is read-only.",
    errno.ENAMETOOLONG: "The name is too long.",
    errno.ELOOP: "Its symbolic links lead in a circle.",
    errno.EMFILE: "Too many files are open.",
    errno.ENFILE: "Too many files are open.",
    errno.EIO: "The disk reports a hardware error.",
    errno.ENXIO: "It is not an ordinary file.",
}
_LONGEST_REASON, _LONGEST_LOCATION = 600, 160
"""Maximum length of a message that quotes a file's content."""
_HELD_BY_ANOTHER_PROGRAM = (32, 33)  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION


class FileError(Exception):
    """A file that cannot be read or written.

    Parameters
    ----------
    path : str or Path
        The file, as the user named it.
    reason : str
        The reason, as a sentence.
    location : str or None
        Where in the file: ``line 3`` or ``$.matrices.W_K``.
    """

    def __init__(
        self, path: str | Path, reason: str, location: str | None = None
    ) -> None:
        reason = _bounded(reason, _LONGEST_REASON)
        location = None if location is None else _bounded(location, _LONGEST_LOCATION)
        super().__init__(path, reason, location)
        self.path = path
        self.reason = reason
        self.location = location

    def __str__(self) -> str:
        where = (
            str(self.path) if self.location is None else f"{self.path}, {self.location}"
        )
        return one_line(f"{where}: {self.reason}")


def _bounded(text: str, longest: int) -> str:
    """Return a text that may quote a file, with its middle cut if it is too long."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]}…{text[-(longest // 2) :]}"


class FileFormatError(FileError):
    """A file that can be read, but whose content is invalid or unusable."""


def system_reason(error: OSError) -> str:
    """Return the system's reason as a sentence.

    Parameters
    ----------
    error : OSError
        The error of a file operation.
    """
    if getattr(error, "winerror", None) in _HELD_BY_ANOTHER_PROGRAM:
        return "Another program has the file open."
    known = _REASONS.get(error.errno or 0)
    if known is not None:
        return known
    reason = error.strerror or str(error) or type(error).__name__
    return f"The system reports: {reason.rstrip('.')}."
