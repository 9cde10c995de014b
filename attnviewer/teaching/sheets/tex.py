"""Sheets as LaTeX: with blanks, or with the key filled in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from attnviewer.document.derivation import escaped_latex, symbols_latex
from attnviewer.io.export.worked.tex import declared_signs
from attnviewer.teaching.sheets.formulas import formula_tex
from attnviewer.teaching.sheets.prose import Paragraph, Span
from attnviewer.teaching.sheets.sheet import (
    Block,
    Cell,
    ChoiceQuestion,
    NumberQuestion,
    Prose,
    Question,
    Sheet,
    Table,
    WindowQuestion,
    worth,
)
from attnviewer.teaching.texts import Words

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{amsmath,amssymb}
\setlength{\textwidth}{17cm}
\setlength{\oddsidemargin}{-0.54cm}
\setlength{\textheight}{25cm}
\setlength{\topmargin}{-2cm}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\setlength{\tabcolsep}{3pt}
\renewcommand{\arraystretch}{1.25}
\newcommand{\blank}{\framebox[16mm]{\rule[-2mm]{0pt}{7.5mm}}}
\newcommand{\filled}[1]{\framebox[16mm]{\rule[-2mm]{0pt}{7.5mm}#1}}
\newcommand{\unasked}{\makebox[16mm]{}}
\newcommand{\tick}{$\square$}
\newcommand{\ticked}{$\boxtimes$}
"""
_STYLES = {"strong": "textbf", "emphasis": "emph", "code": "texttt"}
_LISTS = {"item": "itemize", "number": "enumerate"}


def sheets_tex(sheets: Sequence[Sheet], *, key: bool = False) -> Iterator[bytes]:
    """Yield sheets as one LaTeX article, each beginning on a page of its own.

    Parameters
    ----------
    sheets : sequence of Sheet
        The sheets.
    key : bool
        Whether the answers are filled in.
    """
    body = "\n\\clearpage\n".join("\n".join(_sheet(sheet, key=key)) for sheet in sheets)
    declared = "\n".join(declared_signs(body))
    yield f"{_PREAMBLE}{declared}\n".encode()
    yield f"\\begin{{document}}\n\n{body}\n\\end{{document}}\n".encode()


def _sheet(sheet: Sheet, *, key: bool) -> Iterator[str]:
    yield "\\setcounter{page}{1}"
    yield f"\\section*{{{_text(sheet.headline(key=key))}}}"
    points = sheet.words.counted(sheet.points)
    yield f"{_text(sheet.name)} \\hfill {_text(points)}\n"
    for part in sheet.parts:
        yield f"\\subsection*{{{_text(part.title)}}}\n"
        for _, run in groupby(part.blocks, lambda block: isinstance(block, Table)):
            blocks = list(run)
            tables = [_table(block, {}) for block in blocks if isinstance(block, Table)]
            if tables:
                yield _side_by_side(tables)
                continue
            for block in blocks:
                yield from _block(block, sheet.words, key=key)


def _block(block: Block, words: Words, *, key: bool) -> Iterator[str]:
    match block:
        case Prose():
            yield from _prose(block.paragraphs)
        case NumberQuestion():
            yield from _asked(block, words)
            answers = {
                cell: f"\\filled{{{_number(blank.text)}}}" if key else "\\blank"
                for cell, blank in block.blanks.items()
            }
            yield _side_by_side([_table(block.table, answers)])
        case ChoiceQuestion():
            yield from _asked(block, words)
            yield "\\begin{list}{}{\\setlength{\\leftmargin}{8mm}}"
            for place, option in enumerate(block.options):
                box = "\\ticked" if key and place in block.right else "\\tick"
                yield f"\\item[{box}] {_spans(option.spans)}"
            yield "\\end{list}\n"
        case WindowQuestion():
            yield from _asked(block, words)


def _asked(question: Question | WindowQuestion, words: Words) -> Iterator[str]:
    yield from _prose(question.ask.paragraphs)
    worth_text = worth(question, words)
    yield f"\\nopagebreak\\hfill({_text(worth_text)})\\nopagebreak\n"


def _prose(paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    kind = ""
    for paragraph in paragraphs:
        text = _spans(paragraph.spans)
        if kind in _LISTS and paragraph.kind != kind:
            yield f"\\end{{{_LISTS[kind]}}}"
        if paragraph.kind in _LISTS:
            if paragraph.kind != kind:
                yield f"\\begin{{{_LISTS[paragraph.kind]}}}"
            # Braces: an item that begins with a bracket is no label.
            yield f"\\item {{}}{text}"
        elif paragraph.kind == "heading":
            yield f"\\subsubsection*{{{text}}}\n"
        elif paragraph.kind == "formula":
            yield f"\\begin{{center}}\n{text}\n\\end{{center}}"
        else:
            yield f"{text}\n"
        kind = paragraph.kind
    if kind in _LISTS:
        yield f"\\end{{{_LISTS[kind]}}}"


def _spans(spans: Sequence[Span]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    if span.kind == "formula":
        return formula_tex(span.text)
    text = _text(span.text)
    return f"\\{_STYLES[span.kind]}{{{text}}}" if span.kind in _STYLES else text


def _side_by_side(tables: Iterable[str]) -> str:
    """Return tables in centred lines, as many beside each other as fit."""
    body = "\\qquad\n".join(tables)
    return f"\\begin{{center}}\n{body}\n\\end{{center}}\n"


def _table(table: Table, answers: Mapping[Cell, str]) -> str:
    heading = " & ".join(["", *map(_label, table.columns)])
    lines = [f"{heading} \\\\ \\hline"]
    empty = "\\unasked" if answers else ""
    for row, label in enumerate(table.rows):
        cells = (
            answers.get((row, column))
            or _number(table.cells.get((row, column), ""))
            or empty
            for column in range(len(table.columns))
        )
        lines.append(" & ".join([_label(label), *cells]) + " \\\\")
    body = "\n".join(lines)
    columns = f"r|{('c' if answers else 'r') * len(table.columns)}"
    name, comma, head = table.name.partition(",")
    return (
        f"\\begin{{tabular}}[t]{{@{{}}c@{{}}}}\n"
        f"${symbols_latex(name)}${comma}{_text(head)}\\\\[2pt]\n"
        f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n"
        "\\end{tabular}"
    )


def _label(label: str) -> str:
    return f"{{\\small {_text(label)}}}"


def _number(text: str) -> str:
    signs = text.replace("−", "-").replace("∞", "\\infty ")
    return f"${signs}$" if text else ""


def _text(text: str) -> str:
    """Return a text as one line of LaTeX; spaces at its ends stay."""
    line = "".join(" " if sign.isspace() else sign for sign in text)
    return "$\\surd$".join(map(escaped_latex, line.split("√")))
