"""The export formats."""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from attnviewer.io.export.computation import ALL_STEPS, Choice, Computation
from attnviewer.io.export.csv_text import COMMA, TAB
from attnviewer.io.export.folder import make_folder, shortened_name
from attnviewer.io.export.json_text import json_text
from attnviewer.io.export.npz import npz
from attnviewer.io.export.parts import check_choice
from attnviewer.io.export.program import notebook, numpy_script, torch_script
from attnviewer.io.export.room import check_room
from attnviewer.io.export.tables import Writer, write_export, write_table, write_tables
from attnviewer.io.export.worked import latex, markdown
from attnviewer.io.export.xlsx import xlsx
from attnviewer.io.reading import is_folder

Content = Callable[[Computation, Choice], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format.

    Parameters
    ----------
    suffix : str
        The suffix of its files.
    title : str
        Its name in menus and dialogs.
    content : callable, optional
        Returns the bytes of one file with everything that is chosen. Formats without it
        write a file for each matrix.
    delimiter : str
        The column separator of such files.
    labelled : bool
        Whether labels are optional.
    formulas : bool
        Whether it can hold formulas that recompute the steps.
    writes : str
        What it holds besides numbers, which computes or derives them: ``program`` or
        ``worked steps``.
    mark : str
        Inserted before the suffix in a file name made from a title, if another format
        has the same suffix.
    bytes_per_number : int
        The fewest bytes that each number of the steps takes; 0 if only the inputs are
        written.
    """

    suffix: str
    title: str
    content: Content | None = None
    delimiter: str = COMMA
    labelled: bool = False
    formulas: bool = False
    writes: str = ""
    mark: str = ""
    bytes_per_number: int = 0

    @property
    def is_table(self) -> bool:
        """Whether it writes a text file for each matrix, optionally with a BOM."""
        return self.content is None


STEPS = "worked steps"
"""The content of the formats that write worked steps."""

FORMATS: dict[str, Format] = {
    # A digit and a separator; doubles in NPZ.
    "csv": Format(".csv", "CSV", labelled=True, bytes_per_number=2),
    "tsv": Format(".tsv", "TSV", delimiter=TAB, labelled=True, bytes_per_number=2),
    "npz": Format(".npz", "NumPy (NPZ)", npz, bytes_per_number=8),
    "json": Format(".json", "JSON", json_text, bytes_per_number=2),
    "xlsx": Format(".xlsx", "Excel workbook", xlsx, labelled=True, formulas=True),
    "py": Format(".py", "Python script with NumPy", numpy_script, writes="program"),
    "ipynb": Format(".ipynb", "Jupyter notebook", notebook, writes="program"),
    "torch": Format(
        ".py",
        "Python script with PyTorch",
        torch_script,
        writes="program",
        mark=".torch",
    ),
    "tex": Format(".tex", "LaTeX, worked steps", latex, labelled=True, writes=STEPS),
    "md": Format(
        ".md", "Markdown, worked steps", markdown, labelled=True, writes=STEPS
    ),
}
"""The formats by their names on the command line."""


def export(
    computation: Computation,
    path: str | Path,
    format: str,
    choice: Choice = ALL_STEPS,
    *,
    write: Writer = write_export,
) -> list[Path]:
    """Write a computation, or a part of it, to a file or a folder.

    Parameters
    ----------
    computation : Computation
        The computation to export.
    path : str or Path
        A file, if it has the format's suffix; otherwise, or as a text that ends with a
        separator of folders, a folder, which is created if missing.
    format : str
        A name of `FORMATS`.
    choice : Choice
        The steps, heads or cells to export.
    write : callable
        Writes a file from its pieces; an exception ends the export.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    ValueError
        If there is no such format, step, head or cell. Nothing is then written.
    FileError
        If a file cannot be written, or the disk has no room for it.
    """
    if format not in FORMATS:
        raise ValueError(
            f"The 'format' must be one of {', '.join(FORMATS)}. Got '{format}' instead."
        )
    of_folder = isinstance(path, str) and path.endswith(("/", os.sep))
    path, wanted = Path(path), FORMATS[format]
    check_mistakes(computation, wanted, choice)
    is_file = (
        path.suffix.lower() == wanted.suffix and not of_folder and not is_folder(path)
    )
    check_choice(computation.trace, choice)
    if wanted.bytes_per_number:
        check_room(computation, path, choice, wanted.bytes_per_number)
    if wanted.content is None:
        if is_file:
            return write_table(computation, path, choice, wanted.delimiter, write=write)
        return write_tables(
            computation, path, choice, wanted.delimiter, wanted.suffix, write=write
        )
    if not is_file:
        make_folder(path)
        path = path / f"{file_stem(computation.title)}{wanted.mark}{wanted.suffix}"
    write(path, wanted.content(computation, choice))
    return [path]


def check_mistakes(computation: Computation, wanted: Format, choice: Choice) -> None:
    """Check that a format can hold a computation that is made with a mistake.

    Numbers can be exported; programs, formulas and worked steps would be right.

    Raises
    ------
    ValueError
        If it cannot.
    """
    slips = computation.trace.spec.mistakes
    if not slips or not (wanted.writes or (wanted.formulas and choice.formulas)):
        return
    what = wanted.writes or "formulas"
    raise ValueError(
        f"{wanted.title} has no {what} for a computation with a mistake: "
        f"{slips[0].title}. Remove the mistake, or export numbers."
    )


LONGEST_STEM = 80
"""Maximum number of characters of a title in a file name."""
_MOST_BYTES = 200
"""The same in bytes; a whole name may have 255."""


_STANDING_ALONE = re.compile(r" [^\w\s.,-]+(?= )")
"""Separators between words, such as the dot between the parts of a title."""


def file_stem(title: str) -> str:
    """Return a title as a file name that every system accepts.

    Examples
    --------
    >>> file_stem("MiniLM · L3 H1 · weights")
    'MiniLM L3 H1 weights'
    """
    title = _STANDING_ALONE.sub("", title)
    kept = "".join(c if c.isalnum() or c in " -_.," else "_" for c in title)
    return shortened_name(kept.strip(" .")[:LONGEST_STEM], _MOST_BYTES) or "document"
