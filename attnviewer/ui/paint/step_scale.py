"""The colour scale of a step, from its numbers and its look."""

import math
from dataclasses import replace

import numpy as np

from attnviewer.compute import Array, StepHead, finite_limits
from attnviewer.compute.engine.overviews import LARGE
from attnviewer.compute.statistics import Limits
from attnviewer.ui.paint.color_scale import ColorScale, make_scale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.looks.look import AUTOMATIC, Look
from attnviewer.ui.state.looks.looks import ACROSS

AROUND_ZERO = Look(policy="symmetric")
"""For numbers whose sign matters even where none is negative."""


def step_scale(
    computed: Computed, step: str, head: int, theme: Theme, look: Look
) -> ColorScale:
    """Return the colour scale of a step, the same in all views.

    Parameters
    ----------
    computed : Computed
        The numbers.
    step : str
        The step.
    head : int
        The query head; it matters if each head has its own limits.
    theme : Theme
        The current theme.
    look : Look
        The step's colours.
    """
    signed = computed.trace.stages[step].signed
    if step == "mask":
        # Yes and no, as in the table of the mask: blue where a key is seen.
        signed = False
        look = replace(look, colors=look.colors or theme.quiet, log=bool(look.log))
    look = with_scaling(look, computed.trace.shape(step), signed=signed)
    asked = _looks_at_numbers(look, signed)
    return scale_for(
        _limits(computed, step, head, look) if asked else None,
        signed=signed,
        theme=theme,
        look=look,
    )


def with_scaling(look: Look, shape: tuple[int, ...], *, signed: bool) -> Look:
    """Return a look that says whether the scale is logarithmic.

    Where the user has not chosen, it is for large steps that cannot be negative: among
    so many keys, most weights are too small to be told from 0 on a linear scale.

    Parameters
    ----------
    look : Look
        The look of the step.
    shape : tuple of int
        The shape of the step.
    signed : bool
        Whether the step's numbers may be negative.
    """
    if look.log is not None:
        return look
    return replace(look, log=not signed and is_large(shape))


def scale_for(
    limits: Limits | None,
    *,
    signed: bool,
    theme: Theme,
    look: Look = AUTOMATIC,
) -> ColorScale:
    """Choose the scale of a whole step, so that its heads share it.

    Steps that cannot be negative (weights) run from 0 to 1 on viridis. Others run from
    0 to their maximum on a quiet map if no number is negative, so that the weights
    alone are colourful, and are symmetric around zero on a diverging map otherwise. A
    look can override this; limits of both signs that are not symmetric have viridis
    unless the look names a map. It is linear unless the look says otherwise.

    Parameters
    ----------
    limits : tuple of two float or None
        Smallest and largest finite number of the whole step, not of a sample.
    signed : bool
        Whether the step's numbers may be negative.
    theme : Theme
        Names the quiet and the diverging map.
    look : Look, optional
        What the user chose.
    """
    low, high = policy_limits(limits, signed=signed, look=look)
    automatic = _automatic_map(low, high, signed=signed, theme=theme)
    return make_scale(look.colors or automatic, low, high, log=bool(look.log))


def _automatic_map(low: float, high: float, *, signed: bool, theme: Theme) -> str:
    if not signed:
        return "viridis"
    if low >= 0:
        return theme.quiet
    return theme.signed if -low == high else "viridis"


def policy_limits(limits: Limits | None, *, signed: bool, look: Look) -> Limits:
    """Return the limits that a look asks for.

    Parameters
    ----------
    limits : tuple of two float or None
        Smallest and largest finite number; for the percentile policy, the percentiles.
    signed : bool
        Whether the step's numbers may be negative.
    look : Look
        What the user chose.
    """
    if look.kept is not None:
        return look.kept
    if look.policy == "typed":
        return look.typed
    if look.policy == "unit" or (look.policy == "automatic" and not signed):
        return 0.0, 1.0
    low, high = limits or (0.0, 0.0)
    if look.policy == "automatic" and low >= 0:
        return 0.0, high
    if look.policy in ("automatic", "symmetric"):
        reach = max(high, -low) or 1.0
        return -reach, reach
    return low, high


def _looks_at_numbers(look: Look, signed: bool) -> bool:
    if look.kept is not None or look.policy in ("unit", "typed"):
        return False
    return signed or look.policy != "automatic"


def _limits(computed: Computed, step: str, head: int, look: Look) -> Limits | None:
    shares = look.across_steps and step in ACROSS
    steps = [s for s in ACROSS if s in computed.trace] if shares else [step]
    return _union([_limits_of_one(computed, s, head, look) for s in steps])


def _limits_of_one(
    computed: Computed, step: str, head: int, look: Look
) -> Limits | None:
    trace = computed.trace
    if not look.per_head and look.policy != "percentile":
        return trace.limits(step)
    present = present_head(trace, head)
    heads = [present] if look.per_head else range(trace.n_query_heads)
    if look.policy == "percentile":
        numbers = [_numbers(computed, step, h) for h in heads]
        return percentiles(np.concatenate(numbers), look.percentile)
    if is_large(trace.shape(step)):
        return computed.thumbnail(step, present).limits()
    return finite_limits(trace.window(step, head=present))


def is_large(shape: tuple[int, ...]) -> bool:
    """Return whether a matrix is shown in blocks, as reading all of it takes long."""
    return math.prod(shape[-2:]) > LARGE


def _numbers(computed: Computed, step: str, head: int) -> Array:
    """Return the finite unmasked numbers; for large matrices, extremes of blocks."""
    if is_large(computed.trace.shape(step)):
        pooled = computed.overview(step, head).pooled((1, 1))
        values, hidden = pooled.values, pooled.hidden  # (rows, columns)
    else:
        matrix = StepHead(computed.trace, step, head)
        values, hidden = matrix.window(), matrix.hidden()  # (rows, columns)
    counted = np.isfinite(values)
    if hidden is not None:
        counted &= ~hidden
    return values[counted].astype(np.float64)


def percentiles(numbers: Array, percent: float) -> Limits | None:
    """Return the lower and upper percentiles, `percent` from each end."""
    if not numbers.size:
        return None
    # Halved, as the distance between two numbers may overflow.
    low, high = np.percentile(numbers / 2, [percent, 100 - percent]) * 2
    return float(low), float(high)


def _union(parts: list[Limits | None]) -> Limits | None:
    found = [part for part in parts if part is not None]
    if not found:
        return None
    lows, highs = zip(*found, strict=True)
    return min(lows), max(highs)
