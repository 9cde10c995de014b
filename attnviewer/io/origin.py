"""The origin of a document, from which it can be reloaded."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from attnviewer.document import Document
from attnviewer.io.source import load
from attnviewer.io.stamp import Stamp


class Origin(Protocol):
    """A file, and how a document is read from it."""

    @property
    def path(self) -> Path:
        """The file; the first one where there are several."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files."""

    def read(self) -> Document:
        """Return the document in the file as it is now.

        Raises
        ------
        FileError
            If it cannot be read, or (`FileFormatError`) its content is invalid.
        """


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file with a whole document: a session or an example.

    Parameters
    ----------
    path : Path
        The file.
    assign : str or None
        For a file of numbers, the roles of its arrays, see `load`.
    """

    path: Path
    assign: str | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file alone."""
        return (self.path,)

    def read(self, tell: Callable[[str], None] | None = None) -> Document:
        """Return the document that the file holds now, see `Origin.read`."""
        absolute = str(self.path.absolute())  # never an example's name
        return load(absolute, self.assign, tell=tell)


@dataclass(frozen=True, slots=True)
class TrackedFile:
    """A document's file, and its state when they agreed.

    Parameters
    ----------
    origin : Origin
        The file.
    stamp : Stamp or None
        The file's state then, taken before it was read or after it was written.
    """

    origin: Origin
    stamp: Stamp | None


def tracked_file(document: Document) -> TrackedFile | None:
    """Return what is known of a document's file."""
    known = document.file
    return known if isinstance(known, TrackedFile) else None
