"""Formulas as typeset lines: numbers link to their cells; Q, K and V are coloured."""

from collections.abc import Iterator, Sequence

from attnviewer.compute import Expression, Formula, Number
from attnviewer.compute.expression import Named
from attnviewer.compute.notation import plain_text, write
from attnviewer.compute.number_text import rounded
from attnviewer.document.derivation import VALUE_DECIMALS
from attnviewer.ui.paint.math import (
    Atom,
    Line,
    Part,
    Value,
    filled,
    prose,
    typeset_name,
    typeset_symbols,
)
from attnviewer.ui.paint.math.tex import COMMA, EQUALS, SPACE
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("formula")

_COLON = Atom(":")
_LARGEST = "maxᵢ"
"""How rules abbreviate the largest score of a row."""


def formula_lines(
    formula: Formula, steps: Sequence[Expression], theme: Theme
) -> Iterator[Line]:
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
    parts: list[Part] = [typeset_symbols(f"{formula.cell.step}ᵢⱼ", theme)]
    if formula.symbols != result_text(formula):
        parts += [EQUALS, typeset_symbols(rule, theme)]
    for step in steps:
        parts += [EQUALS, step]
    yield filled(theme, *parts, EQUALS, _result(formula))
    written = {named.symbol: named for step in steps for named in _abbreviations(step)}
    for definition in definitions:
        symbol = definition.partition(" = ")[0]
        line: list[Part] = [typeset_symbols(definition, theme)]
        if symbol in written:
            line += _value(written.pop(symbol))
        yield filled(theme, *line)
    for symbol, named in written.items():
        line = [typeset_symbols(symbol, theme)]
        if symbol == _LARGEST:
            line += [
                _COLON,
                SPACE,
                prose(_tr("largest score of the row"), theme.muted),
            ]
            line += [COMMA, *_value(named)[1:]]
        else:
            line += _value(named)
        yield filled(theme, *line)
    if formula.note:
        yield prose(formula.note, theme.muted)


def given_lines(label: str, value: float, hint: str, theme: Theme) -> Iterator[Line]:
    """Yield the line of an input, with a hint where it can be changed."""
    written = Value(rounded(value, VALUE_DECIMALS), bold=True)
    yield filled(theme, typeset_name(label, theme), EQUALS, written)
    yield prose(hint, theme.muted)


def formula_text(
    name: str, formula: Formula, steps: Sequence[Expression], hint: str = ""
) -> str:
    """Write a formula with its steps as plain text, for a screen reader."""
    written = (plain_text(write(step)) for step in steps)
    parts = [name, *written, result_text(formula)]
    return ". ".join(filter(None, [" = ".join(parts), formula.note, hint]))


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


def _value(named: Named) -> list[Part]:
    """Return an abbreviation's value, after an equals sign."""
    body, text = named.body, rounded(named.evaluate(), VALUE_DECIMALS)
    if isinstance(body, Number):
        return [EQUALS, Value(text, body.cell)]
    return [EQUALS, body, EQUALS, Value(text)]


def _result(formula: Formula) -> Value:
    last = formula.steps[-1:]
    # A copied value links to its source.
    copied = last[0].cell if last and isinstance(last[0], Number) else None
    return Value(result_text(formula), copied, bold=True)
