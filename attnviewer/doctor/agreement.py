"""Whether two arrays are the same up to rounding."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan, Step
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.precision import FLOAT64, Precision

SAMPLES = 4
"""Evaluations with random rounding errors that the error bounds are estimated from."""

MANY = 1_000_000
"""Size of a step above which a single evaluation suffices."""

SAFETY = 8.0
"""The error bounds, in standard deviations of the rounding errors."""


def worst(theirs: Numbers, right: Numbers, bound: Numbers) -> float:
    """Return the largest difference in units of what rounding explains.

    Parameters
    ----------
    theirs, right : ndarray
        The arrays; not comparable, and therefore ∞ apart, unless of one shape.
    bound : ndarray
        The largest difference for each number that rounding explains.

    Returns
    -------
    float
        At most 1 where they agree. Infinite numbers and NaN have to be the same.
    """
    if theirs.shape != right.shape:
        return np.inf
    if not theirs.size:
        return 0.0
    with np.errstate(all="ignore"):
        ratio = np.abs(theirs - right) / bound
    same = (theirs == right) | (np.isnan(theirs) & np.isnan(right))
    apart = np.isfinite(theirs) != np.isfinite(right)
    ratio = np.where(same, 0.0, np.where(apart | np.isnan(ratio), np.inf, ratio))
    return float(ratio.max())


def noise(
    plan: Plan,
    inputs: Mapping[str, Numbers],
    precision: Precision,
    names: tuple[str, ...],
    held: Mapping[str, Numbers] | None = None,
) -> dict[str, Numbers]:
    """Return how far rounding in every step may move each number of some steps.

    The plan is evaluated with random relative errors on all inputs, on the result of
    every step, and on what a step reads as much as adding it up would cause. An
    analytical bound of the whole chain grows with the lengths of its sums and would
    hide real mistakes; see Higham and Mary 2019 for why rounding errors behave like
    random ones.

    Parameters
    ----------
    plan : Plan
        The computation.
    inputs : mapping of str to ndarray
        Its inputs.
    precision : Precision
        In which the steps are computed.
    names : tuple of str
        The steps.
    held : mapping of str to ndarray, optional
        Steps that are given, as numbers with this error.
    """
    generator = np.random.default_rng(0)

    def rough(array: Numbers, size: float = precision.roundoff) -> Numbers:
        if array.dtype.kind != "f":
            return array
        with np.errstate(all="ignore"):
            return array * (1 + generator.uniform(-size, size, array.shape))

    given = held or {}

    def roughly(step: Step) -> Step:
        stored = [
            precision.roundoff * (name in inputs or name in given)
            for name in step.inputs
        ]

        def compute(*arrays: Numbers) -> Numbers:
            length = arrays[0].shape[-1]
            size = precision.on_products + precision.on_sums * length**0.5
            read = (rough(a, size + s) for a, s in zip(arrays, stored, strict=True))
            return rough(step.compute(*read))

        return Step(step.name, step.inputs, compute)

    exact = Evaluation(plan, inputs, given)
    rounded = plan.with_steps(*map(roughly, plan.steps.values()))
    squares = {name: np.zeros(exact[name].shape) for name in names}
    samples = SAMPLES if exact.size < MANY else 1
    for _ in range(samples):
        sample = Evaluation(rounded, inputs, given)
        for name in names:
            with np.errstate(all="ignore"):
                off = np.nan_to_num(sample[name] - exact[name], posinf=0, neginf=0)
            squares[name] += off**2
    return {name: _smoothed(total / samples) for name, total in squares.items()}


def _smoothed(variance: Numbers) -> Numbers:
    """Return the deviations, with a lower bound from those of the same row.

    Of few samples, some are all small by chance.
    """
    row = variance.mean(axis=-1, keepdims=True) if variance.ndim else variance
    matrix = row.mean(axis=-2, keepdims=True) if variance.ndim > 1 else row
    return np.sqrt(variance + row / 4 + matrix / SAFETY**2)


def bound(right: Numbers, precision: Precision, deviation: Numbers) -> Numbers:
    """Return the largest differences that rounding explains.

    Parameters
    ----------
    right : ndarray
        The exact numbers.
    precision : Precision
        That of the numbers which are compared.
    deviation : ndarray
        What `noise` returned.
    """
    finite = np.where(np.isfinite(right), np.abs(right), 0.0)
    last = 1.01 * precision.roundoff * finite + precision.smallest
    tiny = 64 * FLOAT64.roundoff * (finite.max() if finite.size else 0.0)
    return last + SAFETY * deviation + tiny
