"""The formats that a survey can be written in."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from attnviewer.document.text.formula_guard import guard_text
from attnviewer.io import FileError, write_atomically
from attnviewer.io.export.csv_text import csv_pieces
from attnviewer.models.optional_libraries import pyarrow_for
from attnviewer.models.survey.columns import COLUMNS, rows
from attnviewer.models.survey.npz_file import npz
from attnviewer.models.survey.result import Survey


def check_format(path: str | Path) -> None:
    """Check that a survey can be written to a file of this name.

    Raises
    ------
    ValueError
        If the ending tells no format.
    ImportError
        If the library that writes it is not installed.
    FileError
        If it is a folder.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise ValueError(
            f"The name of a survey's file must end in {', '.join(FORMATS)}. "
            f"Got '{path}' instead."
        )
    if ending == ".parquet":
        pyarrow_for("survey")
    if Path(path).is_dir():
        raise FileError(path, "It is a folder, not a file.")


def write(survey: Survey, path: str | Path) -> None:
    """Write a survey; see `Survey.save`."""
    check_format(path)
    write_atomically(path, FORMATS[Path(path).suffix.lower()](survey))


def _csv(survey: Survey) -> Iterator[bytes]:
    lines = (
        [guard_text(cell) if isinstance(cell, str) else cell for cell in row]
        for row in rows(survey)
    )
    return csv_pieces([COLUMNS, *lines])


def _parquet(survey: Survey) -> Iterable[bytes]:
    pyarrow = pyarrow_for("survey")
    columns = zip(*rows(survey), strict=True)
    table = pyarrow.table(dict(zip(COLUMNS, map(list, columns), strict=True)))
    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content)
    return [content.getvalue()]


FORMATS: Mapping[str, Callable[[Survey], Iterable[bytes]]] = {
    ".npz": npz,
    ".csv": _csv,
    ".parquet": _parquet,
}
"""The writers of files, by the ending of the name."""
