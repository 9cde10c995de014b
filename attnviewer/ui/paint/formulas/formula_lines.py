"""Formulas as lines: numbers link to their cells; Q, K and V are coloured."""

from collections.abc import Iterator, Sequence

from attnviewer.compute import Formula, Number
from attnviewer.compute.notation import Pieces, plain_text
from attnviewer.compute.number_text import rounded
from attnviewer.document.derivation import VALUE_DECIMALS
from attnviewer.ui.paint.formulas.spans import Line, Span, link, spans_of, symbols
from attnviewer.ui.paint.theme import Theme


def formula_lines(
    formula: Formula, written: Sequence[Pieces], theme: Theme
) -> Iterator[Line]:
    """Yield the lines of a formula: the rule, its steps, the value, the note.

    Parameters
    ----------
    formula : Formula
        The formula.
    written : sequence of pieces
        Its steps, without those that only repeat the value.
    theme : Theme
        The colours.
    """
    rule = f"{formula.cell.step}ᵢⱼ = {formula.symbols}"
    yield tuple(symbols(rule, theme, bold=True))
    for pieces in written:
        yield Span("= "), *spans_of(pieces, theme)
    if formula.symbols != result_text(formula):
        yield _result(formula, theme)
    if formula.note:
        yield (Span(formula.note, theme.muted),)


def given_lines(name: str, value: float, hint: str, theme: Theme) -> Iterator[Line]:
    """Yield the line of an input, with a hint where it can be changed."""
    number = rounded(value, VALUE_DECIMALS)
    yield *symbols(name, theme, bold=True), Span(f" = {number}", bold=True)
    yield (Span(hint, theme.muted),)


def formula_text(name: str, formula: Formula, written: Sequence[Pieces]) -> str:
    """Write a formula with its steps as plain text, for a screen reader."""
    parts = [name, *map(plain_text, written), result_text(formula)]
    text = " = ".join(parts)
    return f"{text}. {formula.note}" if formula.note else text


def result_text(formula: Formula) -> str:
    """Return the value that a formula ends with, as text."""
    return rounded(formula.value, VALUE_DECIMALS)


def _result(formula: Formula, theme: Theme) -> Line:
    text, last = result_text(formula), formula.steps[-1:]
    equals = Span("=\N{NO-BREAK SPACE}", bold=True)
    # A copied value links to its source.
    if last and isinstance(last[0], Number) and last[0].cell is not None:
        return equals, link(text, last[0].cell, theme, bold=True)
    return (Span(f"{equals.text}{text}", bold=True),)
