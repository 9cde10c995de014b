"""An export as a job for a worker."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from attnviewer.compute import run
from attnviewer.document import Snapshot
from attnviewer.io import Choice, Computation, export, write_export
from attnviewer.ui.state.live import Precision
from attnviewer.ui.work.worker import Stopped


@dataclass(slots=True, eq=False)
class ExportJob:
    """All steps of a document computed anew, and those that are chosen written.

    Parameters
    ----------
    title : str
        What the document is called.
    snapshot : Snapshot
        What its steps are computed from.
    precision : str or None
        The type that a person has chosen to compute in; without, it is double
        precision however large the document is.
    path : Path
        The file or the folder.
    format : str
        A name of `attnviewer.io.FORMATS`.
    choice : Choice
        What is exported.

    Attributes
    ----------
    files : list of Path
        What was written.
    stopped : bool
        Set to give it up.
    """

    title: str
    snapshot: Snapshot
    precision: Precision | None
    path: Path
    format: str
    choice: Choice
    files: list[Path] = field(default_factory=list)
    stopped: bool = False

    def run(self) -> None:
        """Compute and write.

        Raises
        ------
        MemoryError, ValueError, FileError
            If that is not possible.
        Stopped
            If it was given up; the file that was being written is not there then.
        """
        trace = run(self.snapshot.spec, self._inputs())
        computation = Computation(self.title, self.snapshot.labels, trace)
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
