"""A computation as a workbook: an overview sheet, and one sheet per matrix."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence

from attnviewer.compute import Array
from attnviewer.io.archive import archive
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import Part, chosen_matrices, read_part
from attnviewer.io.export.statement import folding, reopening, statement
from attnviewer.io.export.xlsx.cells import (
    LONGEST_TEXT,
    Content,
    Link,
    fitting_text,
    sheet_xml,
)
from attnviewer.io.export.xlsx.computed import ComputedSheets, Row
from attnviewer.io.export.xlsx.layout import Layout
from attnviewer.io.export.xlsx.package import workbook_parts
from attnviewer.io.export_markers import ABOUT, INDEX, WORKBOOK
from attnviewer.io.spreadsheet import MOST_COLUMNS, MOST_ROWS
from attnviewer.version import __version__

MOST_NUMBERS = 2**21
"""Above this many cells, spreadsheets take minutes to open a workbook."""
_WIDTHS = 22, 22, 8, 8, 9, 44, 10
_NOTE = "What is no finite number is a text: -inf, inf or nan."
_FOLLOWING = "Numbers can be changed where the cells are numbers; formulas follow."
_CHANGED = (
    "Some texts could not be written as they are: control characters became �, and "
    f"what is longer than {LONGEST_TEXT:,} characters was cut."
)


def xlsx(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a workbook, in pieces.

    Numbers are exact; non-finite ones are text. With formulas, every computed number is
    a formula with its cached value. The same computation gives the same bytes.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells, or the workbook would be
        too large.
    """
    found = chosen_matrices(computation.trace, choice)
    parts = [read_part(computation, *matrix, choice) for matrix in found]
    _check_size(parts, int(choice.headers))
    layout = Layout(computation.trace, found, choice.headers)
    whole = parts if choice.formulas and choice.cells is None else []
    computed = ComputedSheets(layout, whole)
    about = _about(computation, parts, layout, computed, _spec_row(computation, choice))
    names = [ABOUT, *layout.sheets.values()]
    sheets = _sheets(about, parts, layout, computed)
    return archive(workbook_parts(names, sheets), compressed=True)


def _check_size(parts: list[Part], labels: int) -> None:
    for part in parts:
        rows, columns = part.shape
        if rows + labels > MOST_ROWS or columns + labels > MOST_COLUMNS:
            raise ValueError(
                f"A sheet can have {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns. "
                f"'{part.step}' has {rows:,} and {columns:,}: choose some of its cells."
            )
    numbers = sum(math.prod(part.shape) for part in parts)
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"A workbook may have {MOST_NUMBERS:,} numbers. Got {numbers:,} instead: "
            "choose steps, a head or cells, or another format."
        )


def _sheets(
    about: list[Row], parts: list[Part], layout: Layout, computed: ComputedSheets
) -> Iterator[bytes]:
    labels = layout.labels
    yield sheet_xml(about, widths=_WIDTHS)
    for part in parts:
        rows: Iterable[Row] = map(_numbers, part.rows())
        rows = computed.rows.get(layout.name(part.step, part.head), rows)
        table = _labelled(rows, part, part.column_labels) if labels else rows
        yield sheet_xml(table, heads=(labels, labels))
    for part, headings, rows in computed.helping.values():
        table = _labelled(rows, part, headings) if labels else rows
        yield sheet_xml(table, heads=(labels, labels))


def _numbers(row: Array) -> list[Content]:
    return [float(number) for number in row.tolist()]


def _labelled(
    rows: Iterable[Row], part: Part, headings: Sequence[str]
) -> Iterator[Row]:
    yield ["", *headings]
    for label, row in zip(part.row_labels, rows, strict=True):
        yield [label, *row]


def _spec_row(computation: Computation, choice: Choice) -> list[Row]:
    """Return how groups are folded, and with what it opens as a document, if at all."""
    rows = [
        [name, plain if isinstance(plain, str) else json.dumps(plain)]
        for name, plain in reopening(computation, choice).items()
    ]
    first: list[Row] = list(map(list, folding(computation, choice).items()))
    return [*first, *(row for row in rows if len(row[1]) <= LONGEST_TEXT)]


def _following(computed: ComputedSheets) -> Iterator[str]:
    """Yield what to know about formulas, where there are any."""
    if not computed.rows:
        return
    sheets = " and ".join(f"'{name}'" for name in computed.helper_names)
    helped = f" The sheets {sheets} have what a row must know, such as its maximum."
    yield _FOLLOWING + (helped if sheets else "")


def _about(
    computation: Computation,
    parts: list[Part],
    layout: Layout,
    computed: ComputedSheets,
    spec: list[Row],
) -> list[Row]:
    entries = statement(computation)
    del entries["attnviewer"]
    stages = computation.trace.stages
    index: list[Row] = []
    for part in parts:
        name = layout.name(part.step, part.head)
        index.append(
            [
                Link(name),
                part.step,
                "" if part.head is None else part.head,
                *part.shape,
                stages[part.step].formula,
                "formulas" if name in computed.rows else "numbers",
            ]
        )
    notes = [_NOTE, *_following(computed), *computed.notes]
    texts = {computation.title, *(t for p in parts for t in p.row_labels)}
    texts.update(t for p in parts for t in p.column_labels)
    if layout.labels and any(text != fitting_text(text) for text in texts):
        notes.append(_CHANGED)
    return [
        [WORKBOOK, __version__],
        *([name.replace("_", " "), value] for name, value in entries.items()),
        *spec,
        [],
        INDEX,
        *index,
        [],
        *([note] for note in notes),
    ]
