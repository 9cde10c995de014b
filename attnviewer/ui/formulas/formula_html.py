"""Formulas as rich text: numbers link to their cells, Q, K and V have their colours."""

import re
from collections.abc import Sequence
from html import escape

from attnviewer.compute import Cell, Expression, Formula, Number
from attnviewer.compute.notation import Piece, plain_text, write
from attnviewer.document import VALUE_DECIMALS, rounded
from attnviewer.ui.theme import Theme

_QKV = re.compile(r"(?<![A-Za-z_])(?:W_)?([QKV])(?![A-Za-z_])[ᵢⱼₖ]*")


def formula_html(formula: Formula, theme: Theme) -> str:
    """Write a formula out: the rule, its steps with numbers, the value, the note."""
    rule = f"{formula.cell.step}ᵢⱼ = {formula.symbols}"
    lines = [f"<b>{symbols_html(rule, theme)}</b>"]
    lines += [f"= {pieces_html(write(step), theme)}" for step in _worked(formula)]
    if formula.symbols != result_text(formula):
        lines.append(_result(formula, theme))
    if formula.note:
        lines.append(muted(escape(formula.note), theme))
    return paragraphs(lines)


def given_html(name: str, value: float, hint: str, theme: Theme) -> str:
    """Write a number that nothing is behind, and where it can be changed."""
    number = rounded(value, VALUE_DECIMALS)
    line = f"<b>{symbols_html(name, theme)} = {number}</b>"
    return paragraphs([line, muted(escape(hint), theme)])


def formula_text(name: str, formula: Formula) -> str:
    """Write a formula as plain text, for a screen reader."""
    parts = [name, *(plain_text(write(step)) for step in _worked(formula))]
    text = " = ".join([*parts, result_text(formula)])
    return f"{text}. {formula.note}" if formula.note else text


def result_text(formula: Formula) -> str:
    """Write the value that a formula ends with."""
    return rounded(formula.value, VALUE_DECIMALS)


def pieces_html(pieces: Sequence[Piece], theme: Theme) -> str:
    """Write an expression, each number with a cell as a link to it."""
    return "".join(_piece_html(piece, theme) for piece in pieces)


def symbols_html(symbols: str, theme: Theme) -> str:
    """Write a rule in symbols, with Q, K and V in their colours."""

    def coloured(match: re.Match[str]) -> str:
        return _coloured(match[0], theme.color_of(match[1]) or theme.text)

    unbroken = symbols.replace(" − ", "\xa0−\xa0").replace("Σₖ ", "Σₖ\xa0")
    return _QKV.sub(coloured, escape(unbroken))


def href_of(cell: Cell) -> str:
    """Return a link to a cell."""
    return f"{cell.step}/{','.join(map(str, cell.index))}"


def cell_of(href: str) -> Cell:
    """Return the cell that a link leads to."""
    step, _, index = href.partition("/")
    return Cell(step, tuple(int(part) for part in index.split(",")))


def _worked(formula: Formula) -> tuple[Expression, ...]:
    """Return the steps that say more than the value itself."""
    return tuple(step for step in formula.steps if not isinstance(step, Number))


def _result(formula: Formula, theme: Theme) -> str:
    text, last = result_text(formula), formula.steps[-1:]
    # A value taken over as it is links to where it was taken from.
    if last and isinstance(last[0], Number) and last[0].cell is not None:
        text = link(text, last[0].cell, theme)
    return f"<b>=&nbsp;{text}</b>"


def _piece_html(piece: Piece, theme: Theme) -> str:
    text = escape(piece.text).replace("\N{NO-BREAK SPACE}", "&nbsp;")
    if piece.cell is not None:
        return link(text, piece.cell, theme)
    return muted(text, theme) if piece.kind == "remainder" else text


def link(html: str, cell: Cell, theme: Theme) -> str:
    """Write a link to a cell, in the colour of its step."""
    color = theme.color_of(cell.step) or theme.text
    return f'<a href="{escape(href_of(cell))}" style="color: {color}">{html}</a>'


def _coloured(html: str, color: str) -> str:
    return f'<span style="color: {color}">{html}</span>'


def muted(html: str, theme: Theme) -> str:
    """Write what is less than the rest."""
    return _coloured(html, theme.muted)


def paragraphs(lines: Sequence[str]) -> str:
    """Write lines below each other."""
    style = "margin: 0 0 2px 0; line-height: 120%"
    return "".join(f'<p style="{style}">{line}</p>' for line in lines)
