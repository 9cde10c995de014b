"""An export as a job for a worker."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from attnviewer.document import Snapshot
from attnviewer.io.export import Choice, Computation, export, write_export
from attnviewer.ui.state.live import Precision
from attnviewer.ui.work.worker import Stopped


@dataclass(slots=True, eq=False)
class ExportJob:
    """Recomputes all steps of a document and writes the chosen ones.

    Parameters
    ----------
    title : str
        The document's title.
    snapshot : Snapshot
        The inputs of the computation.
    precision : str or None
        The type that the user has chosen to compute in; by default double precision,
        however large the document.
    path : Path
        The file or the folder.
    format : str
        A name of `attnviewer.io.FORMATS`.
    choice : Choice
        What to export.
    trained : tuple of str and ndarray or None
        How its matrices were trained, in words, and the readout.
    notes : str
        The document's notes.

    Attributes
    ----------
    files : list of Path
        The files written.
    stopped : bool
        Set to cancel the job.
    """

    title: str
    snapshot: Snapshot
    precision: Precision | None
    path: Path
    format: str
    choice: Choice
    trained: tuple[str, np.ndarray | None] = ("", None)
    notes: str = ""
    files: list[Path] = field(default_factory=list)
    stopped: bool = False

    def run(self) -> None:
        """Compute and write.

        Raises
        ------
        MemoryError, ValueError, FileError
            If that fails.
        Stopped
            If it was cancelled; the unfinished file is removed.
        """
        trace = replace(self.snapshot, inputs=self._inputs()).compute()
        computation = Computation(
            self.title, self.snapshot.labels, trace, *self.trained, self.notes
        )
        self.files = export(
            computation, self.path, self.format, self.choice, write=self._write
        )

    def _write(self, path: str | Path, pieces: Iterable[bytes]) -> None:
        write_export(path, self._until_stopped(pieces))

    def _until_stopped(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if self.stopped:
                raise Stopped
            yield piece

    def _inputs(self) -> dict[str, np.ndarray]:
        if self.precision is None:
            return dict(self.snapshot.inputs)
        return {
            name: array if array.dtype == np.bool_ else array.astype(self.precision)
            for name, array in self.snapshot.inputs.items()
        }
