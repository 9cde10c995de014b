"""The sum behind a cell of matrices that are added."""

from collections.abc import Sequence

import numpy as np

from attnviewer.ui.text.matrix_numbers import picture_number
from attnviewer.ui.text.numbers import decimals_for
from attnviewer.ui.views.step.how.numbers import without_exponents
from attnviewer.ui.views.step.how.subject import Operand, Subject

_DECIMALS, _ROUNDING = 4, 1e-4


def is_sum(signs: Sequence[str]) -> bool:
    """Return whether signs before matrices make the last one the sum of the others."""
    between = list(signs[1:])
    return len(between) > 1 and between == ["+"] * (len(between) - 1) + ["="]


def sum_of(
    subject: Subject,
    operands: Sequence[Operand],
    cells: Sequence[tuple[int | None, int | None]],
) -> tuple[str, ...]:
    """Return the terms and the total of one cell of each matrix.

    Empty if numbers are withheld, or the total is not the sum of the terms, as in a
    pinned cell.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    operands : sequence of Operand
        The matrices.
    cells : sequence of tuples
        The drawn row and column of each.
    """
    if not subject.tells(*(operand.step for operand in operands)):
        return ()
    numbers = [
        float(operand.values[row, column])
        for operand, (row, column) in zip(operands, cells, strict=True)
        if row is not None and column is not None
    ]
    values = np.array(numbers)  # (matrices,)
    if len(numbers) < len(operands) or not np.isfinite(values).all():
        return ()
    if abs(values[:-1].sum() - values[-1]) > _ROUNDING * np.abs(values).max():
        return ()
    decimals, plain = decimals_for(values, _DECIMALS), without_exponents(values)
    return tuple(picture_number(number, decimals, plain=plain) for number in numbers)
