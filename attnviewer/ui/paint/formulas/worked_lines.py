"""A worked-out number, in one line and as text."""

from attnviewer.compute.notation import Piece, Pieces, plain_text, write
from attnviewer.compute.number_text import rounded
from attnviewer.document import Worked
from attnviewer.document.derivation import VALUE_DECIMALS

AT_A_GLANCE = 60
"""The longest step, in characters, that fits on one line with its value."""

_EQUALS = Piece(" =\N{NO-BREAK SPACE}")


def line_pieces(worked: Worked) -> Pieces:
    """Write a number on one line: its cell's name, a step, the value."""
    formula, steps = worked.formula, worked.steps
    pieces = [Piece(worked.name, worked.cell, "number")]
    if steps:
        # The first step, if it is short enough to read at a glance.
        first = write(steps[0])
        short = len(steps) == 1 or len(plain_text(first)) <= AT_A_GLANCE
        pieces += [_EQUALS, *(first if short else write(steps[-1]))]
    pieces += [_EQUALS, Piece(rounded(formula.value, VALUE_DECIMALS), None, "value")]
    if formula.note and not formula.steps:
        pieces.append(Piece(f"  {formula.note}", None, "note"))
    return tuple(pieces)


def worked_text(worked: Worked) -> str:
    """Write a number and everything worked out below it as plain text."""
    formula = worked.formula
    value = rounded(formula.value, VALUE_DECIMALS)
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
