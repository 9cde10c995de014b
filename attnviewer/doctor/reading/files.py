"""Cases from files."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from attnviewer.compute.arrays import Array
from attnviewer.doctor.case import Case
from attnviewer.doctor.reading.case import read_case
from attnviewer.doctor.reading.options_text import parse_options
from attnviewer.doctor.reading.roles import COMPARISONS
from attnviewer.doctor.reading.step_names import PREFIX, steps_named
from attnviewer.io.archive import entry_names
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.matrices import read_matrices
from attnviewer.io.matrices.read import readable_kind
from attnviewer.io.safetensors import describe_tensors


@dataclass(frozen=True, slots=True, eq=False)
class CaseArrays:
    """The arrays of a file.

    Parameters
    ----------
    inputs, mine : mapping of str to ndarray
        The inputs, and what the implementation gave.
    notices : tuple of str
        Remarks on how the file was read, a sentence each.
    """

    inputs: Mapping[str, Array]
    mine: Mapping[str, Array]
    notices: tuple[str, ...]

    @property
    def n_heads(self) -> int | None:
        """The number of heads of the implementation's scores or weights, if known."""
        for name, array in self.mine.items():
            with contextlib.suppress(ValueError):
                if steps_named(name)[0] in COMPARISONS and array.ndim > 2:
                    return int(array.shape[-3])
        return None

    def case(self, spec: str) -> Case:
        """Return the case, given the intended variant as text, see `parse_options`.

        Raises
        ------
        ValueError
            If that cannot be parsed, or the arrays fit no reading.
        """
        case = read_case(self.inputs, self.mine, **parse_options(spec))
        return replace(case, notes=(*self.notices, *case.notes))


def holds_case(path: Path) -> bool:
    """Return whether a file has arrays of an implementation, by their names alone.

    A file that cannot be read has none.
    """
    try:
        kind = readable_kind(path)
        if kind == ".npz":
            names = entry_names(path)
        elif kind == ".safetensors":
            names = list(describe_tensors(path).tensors)
        else:
            names = list(read_matrices(path).values)
    except FileError:
        return False
    return any(name.startswith(PREFIX) for name in names)


def read_case_arrays(path: str | Path) -> CaseArrays:
    """Return the inputs in a file, and what the implementation gave.

    Parameters
    ----------
    path : str or Path
        A file of arrays: ``.npz``, ``.safetensors`` or JSON. Those whose names start
        with ``mine_`` are the implementation's, the others the inputs.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) none is the implementation's.
    """
    matrices = read_matrices(path, finite=False)
    inputs: dict[str, Array] = {}
    mine: dict[str, Array] = {}
    for name, array in matrices.values.items():
        (mine if name.startswith(PREFIX) else inputs)[name] = array
    if not mine:
        message = (
            f"The file must hold arrays named {PREFIX}STEP, such as {PREFIX}output. "
            f"Got {', '.join(map(repr, inputs))} instead."
        )
        raise FileFormatError(path, " ".join([message, *matrices.notices]))
    return CaseArrays(inputs, mine, tuple(matrices.notices))


def read_case_file(path: str | Path, spec: str = "") -> Case:
    """Return the case that a file holds.

    Parameters
    ----------
    path : str or Path
        The file, see `read_case_arrays`.
    spec : str
        What was meant, see `parse_options`.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) what is in it cannot be compared.
    ValueError
        If what was meant cannot be parsed.
    """
    parse_options(spec)
    arrays = read_case_arrays(path)
    try:
        return arrays.case(spec)
    except ValueError as error:
        message = " ".join([str(error), *arrays.notices])
        raise FileFormatError(path, message) from None
