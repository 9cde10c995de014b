"""What tells one state of a file from another without reading it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it is listed in its folder.

    Parameters
    ----------
    size : int
        Its bytes.
    changed : int
        When it was written last, in nanoseconds.
    number : int
        Another one for a file that has taken the place of the first.
    """

    size: int
    changed: int
    number: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """Return that of a file as it is now; None if there is no such file."""
        try:
            status = path.stat()
        except (OSError, ValueError):  # the latter for a name that no file can have
            return None
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)
