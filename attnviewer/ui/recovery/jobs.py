"""What is done beside the window with documents that are not saved."""

from pathlib import Path

from attnviewer.document import Document
from attnviewer.io import FileError, FileFormatError
from attnviewer.io.recovery import Leftover, RecoveryFolder
from attnviewer.ui.worker import NO_MEMORY


class _FolderJob:
    """A job with the folder of this process; what goes wrong is told, not raised.

    Attributes
    ----------
    number : int
        The number of the document in the folder.
    reason : str or None
        Why it failed.
    """

    def __init__(self, folder: RecoveryFolder, number: int) -> None:
        self.stopped = False
        self.number = number
        self.reason: str | None = None
        self._folder = folder

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

    def _act(self) -> None:
        raise NotImplementedError


class Keeping(_FolderJob):
    """Writes the copy of a document."""

    def __init__(
        self, folder: RecoveryFolder, number: int, copy: Document, file: Path | None
    ) -> None:
        super().__init__(folder, number)
        self._copies = [copy]
        self._file = file

    def _act(self) -> None:
        # Let go of here: that takes time for a large one.
        self._folder.keep(self.number, self._copies.pop(), self._file)


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
