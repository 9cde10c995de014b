"""Limits on the size of exports, set by disks and other programs."""

import math
import shutil
from pathlib import Path

from attnviewer.compute.number_text import bytes_text
from attnviewer.io.errors import FileError
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import chosen_matrices, read_part

MOST_NUMBERS = 2**30
"""The most numbers of an export, as of 32,768 tokens: more take hours and hundreds of
GiB, and no program opens them."""
_LESS = "Choose fewer steps, one head or fewer cells."


def check_room(
    computation: Computation, path: Path, choice: Choice, bytes_per_number: int
) -> None:
    """Check that a file is not too large, before anything is computed.

    Parameters
    ----------
    computation : Computation
        What is to be written.
    path : Path
        The file, or the folder of several.
    choice : Choice
        The chosen parts.
    bytes_per_number : int
        The fewest bytes that a number takes.

    Raises
    ------
    FileError
        With the bytes that it would take.
    """
    count = sum(
        math.prod(read_part(computation, *matrix, choice).shape)
        for matrix in chosen_matrices(computation.trace, choice)
    )
    needed = bytes_per_number * count
    if count > MOST_NUMBERS:
        raise FileError(
            path,
            f"An export must hold at most {MOST_NUMBERS:,} numbers. Got {count:,} "
            f"instead, which take at least {bytes_text(needed)}. {_LESS}",
        )
    free = _free_bytes(path)
    if free is not None and needed > free:
        raise FileError(
            path,
            f"The numbers take at least {bytes_text(needed)}, and {bytes_text(free)} "
            f"are free there. {_LESS}",
        )


def _free_bytes(path: Path) -> int | None:
    """Return the free bytes of the disk of a file that may not exist; None if unknown.

    Nor may its folder exist.
    """
    for folder in path.absolute().parents:
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None
