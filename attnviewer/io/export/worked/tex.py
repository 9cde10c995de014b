"""The worked steps as a LaTeX article."""

import unicodedata
from collections.abc import Iterator, Sequence

from attnviewer.document.derivation import (
    VALUE_DECIMALS,
    escaped_latex,
    formula_latex,
    number_latex,
    symbols_latex,
    text_latex,
    worked_latex,
)
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import check_choice
from attnviewer.io.export.plain_text import unwrapped
from attnviewer.io.export.statement import statement_lines
from attnviewer.io.export.worked.sections import Section, Table, derivation, sections

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\setcounter{MaxMatrixCols}{16}
\setlength{\textwidth}{18.5cm}
\setlength{\oddsidemargin}{-1.2cm}
\setlength{\textheight}{24cm}
\setlength{\topmargin}{-1.5cm}
\setlength{\parindent}{0pt}
\setlength{\arraycolsep}{3pt}
\allowdisplaybreaks
"""
# Characters that plain LaTeX can typeset: accented letters, other letters and symbols.
_ACCENTS = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c"
)
_OTHERS = frozenset("ßæøåœłÆØÅŒŁ–—‘’“”…×·°±")


def latex(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield the worked steps as an article that needs only amsmath.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """
    check_choice(computation.trace, choice)
    return _encoded(computation, choice)


def _encoded(computation: Computation, choice: Choice) -> Iterator[bytes]:
    body = "\n".join(_body(computation, choice))
    declared = "\n".join(declared_signs(body))
    yield f"{_PREAMBLE}{declared}\n".encode()
    yield f"\\begin{{document}}\n\n{body}\n\\end{{document}}\n".encode()


def _body(computation: Computation, choice: Choice) -> Iterator[str]:
    title, *choices = map(tex_text, statement_lines(computation))
    lines = " \\\\\n".join(choices)
    yield f"\\section*{{{title}}}\n\n{lines}\n"
    works = derivation(computation)
    for section in sections(computation, choice, works):
        yield f"\\subsection*{{{tex_text(section.title)}}}\n"
        yield _matrix(section)
        if section.table.remark:
            yield f"{tex_text(section.table.remark)}\n"
        if section.worked is not None:
            yield f"{{\\small\n{worked_latex(section.worked, works)}}}\n"


def _matrix(section: Section) -> str:
    rule = ""
    if section.formula:
        step, formula = symbols_latex(section.step), formula_latex(section.formula)
        rule = f"\\[\n{step} = {formula}\n\\]\n"
    table = section.table
    lines = [[_number(number) for number in line] for line in table.numbers]
    if table.row_labels is None and table.column_labels is None:
        body = _lines(lines)
        shown = f"\\begin{{bmatrix}}\n{body}\n\\end{{bmatrix}}"
    else:
        shown = _labelled(table, lines)
    return f"{rule}{{\\footnotesize\n\\[\n{shown}\n\\]\n}}"


def _labelled(table: Table, lines: Sequence[Sequence[str]]) -> str:
    """Return an array with a row of column labels, and row labels in front."""
    rows = [*lines]
    if table.column_labels is not None:
        rows.insert(0, [_label(label) for label in table.column_labels])
    columns = "r" * len(table.columns)
    if table.row_labels is not None:
        labels = [_label(label) for label in table.row_labels]
        corner = [""] if table.column_labels is not None else []
        rows = [
            [label, *row] for label, row in zip([*corner, *labels], rows, strict=True)
        ]
        columns = f"r|{columns}"
    body = _lines(rows)
    if table.column_labels is not None:
        body = body.replace("\\\\\n", "\\\\ \\hline\n", 1)
    return f"\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}"


def _lines(rows: Sequence[Sequence[str]]) -> str:
    return " \\\\\n".join(f"  {' & '.join(row)}" for row in rows)


def _number(number: float | None) -> str:
    return r"\dots" if number is None else number_latex(number, VALUE_DECIMALS)


def _label(label: str) -> str:
    return text_latex(label) if label else r"\dots"


def tex_text(text: str) -> str:
    """Return a text as one line of LaTeX."""
    return escaped_latex(unwrapped(text))


def declared_signs(body: str) -> Iterator[str]:
    """Yield declarations for characters that pdfLaTeX's fonts lack: by code point.

    Parameters
    ----------
    body : str
        What stands in the document.
    """
    others = sorted({c for c in body if not c.isascii() and not _is_known(c)})
    if not others:
        return
    yield "\\ifdefined\\DeclareUnicodeCharacter"
    for sign in others:
        number = f"{ord(sign):04X}"
        yield f"  \\DeclareUnicodeCharacter{{{number}}}{{\\text{{[U+{number}]}}}}"
    yield "\\fi"


def _is_known(sign: str) -> bool:
    parts = unicodedata.normalize("NFD", sign)
    accented = parts[0].isascii() and _ACCENTS.issuperset(parts[1:])
    return sign in _OTHERS or accented
