"""The usable and the unusable arrays of a file, collected while it is read."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.errors import FileFormatError
from attnviewer.io.matrices.arrays import as_floats, bytes_as_floats, check_shape
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.strict_json import shortened

if TYPE_CHECKING:
    from attnviewer.compute import Array

MOST_TOLD = 5
"""Maximum number of omitted arrays that are listed one by one."""


class Collected:
    """Arrays by name, and a notice for each omitted one.

    Parameters
    ----------
    path : Path
        The file.
    room : int
        Maximum size in bytes of numbers that must be converted to floats.
    finite : bool
        Whether arrays with NaN or +∞ are omitted.
    """

    def __init__(self, path: Path, room: int, *, finite: bool = True) -> None:
        self._path = path
        self._room = room
        self._finite = finite
        self._values: dict[str, Array] = {}
        self._notices: list[str] = []
        self._left_out: list[tuple[str, str]] = []

    def add(
        self, name: str, array: NDArray[np.generic], *, bfloat16: bool = False
    ) -> None:
        """Add an array as floats, or omit it if it is unusable."""
        called = shortened(name)
        try:
            check_shape(array.shape)
            needed = bytes_as_floats(array, bfloat16=bfloat16)
            if needed > self._room:
                raise ValueError(
                    f"It takes {needed:,} bytes as floats; "
                    f"{self._room:,} more may be read."
                )
            floats = as_floats(
                array, self._notices, called, bfloat16=bfloat16, finite=self._finite
            )
        except ValueError as error:
            self.leave_out(name, str(error))
        else:
            self._values[name] = floats
            self._room -= needed

    def add_notice(self, notice: str) -> None:
        """Add a sentence on how the file was read."""
        self._notices.append(notice)

    def leave_out(self, name: str, reason: str) -> None:
        """Omit the array of a name."""
        self._left_out.append((shortened(name), reason))

    def matrices(self) -> Matrices:
        """Return the collected arrays.

        Raises
        ------
        FileFormatError
            If no array is usable, with the reason of the first.
        """
        if not self._values:
            if self._left_out:
                name, reason = self._left_out[0]
                location = None if name == self._path.stem else name
                raise FileFormatError(self._path, reason, location)
            raise FileFormatError(self._path, "There are no arrays in it.")
        notices = self._notices + left_out_notices(self._left_out)
        return Matrices(self._values, notices)


def left_out_notices(left_out: list[tuple[str, str]]) -> list[str]:
    """Return notices of omitted arrays, from names and reasons."""
    first = left_out[:MOST_TOLD]
    notices = [f"'{name}' was left out. {reason}" for name, reason in first]
    rest = len(left_out) - len(first)
    return [*notices, f"So were {rest:,} more."] if rest else notices
