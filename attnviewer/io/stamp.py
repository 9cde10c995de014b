"""The state of a file, from its metadata."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Stamp:
    """The metadata that identifies a state of a file.

    Parameters
    ----------
    size : int
        Its size in bytes.
    changed : int
        Its modification time, in nanoseconds.
    number : int
        Its inode, which differs for a file that has replaced it.
    """

    size: int
    changed: int
    number: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """Return the stamp of a file as it is now; None if there is no such file."""
        try:
            status = path.stat()
        except (OSError, ValueError):  # ValueError: an invalid file name
            return None
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)
