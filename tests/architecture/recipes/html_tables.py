"""Steps as tables of a web page."""

from collections.abc import Iterator
from html import escape

from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import Part, chosen_matrices, read_part
from attnviewer.io.export.statement import statement_lines


def html_tables(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a page with a table for each matrix; every digit reads back.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """
    title, *choices = map(escape, statement_lines(computation))
    yield f"<!doctype html>\n<title>{title}</title>\n<h1>{title}</h1>\n".encode()
    yield "".join(f"<p>{line}</p>\n" for line in choices).encode()
    for step, head in chosen_matrices(computation.trace, choice):
        part = read_part(computation, step, head, choice)
        yield f"<h2>{escape(part.name)}</h2>\n<table>\n".encode()
        yield from (f"<tr>{row}</tr>\n".encode() for row in _rows(part))
        yield b"</table>\n"


def _rows(part: Part) -> Iterator[str]:
    yield "<th></th>" + "".join(
        f"<th>{escape(name)}</th>" for name in part.column_labels
    )
    for name, row in zip(part.row_labels, part.rows(), strict=True):
        cells = "".join(f"<td>{number!r}</td>" for number in row.tolist())
        yield f"<th>{escape(name)}</th>{cells}"
