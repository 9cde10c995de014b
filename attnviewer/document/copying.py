"""Copies of large documents, made in slices."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.edits import Change

PIECE = 2**18
"""Bytes per slice."""


class GradualCopy:
    """Copies a document in slices, and follows the edits made meanwhile.

    No slice takes long, however large the document is. An edit of many cells, or of
    anything but cells, restarts the copy.

    Parameters
    ----------
    document : Document
        The document to copy.
    room : mapping of str to ndarray, optional
        Arrays to reuse for copies of matrices of the same shapes.
    """

    def __init__(
        self, document: Document, room: Mapping[str, Array] | None = None
    ) -> None:
        self.document = document
        self._room = dict(room or {})
        self._copies: dict[str, Array] | None = None
        self._pieces: Iterator[tuple[str, slice]] = iter(())
        document.changed.connect(self._follow)

    def go_on(self) -> bool:
        """Copy one more slice; return whether anything is left.

        Raises
        ------
        MemoryError
            If the copy does not fit into memory.
        """
        if self._copies is None:
            matrices = self.document.matrices
            self._copies = {n: self._place(n, array) for n, array in matrices.items()}
            self._pieces = _pieces(self._copies)
        for name, rows in self._pieces:
            self._copies[name][rows] = self.document.matrix(name)[rows]
            return True
        return False

    def finished(self) -> Document:
        """Return the complete copy, and stop following edits."""
        assert self._copies is not None
        self.close()
        return self.document.with_matrices(self._copies)

    def close(self) -> None:
        """Stop following edits."""
        self.document.changed.disconnect(self._follow, missing_ok=True)

    def _place(self, name: str, array: Array) -> Array:
        room = self._room.get(name)
        if room is None or (room.shape, room.dtype) != (array.shape, array.dtype):
            return np.empty_like(array)
        return room

    def _follow(self, change: Change) -> None:
        if self._copies is None:
            return
        # Other edits may have been made before this was called.
        is_last = change.revision == self.document.revision
        if change.matrix is None or change.region is None or not is_last:
            self._copies = None  # start over
            return
        cells = change.region.rows, change.region.columns
        changed = self.document.matrix(change.matrix)[cells]
        if changed.nbytes > PIECE:
            self._copies = None
        else:
            self._copies[change.matrix][cells] = changed


def _pieces(arrays: dict[str, Array]) -> Iterator[tuple[str, slice]]:
    """Yield the slices of rows."""
    for name, array in arrays.items():
        at_once = max(1, PIECE * len(array) // max(1, array.nbytes))
        for first in range(0, len(array), at_once):
            yield name, slice(first, first + at_once)
