"""A worked-out number, in one line and as text."""

from itertools import islice

from attnviewer.compute import Expression
from attnviewer.compute.expression import numbers
from attnviewer.compute.notation import Piece, Pieces, plain_text, write
from attnviewer.compute.number_text import rounded
from attnviewer.document import Worked
from attnviewer.document.derivation import VALUE_DECIMALS
from attnviewer.ui.paint.math import (
    Filled,
    Part,
    Value,
    filled,
    prose,
    typeset_name,
)
from attnviewer.ui.paint.math.tex import EQUALS, SPACE
from attnviewer.ui.paint.theme import Theme

AT_A_GLANCE = 8
"""The most numbers of a step that is shown beside its value."""

_EQUALS = Piece(" =\N{NO-BREAK SPACE}")


def worked_line(worked: Worked, theme: Theme) -> Filled:
    """Typeset a number on one line: its cell's name, a step, the value."""
    parts: list[Part] = [typeset_name(worked.name, theme, worked.cell), EQUALS]
    step = _step(worked)
    if step is not None:
        parts += [step, EQUALS]
    parts.append(Value(_value(worked), bold=True))
    if note := _note(worked):
        parts += [SPACE, SPACE, prose(note, theme.muted)]
    return filled(theme, *parts)


def line_pieces(worked: Worked) -> Pieces:
    """Write the same as pieces of text."""
    pieces = [Piece(worked.name, worked.cell, "number")]
    step = _step(worked)
    if step is not None:
        pieces += [_EQUALS, *write(step)]
    pieces += [_EQUALS, Piece(_value(worked), None, "value")]
    if note := _note(worked):
        pieces.append(Piece(f"  {note}", None, "note"))
    return tuple(pieces)


def worked_text(worked: Worked) -> str:
    """Write a number and everything worked out below it as plain text."""
    formula, value = worked.formula, _value(worked)
    rights = [] if worked.given else [formula.symbols]
    rights += [plain_text(write(step)) for step in worked.steps]
    rights += [value] if rights[-1:] != [value] else []
    lines = [f"{worked.name} = {rights[0]}", *(f"  = {right}" for right in rights[1:])]
    lines += [f"  {formula.note}"] if formula.note else []
    lines += [
        f"{'  ' * (level + 1)}{plain_text(line_pieces(part))}"
        for level, part in worked.opened_below()
    ]
    return "\n".join(lines) + "\n"


def _step(worked: Worked) -> Expression | None:
    """Return the first step, if it is short enough to read at a glance."""
    steps = worked.steps
    if not steps:
        return None
    short = len([*islice(numbers(steps[0]), AT_A_GLANCE + 1)]) <= AT_A_GLANCE
    return steps[0] if short else steps[-1]


def _value(worked: Worked) -> str:
    return rounded(worked.formula.value, VALUE_DECIMALS)


def _note(worked: Worked) -> str:
    return "" if worked.formula.steps else worked.formula.note
