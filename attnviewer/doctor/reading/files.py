"""Cases from files."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.doctor.case import Case
from attnviewer.doctor.reading.case import read_case
from attnviewer.doctor.reading.options_text import parse_options
from attnviewer.doctor.reading.step_names import PREFIX
from attnviewer.io.errors import FileFormatError
from attnviewer.io.matrices import read_matrices

if TYPE_CHECKING:
    from attnviewer.compute.arrays import Array


def read_case_file(path: str | Path, spec: str = "") -> Case:
    """Return the case that a file holds.

    Parameters
    ----------
    path : str or Path
        A file of arrays: ``.npz``, ``.safetensors`` or JSON. Those whose names start
        with ``mine_`` are the implementation's, the others the inputs.
    spec : str
        What was meant, see `parse_options`.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) what is in it cannot be compared.
    ValueError
        If what was meant cannot be parsed.
    """
    options = parse_options(spec)
    matrices = read_matrices(path, finite=False)
    inputs: dict[str, Array] = {}
    mine: dict[str, Array] = {}
    for name, array in matrices.values.items():
        (mine if name.startswith(PREFIX) else inputs)[name] = array
    try:
        if not mine:
            raise ValueError(
                f"The file must hold arrays named {PREFIX}STEP, such as {PREFIX}output."
                f" Got {', '.join(map(repr, inputs))} instead."
            )
        case = read_case(inputs, mine, **options)
    except ValueError as error:
        told = " ".join([str(error), *matrices.notices])
        raise FileFormatError(path, told) from None
    return replace(case, notes=(*matrices.notices, *case.notes))
