"""Steps as text tables, one file per matrix, and an index."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attnviewer.compute import Trace
from attnviewer.document import Labels
from attnviewer.document.text.formula_guard import guard_text
from attnviewer.io.atomic import write_atomically
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.csv_text import (
    COMMA,
    TAB,
    bare_rows,
    csv_pieces,
    matrix_rows,
)
from attnviewer.io.export.folder import LONGEST_NAME, make_folder, shortened_name
from attnviewer.io.export.parts import (
    Part,
    chosen_matrices,
    read_part,
    select_steps,
)
from attnviewer.io.export.statement import first_cell, folding, statement, yes_no

INDEX = "index.csv"

Writer = Callable[[str | Path, Iterable[bytes]], None]
"""Writes a file from its pieces."""


class SeveralMatricesError(ValueError):
    """Several matrices are chosen for a file that holds one."""


def write_export(path: str | Path, pieces: Iterable[bytes]) -> None:
    """Write a file that can be repeated, see `write_atomically`."""
    write_atomically(path, pieces, lasting=False)


def table(part: Part, choice: Choice, delimiter: str = COMMA) -> Iterator[bytes]:
    """Yield a matrix as a text table, in pieces."""
    rows = bare_rows(part.rows())
    if choice.headers:
        rows = matrix_rows(part.rows(), part.row_labels, part.column_labels)
    return csv_pieces(rows, delimiter, bom=choice.bom)


def matrix_text(computation: Computation, choice: Choice) -> str:
    """Return the one chosen matrix as tab-separated text for the clipboard.

    Raises
    ------
    ValueError
        If not exactly one existing matrix is chosen.
    """
    return b"".join(table(_only_part(computation, choice), choice, TAB)).decode()


def write_table(
    computation: Computation,
    path: Path,
    choice: Choice,
    delimiter: str = COMMA,
    *,
    write: Writer = write_export,
) -> list[Path]:
    """Write the one chosen matrix, and an index file beside it.

    Parameters
    ----------
    computation : Computation
        The computation to export.
    path : Path
        The file.
    choice : Choice
        A step, one of its heads, or some of its cells.
    delimiter : str
        The column separator.
    write : callable
        Writes a file from its pieces.

    Returns
    -------
    list of Path
        The table, and its ``NAME.index.csv``.

    Raises
    ------
    ValueError
        If not exactly one existing matrix is chosen.
    FileError
        If a file cannot be written.
    """
    part = _only_part(computation, choice)
    write(path, table(part, choice, delimiter))
    stem = shortened_name(path.stem, LONGEST_NAME - len(f".{INDEX}"))
    index = path.with_name(f"{stem}.{INDEX}")
    write(index, _index(computation, choice, [path.name], [part]))
    return [path, index]


def write_tables(
    computation: Computation,
    folder: Path,
    choice: Choice,
    delimiter: str = COMMA,
    suffix: str = ".csv",
    *,
    write: Writer = write_export,
) -> list[Path]:
    """Write each chosen matrix to a file, and an index of them.

    Each file is written whole or not at all, and the index comes last: it lists
    only what is there. Other files in the folder stay.

    Parameters
    ----------
    computation : Computation
        The computation to export.
    folder : Path
        The target folder; created if missing.
    choice : Choice
        The steps, heads or cells to export.
    delimiter, suffix : str
        The column separator, and the suffix of the files.
    write : callable
        Writes a file from its pieces.

    Returns
    -------
    list of Path
        The files: one per step, or per head of a step that has several, then the
        index.

    Raises
    ------
    ValueError
        If there is no such step or head. Nothing is then written.
    FileError
        If a file cannot be written.
    """
    found = chosen_matrices(computation.trace, choice)
    make_folder(folder)
    parts, names = [], []
    for step, head in found:
        part = read_part(computation, step, head, choice)
        names.append(part.name + suffix)
        write(folder / names[-1], table(part, choice, delimiter))
        parts.append(part)
    write(folder / INDEX, _index(computation, choice, names, parts))
    return [folder / name for name in (*names, INDEX)]


def export_step(
    trace: Trace,
    labels: Labels,
    step: str,
    path: str | Path,
    *,
    head: int | None = None,
    headers: bool = True,
    bom: bool = False,
) -> None:
    """Write one step, or one head of it, as a CSV file.

    Parameters
    ----------
    trace : Trace
        The computation.
    labels : Labels
        The document's tokens.
    step : str
        The step.
    path : str or Path
        The file; an existing one is replaced atomically.
    head : int, optional
        Which of the step's heads, counted from zero; required if it has several.
    headers : bool
        Whether to write labels: tokens, or numbers from zero for features.
    bom : bool
        Whether to start with a byte order mark, for Excel; see `Choice`.

    Raises
    ------
    ValueError
        If there is no such step or head.
    FileError
        If the file cannot be written.
    """
    select_steps(trace, [step])
    n_heads = trace.n_heads(step)
    if head not in ([None, 0] if n_heads == 1 else range(n_heads)):
        raise ValueError(
            f"The 'head' of '{step}' must be from 0 to {n_heads - 1}. "
            f"Got {head} instead."
        )
    choice = Choice((step,), headers=headers, bom=bom)
    part = read_part(Computation("", labels, trace), step, head, choice)
    write_export(path, table(part, choice))


def export_all(
    trace: Trace,
    labels: Labels,
    folder: str | Path,
    *,
    steps: Iterable[str] | None = None,
    headers: bool = True,
    bom: bool = False,
    title: str = "",
) -> list[Path]:
    """Write steps as one CSV file each, and an index of them; see `write_tables`.

    Parameters
    ----------
    trace : Trace
        The computation.
    labels : Labels
        The document's tokens.
    folder : str or Path
        The target folder; created if missing.
    steps : iterable of str, optional
        The steps; None stands for all.
    headers : bool
        Whether to write labels: tokens, or numbers from zero for features.
    bom : bool
        Whether to start each file with a byte order mark, for Excel; see `Choice`.
    title : str
        The document's title, for the index.
    """
    chosen = None if steps is None else tuple(steps)
    choice = Choice(chosen, headers=headers, bom=bom)
    return write_tables(Computation(title, labels, trace), Path(folder), choice)


def _only_part(computation: Computation, choice: Choice) -> Part:
    found = chosen_matrices(computation.trace, choice)
    if len(found) > 1:
        raise SeveralMatricesError(
            f"A file of this format holds one matrix. Got {len(found)} matrices "
            "instead: choose a step and a head, or name a folder."
        )
    return read_part(computation, *found[0], choice)


def _index(
    computation: Computation, choice: Choice, files: list[str], parts: list[Part]
) -> Iterator[bytes]:
    """Yield an index: a row per file, with the choices of the computation in each."""
    entries = statement(computation)
    title, version = guard_text(entries.pop("title")), entries.pop("attnviewer")
    rows = [
        {
            "file": guard_text(file),
            "step": part.step,
            "head": "" if part.head is None else str(part.head),
            "rows": str(part.shape[0]),
            "columns": str(part.shape[1]),
            "formula": guard_text(computation.trace.stages[part.step].formula),
            "title": title,
            **entries,
            **folding(computation, choice),
            **first_cell(choice),
            "headers": yes_no(choice.headers),
            "attnviewer": version,
        }
        for file, part in zip(files, parts, strict=True)
    ]
    table = [list(rows[0]), *(list(row.values()) for row in rows)]
    return csv_pieces(table, bom=choice.bom)
