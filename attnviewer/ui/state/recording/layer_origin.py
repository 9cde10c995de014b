"""Documents of the layers of a recording's file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.document import Document
from attnviewer.io.stamp import Stamp

# Imported with the first recording that is opened.
if TYPE_CHECKING:
    from attnviewer.recording import RecordedRun


class RecordingFile:
    """A recording's file, which is read again only if it has changed.

    Parameters
    ----------
    path : Path
        The file.

    Attributes
    ----------
    known : RecordedRun or None
        What was read last.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: RecordedRun | None = None
        self._stamp: Stamp | None = None

    def read(self) -> "RecordedRun":
        """Return the recording in the file.

        Raises
        ------
        FileError
            If it cannot be read, or (`FileFormatError`) is not a recording.
        """
        from attnviewer.recording import load_recording

        stamp = Stamp.of(self.path)
        if self.known is None or stamp != self._stamp:
            self.known, self._stamp = load_recording(self.path), stamp
        return self.known


@dataclass(frozen=True, slots=True)
class LayerOrigin:
    """A layer in the file of a recording, as the origin of a document.

    Parameters
    ----------
    file : RecordingFile
        The file.
    layer : int
        The layer, in the order of the calls.
    item : int
        The batch item.
    head : int or None
        One head of it; None for all, or for the first where a document cannot hold all.
    """

    file: RecordingFile
    layer: int = 0
    item: int = 0
    head: int | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file alone."""
        return (self.path,)

    def read(self) -> Document:
        """Return the layer as a document.

        Raises
        ------
        FileError
            If the file cannot be read, or (`FileFormatError`) holds no such layer, or
            one that no document can hold.
        """
        from attnviewer.recording.layer_document import layer_document

        recorded = self.file.read()
        return layer_document(recorded, self.path, self.layer, self.item, self.head)
