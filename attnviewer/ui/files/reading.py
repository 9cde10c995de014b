"""Reading files in the background."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.document import Document
from attnviewer.io import Origin
from attnviewer.io.stamp import Stamp
from attnviewer.one_line import one_line
from attnviewer.ui.work.worker import Job, Worker


@dataclass(slots=True, eq=False)
class Reading:
    """A file to be read, as a job for a worker.

    Parameters
    ----------
    origin : Origin
        The file.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    stamp : Stamp or None
        The file's stamp from before it was read.
    document : Document or None
        The result.
    error : Exception or None
        Why there is no result.
    """

    origin: Origin
    stopped: bool = False
    stamp: Stamp | None = None
    document: Document | None = None
    error: Exception | None = None

    def run(self) -> None:
        """Read the file.

        Raises
        ------
        FileError
            If it cannot be read.
        """
        self.stamp = Stamp.of(self.origin.path)
        try:
            self.document = self.origin.read()
        except Exception as error:
            self.error = error
            raise


class Reader(QObject):
    """Reads one file at a time in a worker; the latest request wins.

    Attributes
    ----------
    worker : Worker
        The worker, which reports progress.
    done : Signal
        A `Reading` with its document.
    failed : Signal
        A `Reading`, and why it failed.
    cancelled : Signal
        A `Reading` that the user cancelled.
    """

    done = Signal(object)
    failed = Signal(object, str)
    cancelled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading: Reading | None = None
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)

    @property
    def busy(self) -> bool:
        """Whether a file is being read."""
        return self._reading is not None

    def read(self, origin: Origin) -> None:
        """Read a file; one of the signals reports the outcome."""
        self.stop()
        self._reading = Reading(origin)
        self.worker.start(self._reading)

    def progress(self, job: Job) -> str:
        """Return the progress text for a file that takes long to read."""
        assert isinstance(job, Reading)
        text = self.tr("reading “{file}”…")
        return text.format(file=one_line(job.origin.path.name))

    def stop(self) -> None:
        """Cancel the reading without a signal."""
        if self._reading is not None:
            self.worker.stop(self._reading)
            self._reading = None

    @Slot()
    def cancel(self) -> None:
        """Cancel the reading on the user's behalf."""
        reading = self._reading
        if reading is not None:
            self.stop()
            self.cancelled.emit(reading)

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self._reading = None
        self.worker.close()

    @Slot(object)
    def _on_done(self, reading: Reading) -> None:
        self._reading = None
        self.done.emit(reading)

    @Slot(object, str)
    def _on_failed(self, reading: Reading, reason: str) -> None:
        self._reading = None
        self.failed.emit(reading, reason)
