"""The colour scale of a step: what a look's policy makes of its numbers."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute import StepHead, Trace, Windowed, finite_limits
from attnviewer.ui.colors import ColorScale, scale_for
from attnviewer.ui.heads import present_head
from attnviewer.ui.look.look import Limits, Look
from attnviewer.ui.look.looks import ACROSS
from attnviewer.ui.theme import Theme

AT_ONCE = 2**20
"""Numbers that are read at a time."""


def step_scale(
    trace: Trace, step: str, head: int, theme: Theme, look: Look
) -> ColorScale:
    """Return the colours of a step, one rule for all views.

    Parameters
    ----------
    trace : Trace
        The numbers.
    step : str
        The step.
    head : int
        Which head of the queries; it matters where each has limits of its own.
    theme : Theme
        The theme in force.
    look : Look
        How the step is coloured.
    """
    signed = trace.stages[step].signed
    return scale_for(
        _limits(trace, step, head, look) if _looks_at_numbers(look, signed) else None,
        signed=signed,
        theme=theme,
        look=look,
    )


def _looks_at_numbers(look: Look, signed: bool) -> bool:
    if look.kept is not None or look.policy in ("unit", "typed"):
        return False
    return signed or look.policy != "automatic"


def _limits(trace: Trace, step: str, head: int, look: Look) -> Limits | None:
    shares = look.across_steps and step in ACROSS
    steps = [s for s in ACROSS if s in trace] if shares else [step]
    return _union([_limits_of_one(trace, s, head, look) for s in steps])


def _limits_of_one(trace: Trace, step: str, head: int, look: Look) -> Limits | None:
    if look.policy != "percentile":
        if not look.per_head:
            return trace.limits(step)
        return extremes(StepHead(trace, step, present_head(trace, head)))
    heads = [present_head(trace, head)] if look.per_head else range(_heads(trace))
    matrices = [StepHead(trace, step, h) for h in heads]
    return percentiles(matrices, look.percentile)


def _heads(trace: Trace) -> int:
    return trace.n_heads("weights")


def extremes(matrix: Windowed) -> Limits | None:
    """Return the smallest and largest finite number, read some rows at a time."""
    rows, columns = matrix.shape
    step = max(1, AT_ONCE // columns)
    starts = range(0, rows, step)
    return _union([finite_limits(matrix.window(slice(i, i + step))) for i in starts])


def percentiles(matrices: Sequence[Windowed], percent: float) -> Limits | None:
    """Return between which numbers all but so many percent on each side lie.

    Exactly, of the finite numbers that no mask hides, up to `AT_ONCE` of them.
    Larger matrices keep their extremes, as a sample would miss a lone cell.
    """
    if sum(m.shape[0] * m.shape[1] for m in matrices) > AT_ONCE:
        return _union([extremes(matrix) for matrix in matrices])
    parts = []
    for matrix in matrices:
        values, hidden = matrix.window(), matrix.hidden()  # (rows, columns)
        counted = np.isfinite(values)
        if hidden is not None:
            counted &= ~hidden
        parts.append(values[counted].astype(np.float64))
    numbers = np.concatenate(parts)
    if not numbers.size:
        return None
    # In halves, as the distance between two numbers may leave the range.
    low, high = np.percentile(numbers / 2, [percent, 100 - percent]) * 2
    return float(low), float(high)


def _union(parts: list[Limits | None]) -> Limits | None:
    found = [part for part in parts if part is not None]
    if not found:
        return None
    lows, highs = zip(*found, strict=True)
    return min(lows), max(highs)
