"""Slips of the pen: a sign, a lost digit or term, a number from elsewhere."""

import math
from collections.abc import Callable, Iterator

from attnviewer.compute import Expression, Quotient, Sum
from attnviewer.compute.notation import plain_text, write
from attnviewer.document import cell_name
from attnviewer.teaching.attempt import Attempt, Position
from attnviewer.teaching.mistaken import right_trace
from attnviewer.teaching.steps import matrix_of, own_head

MOST_TERMS = 64
"""The most terms of a sum that are left out one by one."""
_CLOSE = 1e-9


def wrong_sign(attempt: Attempt, cell: Position) -> str:
    """Return what to say of a number with the wrong sign; "" if it is none."""
    right = _right(attempt, cell)
    if right == 0 or not attempt.tolerance.holds(-attempt.numbers[cell], right):
        return ""
    return f"{attempt.typed(cell)} has the wrong sign."


def lost_digits(attempt: Attempt, cell: Position) -> str:
    """Return what to say of a number with too few digits, or not rounded; "" else.

    A whole number may well be something else, see `lost_fraction`.
    """
    return _lost(attempt, cell) if "." in attempt.texts[cell] else ""


def lost_fraction(attempt: Attempt, cell: Position) -> str:
    """Return what to say of a number without what is after its point; "" else."""
    return "" if "." in attempt.texts[cell] else _lost(attempt, cell)


def _lost(attempt: Attempt, cell: Position) -> str:
    right, typed = _right(attempt, cell), attempt.numbers[cell]
    text = attempt.texts[cell].strip().lower()
    if not math.isfinite(right) or "e" in text or abs(right) > 1e12:
        return ""
    digits = len(text.partition(".")[2])
    if not text.replace("-", "").replace("−", "").replace(".", "").isdecimal():
        return ""
    if digits > 12 or typed == 0:
        return ""
    cut = math.trunc(right * 10**digits) / 10**digits
    if abs(typed - cut) < _CLOSE:
        return f"{attempt.typed(cell)} is cut off instead of rounded."
    if abs(typed - round(right, digits)) < _CLOSE:
        return f"{attempt.typed(cell)} has too few digits."
    return ""


def transposed(attempt: Attempt, cell: Position) -> str:
    """Return what to say of the number with row and column exchanged; "" else."""
    row, column = cell
    matrix = matrix_of(attempt.trace, attempt.step, attempt.head)
    if row == column or matrix.shape[0] != matrix.shape[1]:
        return ""
    if not attempt.tolerance.holds(attempt.numbers[cell], float(matrix[column, row])):
        return ""
    other = _name(attempt, (column, row))
    return f"{attempt.typed(cell)} is {other}: row and column are exchanged."


def another_head(attempt: Attempt, cell: Position) -> str:
    """Return what to say of the number of another head in the same cell; "" else."""
    array = attempt.trace[attempt.step]
    own = own_head(attempt.trace, attempt.step, attempt.head)
    if own is None:
        return ""
    for head in range(len(array)):
        number = float(array[(head, *cell)])
        if head != own and attempt.tolerance.holds(attempt.numbers[cell], number):
            return f"{attempt.typed(cell)} is the number of head {head}."
    return ""


def without_mistake(attempt: Attempt, cell: Position) -> str:
    """Return what to say of the right number where a mistaken one is asked for."""
    if not attempt.document.spec.mistakes:
        return ""
    right = matrix_of(right_trace(attempt.document), attempt.step, attempt.head)
    if not attempt.tolerance.holds(attempt.numbers[cell], float(right[cell])):
        return ""
    return f"{attempt.typed(cell)} is what comes out without the mistake."


SLIPS: dict[Callable[[Attempt, Position], str], str] = {
    lost_digits: "These numbers have too few digits, or are cut off.",
    wrong_sign: "These numbers have the wrong sign.",
    transposed: "In these numbers, row and column are exchanged.",
    another_head: "These are the numbers of another head.",
    without_mistake: "These numbers are what comes out without the mistake.",
}
"""Slips that explain a number by themselves, the simplest first.

With each, the sentence where it explains several numbers.
"""


