"""The numbers that a cell takes on while it is scrubbed."""

import sys
from decimal import Decimal

FINE = 10
"""Fine steps per step."""

_SMALLEST_EXPONENT = -300


def scrubbed(start: float, fine_steps: int) -> float:
    """Return the number a given number of fine steps above another one.

    A step is a tenth of the leading decimal place of the start: 0.1 from 2 or 0,
    0.001 from 0.05, 10 from 150. The result is rounded to the decimals of the step, so
    that no digits of the start or of binary fractions trail; zero steps return the
    start exactly.

    Parameters
    ----------
    start : float
        Where the gesture began, finite.
    fine_steps : int
        Tenths of steps, up or down.

    Returns
    -------
    float
        Finite: clipped to the range of double precision.
    """
    if fine_steps == 0:
        return start
    exponent = max(Decimal(repr(start)).adjusted(), _SMALLEST_EXPONENT) if start else 0
    step = Decimal(1).scaleb(exponent - 1)
    fine = step / FINE
    finest = fine if fine_steps % FINE else step
    steps = ((Decimal(repr(start)) + fine_steps * fine) / finest).to_integral_value()
    largest = sys.float_info.max
    # Adding 0.0 turns a −0.0 from rounding into 0.0.
    return max(-largest, min(float(steps * finest), largest)) + 0.0
