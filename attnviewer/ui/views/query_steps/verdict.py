"""The comparison of loop and matrix form, in words."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviewer.compute import BoolArray, Move
from attnviewer.compute.walk.moves import TOLERANCE
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("walk")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of comparing the two rows of numbers.

    Parameters
    ----------
    kind : {'equal', 'differ', 'unfinished'}
        The result; ``unfinished`` while a sum is being accumulated.
    text : str
        The same in words, with the reason if they differ.
    rule : str
        The criterion for equality.
    """

    kind: Literal["equal", "differ", "unfinished"]
    text: str
    rule: str


def compare(move: Move) -> Verdict:
    """Compare loop and matrix form in the numbers computed up to a move."""
    tolerance = TOLERANCE[str(move.loop.dtype)]
    share = significant_number(tolerance, 1)
    rule = _tr(
        "Numbers count as equal if they differ by at most {share}, or by that share of "
        "their size if they are larger than 1: such differences are rounding."
    ).format(share=share)
    lost = np.isfinite(move.matrix) & ~np.isfinite(move.loop)  # (numbers,)
    # A NaN or infinite sum stays so, whatever is added.
    if not move.finished and not lost.any():
        text = _tr("{done} of {count} keys added").format(
            done=(move.index or 0) + 1, count=move.phase.moves
        )
        return Verdict("unfinished", text, rule)
    same = np.isclose(
        move.loop, move.matrix, rtol=tolerance, atol=tolerance, equal_nan=True
    )  # (numbers,)
    if same.all():
        text = _tr("= equal to within {share}").format(share=share)
        if np.isnan(move.loop).any():
            text = _tr("= NaN in both")
        return Verdict("equal", text, rule)
    return Verdict("differ", _tr("≠ differ: {0}").format(_reason(move, same)), rule)


def _reason(move: Move, same: BoolArray) -> str:
    """Say how loop and matrix form differ."""
    loop, matrix = move.loop[~same], move.matrix[~same]
    if np.isnan(loop).any():
        return _tr("the loop has NaN, as ∞ / ∞ and 0 · ∞ have no value.")
    if np.isinf(loop).any():
        return _tr("the loop has ∞, beyond the largest number of this precision.")
    if not np.isfinite(matrix).all():
        return _tr("the matrix form has NaN or ∞ where the loop has not.")
    apart = significant_number(float(np.max(np.abs(loop - matrix))), 3)
    return _tr("by up to {apart}.").format(apart=apart)
