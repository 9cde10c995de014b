"""What is done beside the window with documents that are not saved."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.document import Document
from attnviewer.io import FileError, FileFormatError
from attnviewer.io.atomic import remove_leftovers
from attnviewer.io.recovery import About, Leftover, RecoveryFolder
from attnviewer.ui.work.worker import NO_MEMORY

if TYPE_CHECKING:
    from attnviewer.compute import Array


class _QuietJob(ABC):
    """A job of which is told what goes wrong, and nothing raised.

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
            # A mistake here is not to keep anybody from their work.
            self.reason = f"{type(error).__name__}: {error}"

    @abstractmethod
    def _act(self) -> None:
        """Do it."""


class MakingRoom(_QuietJob):
    """Makes arrays that are like those of a document, but for what they hold.

    To a new array of many bytes the system gives memory as it is first written to,
    and that takes longer than to copy something there.

    Attributes
    ----------
    room : dict of str to ndarray
        The arrays by name.
    """

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.room: dict[str, Array] = {}
        self._like = [(n, a.shape, a.dtype) for n, a in document.matrices.items()]

    def _act(self) -> None:
        for name, shape, dtype in self._like:
            self.room[name] = array = np.empty(shape, dtype)
            array.fill(0)


class _FolderJob(_QuietJob):
    """Something with the folder of this process.

    Attributes
    ----------
    number : int
        The number of the document in the folder.
    """

    def __init__(self, folder: RecoveryFolder, number: int) -> None:
        super().__init__()
        self.number = number
        self._folder = folder


class Clearing(_QuietJob):
    """Removes the temporary files of processes that were killed while they wrote."""

    def __init__(self, folders: Iterable[Path]) -> None:
        super().__init__()
        self._folders = list(folders)

    def _act(self) -> None:
        for folder in self._folders:
            if not self.stopped:
                remove_leftovers(folder)


class Keeping(_FolderJob):
    """Writes the copy of a document."""

    def __init__(
        self, folder: RecoveryFolder, number: int, copy: Document, about: About
    ) -> None:
        super().__init__(folder, number)
        self._copies = [copy]
        self._about = about

    def _act(self) -> None:
        # Let go of here: that takes time for a large one.
        self._folder.keep(self.number, self._copies.pop(), self._about)


class Removing(_FolderJob):
    """Removes a document that need not be kept any more."""

    def _act(self) -> None:
        self._folder.remove(self.number)


class Recovering(_FolderJob):
    """Reads what was left behind, and takes it over.

    Attributes
    ----------
    leftover : Leftover
        What was left behind.
    document : Document or None
        What was read.
    apart : Path or None
        Where it is now, if it is damaged.
    """

    def __init__(self, folder: RecoveryFolder, number: int, leftover: Leftover) -> None:
        super().__init__(folder, number)
        self.leftover = leftover
        self.document: Document | None = None
        self.apart: Path | None = None

    def _act(self) -> None:
        try:
            document = self.leftover.read()
        except FileFormatError as error:
            self.apart = self.leftover.put_apart()
            self.reason = error.reason
        else:
            self._folder.take(self.number, self.leftover)
            self.document = document
