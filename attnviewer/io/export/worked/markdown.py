"""The worked steps as Markdown, with formulas between dollar signs."""

import re
from collections.abc import Iterator

from attnviewer.compute.number_text import rounded
from attnviewer.document.derivation import (
    VALUE_DECIMALS,
    formula_latex,
    symbols_latex,
    worked_latex,
)
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.markdown_text import markdown_text
from attnviewer.io.export.parts import check_choice
from attnviewer.io.export.statement import statement_lines
from attnviewer.io.export.worked.sections import Table, derivation, sections

_WITHIN_TEXT = re.compile(r"(?<!\\)\$([^$]*)\$")


def markdown(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield the worked steps as Markdown, as GitHub shows it.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """
    check_choice(computation.trace, choice)
    return (f"{block}\n\n".encode() for block in _blocks(computation, choice))


def _blocks(computation: Computation, choice: Choice) -> Iterator[str]:
    title, *choices = map(markdown_text, statement_lines(computation))
    yield f"# {title}"
    yield "\n".join(f"- {line}" for line in choices)
    works = derivation(computation)
    for section in sections(computation, choice, works):
        yield f"## {markdown_text(section.title)}"
        if section.formula:
            name, formula = symbols_latex(section.step), formula_latex(section.formula)
            yield _formula(f"{name} = {formula}")
        yield _table(section.table)
        if section.table.remark:
            yield section.table.remark
        if section.worked is not None:
            yield _formula(worked_latex(section.worked, works))


def _formula(text: str) -> str:
    """Return a formula as a display block.

    Environments become ones that are allowed inside a formula, and dollar signs within
    it become other delimiters.
    """
    inner = text.strip().replace("{align*}", "{aligned}")
    inner = _WITHIN_TEXT.sub(r"\\(\1\\)", inner)
    return f"$$\n{inner}\n$$"


def _table(table: Table) -> str:
    header = ["…" if column is None else str(column) for column in table.columns]
    if table.column_labels is not None:
        header = [_label(label) for label in table.column_labels]
    rows = [["…" if row is None else str(row)] for row in table.rows]
    if table.row_labels is not None:
        rows = [[_label(label)] for label in table.row_labels]
    lines = [["", *header], ["---:"] * (len(header) + 1)]
    for row, numbers in zip(rows, table.numbers, strict=True):
        lines.append([*row, *map(_number, numbers)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _label(label: str) -> str:
    return markdown_text(label) if label else "…"


def _number(number: float | None) -> str:
    return "…" if number is None else rounded(number, VALUE_DECIMALS)
