"""The files that the documents of a window came from."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from attnviewer.document import Document
from attnviewer.io import DocumentFile, Origin
from attnviewer.io.origin import TrackedFile, tracked_file
from attnviewer.io.session import SUFFIX
from attnviewer.io.stamp import Stamp
from attnviewer.sources import EXAMPLE_PREFIX


class Origins(QObject):
    """Knows where documents came from, or were last saved to.

    Shared by all windows of this process, but `kept` is emitted only in the window
    that changed it.

    Attributes
    ----------
    kept : Signal
        A document has been assigned a file, or is known to agree with its file.
    """

    kept = Signal(object)

    def keep(self, document: Document, origin: Origin, stamp: Stamp | None) -> None:
        """Remember where a document came from.

        Parameters
        ----------
        document : Document
            The document, which agrees with the file.
        origin : Origin
            Its file.
        stamp : Stamp or None
            The file's stamp, taken before it was read or after it was written.
        """
        document.file = TrackedFile(origin, stamp)
        self.kept.emit(document)

    def keep_source(self, document: Document, source: str, stamp: Stamp | None) -> None:
        """Remember the source of a document, unless it is a bundled example."""
        if not source.startswith(EXAMPLE_PREFIX):
            self.keep(document, DocumentFile(Path(source)), stamp)

    def origin(self, document: Document) -> Origin | None:
        """Return where a document came from; None if not from a file."""
        known = tracked_file(document)
        return known.origin if known is not None else None

    def stamp(self, document: Document) -> Stamp | None:
        """Return the file's stamp from when the document agreed with it."""
        known = tracked_file(document)
        return known.stamp if known is not None else None

    def session(self, document: Document) -> Path | None:
        """Return the session file of a document; None if it has none yet."""
        origin = self.origin(document)
        if isinstance(origin, DocumentFile) and is_session(origin.path):
            return origin.path
        return None


def is_session(path: Path) -> bool:
    """Return whether a path is a session file."""
    return path.suffix.lower() == SUFFIX
