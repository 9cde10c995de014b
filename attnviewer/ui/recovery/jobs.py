"""Background jobs on unsaved documents."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.document import Document
from attnviewer.io import FileError, FileFormatError
from attnviewer.io.atomic import remove_temporary_files
from attnviewer.io.recovery import About, RecoverableDocument, RecoveryFolder
from attnviewer.ui.work.worker import NO_MEMORY

if TYPE_CHECKING:
    from attnviewer.compute import Array


class _QuietJob(ABC):
    """A job that records its error instead of raising it.

    Attributes
    ----------
    reason : str or None
        Why it failed.
    """

    def __init__(self) -> None:
        self.stopped = False
        self.reason: str | None = None

    def run(self) -> None:
        try:
            self._act()
        except FileError as error:
            self.reason = str(error)
        except MemoryError:
            self.reason = NO_MEMORY
        except Exception as error:
            # A bug in autosaving must not interrupt the user's work.
            self.reason = f"{type(error).__name__}: {error}"

    @abstractmethod
    def _act(self) -> None:
        """Do the work."""


class AllocateJob(_QuietJob):
    """Allocates arrays of the same shapes and types as a document's.

    The system maps the memory of a large new array when it is first written to, which
    takes longer than copying into it.

    Attributes
    ----------
    arrays : dict of str to ndarray
        The arrays by name.
    """

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.arrays: dict[str, Array] = {}
        self._like = [(n, a.shape, a.dtype) for n, a in document.matrices.items()]

    def _act(self) -> None:
        for name, shape, dtype in self._like:
            self.arrays[name] = array = np.empty(shape, dtype)
            array.fill(0)


class _FolderJob(_QuietJob):
    """A job on this process's recovery folder.

    Attributes
    ----------
    number : int
        The number of the document in the folder.
    """

    def __init__(self, folder: RecoveryFolder, number: int) -> None:
        super().__init__()
        self.number = number
        self._folder = folder


class CleanupJob(_QuietJob):
    """Removes the temporary files of processes that were killed while they wrote."""

    def __init__(self, folders: Iterable[Path]) -> None:
        super().__init__()
        self._folders = list(folders)

    def _act(self) -> None:
        for folder in self._folders:
            if not self.stopped:
                remove_temporary_files(folder)


class SaveCopyJob(_FolderJob):
    """Writes the copy of a document."""

    def __init__(
        self, folder: RecoveryFolder, number: int, copy: Document, about: About
    ) -> None:
        super().__init__(folder, number)
        self._copies = [copy]
        self._about = about

    def _act(self) -> None:
        # Released in this thread, as freeing a large copy takes time.
        self._folder.keep(self.number, self._copies.pop(), self._about)


class RemoveCopyJob(_FolderJob):
    """Removes a document that no longer needs to be kept."""

    def _act(self) -> None:
        self._folder.remove(self.number)


class RecoverJob(_FolderJob):
    """Reads a leftover document, and moves it to this process's folder.

    Attributes
    ----------
    recoverable : RecoverableDocument
        The leftover document.
    document : Document or None
        The document read.
    damaged_path : Path or None
        Where a damaged file has been moved.
    """

    def __init__(
        self, folder: RecoveryFolder, number: int, recoverable: RecoverableDocument
    ) -> None:
        super().__init__(folder, number)
        self.recoverable = recoverable
        self.document: Document | None = None
        self.damaged_path: Path | None = None

    def _act(self) -> None:
        try:
            document = self.recoverable.read()
        except FileFormatError as error:
            self.damaged_path = self.recoverable.put_apart()
            self.reason = error.reason
        else:
            self._folder.take(self.number, self.recoverable)
            self.document = document
