"""Feedback on a wrong number: the mistake that gives it, or a slip of the pen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from attnviewer.compute.arrays import Numbers
from attnviewer.teaching.attempt import Attempt, Position
from attnviewer.teaching.mistaken import mistake_title, mistaken_steps
from attnviewer.teaching.pen_slips import (
    SLIPS,
    another_cell,
    another_row,
    lost_fraction,
    never_zero,
    term_left_out,
)
from attnviewer.teaching.steps import own_head

LIKELY = (
    *("scale-missing", "scale-not-rooted", "scale-multiplied", "scale-d_model"),
    *("softmax-unnormalized", "softmax-missing", "softmax-over-queries"),
    *("sum-for-softmax", "hardmax-for-softmax", "softmax-base-two"),
    *("causal-missing", "causal-strict", "causal-flipped", "causal-one-too-far"),
    *("mask-ignored", "mask-inverted", "mask-after-softmax", "mask-zero"),
    *("mask-transposed", "mask-renormalized", "window-ignored"),
    *("weight-transposed", "q-k-swapped", "k-v-swapped", "projection-missing"),
    *("mixes-keys", "mixes-queries", "weights-transposed", "weights-unused"),
    *("output-projection-missing", "bias-missing", "heads-interleaved"),
    *("heads-averaged", "heads-summed", "rope-keys-missing", "rope-queries-missing"),
    *("positions-missing", "positions-from-one", "rope-direction", "rope-pairing"),
    *("softmax-over-all", "softmax-twice", "gqa-tiled", "scale-after-softmax"),
)
"""What people who compute by hand get wrong most; the first is thought of first."""
_WITHOUT = {
    "scale-missing": "without 1/√d_k",
    "causal-missing": "without the causal mask",
    "mask-ignored": "without the mask",
    "window-ignored": "without the window",
    "output-projection-missing": "without W_O",
    "softmax-missing": "without the softmax",
    "positions-missing": "without positions",
}


def explain(attempt: Attempt) -> tuple[str, dict[Position, str]]:
    """Return the feedback on wrong numbers: on all together, and on each.

    The simplest that explains all wrong numbers comes first, then what explains one.

    Parameters
    ----------
    attempt : Attempt
        The typed numbers.

    Returns
    -------
    tuple of (str, dict)
        "" and no entry where nothing explains them.
    """
    several = len(attempt.wrong) > 1
    for slip, together in SLIPS.items():
        remarks = {cell: slip(attempt, cell) for cell in attempt.wrong}
        if all(remarks.values()):
            return together if several else "", remarks
    found = _mistakes(attempt)
    if several and found and len(found[0].cells) == len(attempt.wrong):
        return _told(attempt, found[0])
    for row_or_zeros in (another_row, never_zero):
        message, remarks = row_or_zeros(attempt)
        if remarks:
            return message, remarks
    return "", {
        cell: text for cell in attempt.wrong if (text := _of_one(attempt, cell, found))
    }


@dataclass(frozen=True, slots=True)
class _Made:
    """A mistake, and the wrong numbers that come of it.

    Parameters
    ----------
    id : str
        Its id.
    cells : frozenset of (int, int)
        Which of the wrong numbers it explains.
    agrees : bool
        Whether the numbers that are right would be the same with it.
    """

    id: str
    cells: frozenset[Position]
    agrees: bool

    @property
    def likely(self) -> bool:
        return self.id.partition(":")[0] in LIKELY

    @property
    def order(self) -> tuple[int, bool, int]:
        kind = self.id.partition(":")[0]
        place = LIKELY.index(kind) if kind in LIKELY else len(LIKELY)
        return -len(self.cells), not self.agrees, place


def _mistakes(attempt: Attempt) -> list[_Made]:
    """Return the mistakes that give wrong numbers, what explains most first."""
    found: dict[str, _Made] = {}
    head = own_head(attempt.trace, attempt.step, attempt.head)
    others = [cell for cell in attempt.numbers if cell not in attempt.wrong]
    for held in _bases(attempt):
        for id, array in mistaken_steps(attempt.document, attempt.step, held=held):
            if head is not None and array.ndim > 2:
                array = array[head % len(array)]
            if array.ndim != 2:
                continue
            cells = frozenset(c for c in attempt.wrong if attempt.fits(c, array))
            if not cells:
                continue
            made = _Made(id, cells, all(attempt.fits(c, array) for c in others))
            if id not in found or made.order < found[id].order:
                found[id] = made
    return sorted(found.values(), key=lambda made: made.order)


def _bases(attempt: Attempt) -> Iterator[dict[str, Numbers]]:
    """Yield the steps to go on from: those of the document, then the learner's own."""
    by_answers = sorted(attempt.carried, key=lambda trace: -len(trace.spec.pins))
    for trace in (attempt.trace, *by_answers[:1]):
        steps = {pin.step for pin in trace.spec.pins} - {attempt.step}
        yield {step: trace[step] for step in steps}


def _told(attempt: Attempt, made: _Made) -> tuple[str, dict[Position, str]]:
    remarks = {cell: _of_mistake(attempt, cell, made.id) for cell in attempt.wrong}
    return f"These numbers are what comes out {_condition(attempt, made.id)}.", remarks


def _of_one(attempt: Attempt, cell: Position, found: list[_Made]) -> str:
    """Return what explains one number, the likelier first; "" if nothing does.

    A mistake that fits one number, and would change those that are right, is chance.
    """
    fitting = sorted(
        (m for m in found if cell in m.cells and (m.agrees or len(m.cells) > 1)),
        key=lambda made: made.order[1:],
    )
    likely = [made for made in fitting if made.likely]
    tries: tuple[Callable[[], str], ...] = (
        *(partial(slip, attempt, cell) for slip in SLIPS),
        partial(_first, attempt, cell, likely),
        partial(term_left_out, attempt, cell),
        partial(lost_fraction, attempt, cell),
        partial(another_cell, attempt, cell),
        partial(_first, attempt, cell, fitting),
    )
    return next((remark for tried in tries if (remark := tried())), "")


def _first(attempt: Attempt, cell: Position, made: list[_Made]) -> str:
    return _of_mistake(attempt, cell, made[0].id) if made else ""


def _of_mistake(attempt: Attempt, cell: Position, id: str) -> str:
    typed = attempt.typed(cell)
    return f"{typed} is what comes out {_condition(attempt, id)}."


def _condition(attempt: Attempt, id: str) -> str:
    """Return a mistake as the end of a sentence."""
    if id == "scale-missing" and attempt.document.spec.scale is not None:
        return "without the scale"
    if id in _WITHOUT:
        return _WITHOUT[id]
    title = mistake_title(id)
    first = title.split(" ", 1)[0]
    # RoPE, ALiBi and the names of matrices keep their letters.
    if first[1:].islower() or len(first) == 1:
        title = title[0].lower() + title[1:]
    return f"if {title}"
