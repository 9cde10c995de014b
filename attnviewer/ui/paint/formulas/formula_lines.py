"""Formulas as typeset lines: numbers link to their cells; Q, K and V are coloured."""

from collections.abc import Iterator, Sequence

from attnviewer.compute import Expression, Formula, Number
from attnviewer.compute.expression import Named
from attnviewer.compute.notation import Pieces, plain_text
from attnviewer.compute.number_text import rounded
from attnviewer.document.derivation import VALUE_DECIMALS
from attnviewer.ui.paint.math import (
    Atom,
    Node,
    flat,
    prose,
    typeset,
    typeset_name,
    typeset_number,
    typeset_symbols,
)
from attnviewer.ui.paint.math.tex import COMMA, EQUALS, SPACE
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("formula")

_LARGEST = "maxᵢ"
"""How rules abbreviate the largest score of a row."""


def formula_lines(
    formula: Formula, steps: Sequence[Expression], theme: Theme
) -> Iterator[Node]:
    """Yield the lines of a formula.

    The first holds the rule, its steps and the value; definitions of abbreviations
    and the note follow.

    Parameters
    ----------
    formula : Formula
        The formula.
    steps : sequence of expressions
        Its steps, without those that only repeat the value.
    theme : Theme
        The colours.
    """
    rule, *definitions = _clauses(formula.symbols)
    parts: list[Node] = [typeset_symbols(f"{formula.cell.step}ᵢⱼ", theme)]
    if formula.symbols != result_text(formula):
        parts += [EQUALS, typeset_symbols(rule, theme)]
    for step in steps:
        parts += [EQUALS, typeset(step, theme)]
    yield flat(*parts, EQUALS, _result(formula, theme))
    written = {named.symbol: named for step in steps for named in _abbreviations(step)}
    for definition in definitions:
        symbol = definition.partition(" = ")[0]
        line: list[Node] = [typeset_symbols(definition, theme)]
        if symbol in written:
            line += _value(written.pop(symbol), theme)
        yield flat(*line)
    for symbol, named in written.items():
        line = [typeset_symbols(symbol, theme)]
        if symbol == _LARGEST:
            line += [
                Atom(":"),
                SPACE,
                prose(_tr("largest score of the row"), theme.muted),
            ]
            line += [COMMA, *_value(named, theme)[1:]]
        else:
            line += _value(named, theme)
        yield flat(*line)
    if formula.note:
        yield prose(formula.note, theme.muted)


def given_lines(label: str, value: float, hint: str, theme: Theme) -> Iterator[Node]:
    """Yield the line of an input, with a hint where it can be changed."""
    written = typeset_number(rounded(value, VALUE_DECIMALS), theme, bold=True)
    yield flat(typeset_name(label, theme), EQUALS, written)
    yield prose(hint, theme.muted)


def formula_text(name: str, formula: Formula, written: Sequence[Pieces]) -> str:
    """Write a formula with its steps as plain text, for a screen reader."""
    parts = [name, *map(plain_text, written), result_text(formula)]
    text = " = ".join(parts)
    return f"{text}. {formula.note}" if formula.note else text


def result_text(formula: Formula) -> str:
    """Return the value that a formula ends with, as text."""
    return rounded(formula.value, VALUE_DECIMALS)


def _clauses(symbols: str) -> list[str]:
    """Return a rule and the definitions that follow it after commas."""
    clauses: list[str] = []
    for part in symbols.split(", "):
        if not clauses or (_is_balanced(clauses[-1]) and " = " in part):
            clauses.append(part)
        else:
            clauses[-1] += f", {part}"
    return clauses


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


def _abbreviations(expression: Expression) -> Iterator[Named]:
    if isinstance(expression, Named) and expression.symbol:
        yield expression
    for part in expression.parts:
        yield from _abbreviations(part)


def _value(named: Named, theme: Theme) -> list[Node]:
    """Return an abbreviation's value, after an equals sign."""
    body, text = named.body, rounded(named.evaluate(), VALUE_DECIMALS)
    if isinstance(body, Number):
        return [EQUALS, typeset_number(text, theme, body.cell)]
    return [EQUALS, typeset(body, theme), EQUALS, typeset_number(text, theme)]


def _result(formula: Formula, theme: Theme) -> Node:
    last = formula.steps[-1:]
    # A copied value links to its source.
    copied = last[0].cell if last and isinstance(last[0], Number) else None
    return typeset_number(result_text(formula), theme, copied, bold=True)