def another_row(attempt: Attempt) -> tuple[str, dict[Position, str]]:
    """Return what to say of the numbers of another row: of all, and of each.

    Only where all numbers that were typed are those of that row, in their order.
    """
    matrix = matrix_of(attempt.trace, attempt.step, attempt.head)
    rows = {row for row, _ in attempt.numbers}
    if len(rows) > 1 or len(attempt.numbers) < 2:
        return "", {}
    (row,) = rows
    for other in range(len(matrix)):
        if other == row or not all(
            attempt.tolerance.holds(number, float(matrix[other, column]))
            for (_, column), number in attempt.numbers.items()
        ):
            continue
        remarks = {
            (row, column): f"{attempt.typed((row, column))} is "
            f"{_name(attempt, (other, column))}."
            for _, column in attempt.wrong
        }
        name = _name(attempt, (other, 0)).rpartition(",")[0]
        return f"These are the numbers of another row: {name}, :].", remarks
    return "", {}


def never_zero(attempt: Attempt) -> tuple[str, dict[Position, str]]:
    """Return what to say of weights of exactly 0 where a score is finite."""
    if attempt.step != "weights" or attempt.trace.spec.normalizer != "softmax":
        return "", {}
    zeros = [cell for cell in attempt.wrong if attempt.numbers[cell] == 0]
    remark = "Softmax never gives exactly 0 to a finite score."
    return "", dict.fromkeys(zeros, remark)


def another_cell(attempt: Attempt, cell: Position) -> str:
    """Return what to say of the number of another cell of the step; "" else.

    Those of the same row come first, then those of the same column.
    """
    matrix = matrix_of(attempt.trace, attempt.step, attempt.head)
    rows, columns = matrix.shape
    row, column = cell
    same_row = [(row, k) for k in range(columns)]
    for other in (*same_row, *((k, column) for k in range(rows))):
        number = float(matrix[other])
        if other != cell and attempt.tolerance.holds(attempt.numbers[cell], number):
            return f"{attempt.typed(cell)} is also {_name(attempt, other)}."
    return ""


def term_left_out(attempt: Attempt, cell: Position) -> str:
    """Return what to say of a sum without one of its terms; "" else."""
    index = _index(attempt, cell)
    formula = attempt.trace.explain(attempt.step, index, limit=MOST_TERMS)
    for expression in formula.steps[:1]:
        for term, without in _without_one(expression):
            if attempt.tolerance.holds(attempt.numbers[cell], without):
                lost = plain_text(write(term))
                return f"{attempt.typed(cell)} is what comes out without {lost}."
    return ""


def _without_one(expression: Expression) -> Iterator[tuple[Expression, float]]:
    """Yield the terms of a sum, and what is left without each of them.

    Of a quotient, as softmax is one, those of its divisor.
    """
    if isinstance(expression, Sum) and len(expression.terms) > 1:
        total = expression.evaluate()
        for term in expression.terms:
            yield term, total - term.evaluate()
    elif isinstance(expression, Quotient):
        top = expression.numerator.evaluate()
        if isinstance(expression.denominator, Sum):
            for term, rest in _without_one(expression.denominator):
                if rest:
                    yield term, top / rest


def _right(attempt: Attempt, cell: Position) -> float:
    return float(matrix_of(attempt.trace, attempt.step, attempt.head)[cell])


def _index(attempt: Attempt, cell: Position) -> tuple[int, ...]:
    head = own_head(attempt.trace, attempt.step, attempt.head)
    return cell if head is None else (head, *cell)


def _name(attempt: Attempt, cell: Position) -> str:
    stage = attempt.trace.stages[attempt.step]
    return cell_name(stage, attempt.document.labels, _index(attempt, cell))
