"""The numbers that a scrubbed cell goes through."""

import sys
from decimal import Decimal

FINE = 10
"""Fine steps in a step."""

_SMALLEST_PLACE = -300


def scrubbed(start: float, fine_steps: int) -> float:
    """Return a number so many fine steps above another one.

    A step is a tenth of the leading decimal place of the start: 0.1 from 2 or 0,
    0.001 from 0.05, 10 from 150. What it leads to is rounded to the decimals of the
    step, so that no digits of the start or of binary numbers trail behind; no steps
    lead back to the very start.

    Parameters
    ----------
    start : float
        Where the gesture began, finite.
    fine_steps : int
        Tenths of steps, up or down.

    Returns
    -------
    float
        Finite: the end of double precision is not passed.
    """
    if fine_steps == 0:
        return start
    place = max(Decimal(repr(start)).adjusted(), _SMALLEST_PLACE) if start else 0
    step = Decimal(1).scaleb(place - 1)
    fine = step / FINE
    finest = fine if fine_steps % FINE else step
    steps = ((Decimal(repr(start)) + fine_steps * fine) / finest).to_integral_value()
    largest = sys.float_info.max
    # Adding 0.0 turns the −0.0 that rounding may leave into 0.0.
    return max(-largest, min(float(steps * finest), largest)) + 0.0
