"""Bounds on how far rounding moves the numbers of a computation."""

from weakref import WeakKeyDictionary
from zlib import crc32

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Step
from attnviewer.doctor.agreement import SAFETY
from attnviewer.doctor.precision import Precision

SAMPLES = 4
"""Evaluations with random rounding errors from which the error bounds follow."""

MANY = 1_000_000
"""Numbers of which one evaluation tells enough."""

DRAWN = 65_521
"""Errors that are drawn for an array; a larger array repeats them.

A prime, so that no two rows and no two columns of an array get the same errors.
"""


class Roundings:
    """Computations repeated with random relative errors.

    Errors are on all inputs, on the result of every step, and on what a step reads as
    much as adding it up would cause. An analytical bound of the whole chain grows with
    the lengths of its sums and would hide real mistakes; see Higham and Mary 2019 for
    why rounding errors behave like random ones.

    What two computations have in common is repeated once for both.

    Parameters
    ----------
    precision : Precision
        In which the steps are computed.
    """

    def __init__(self, precision: Precision) -> None:
        self._precision = precision
        self._repeated = WeakKeyDictionary[Evaluation, dict[int, Evaluation]]()

    def deviations(
        self, numbers: Evaluation, names: tuple[str, ...], samples: int = SAMPLES
    ) -> dict[str, Numbers]:
        """Return how far rounding may move each number of some steps.

        Parameters
        ----------
        numbers : Evaluation
            The computation; steps that it holds are numbers with an error, too.
        names : tuple of str
            The steps.
        samples : int
            How often it is repeated; once where there are many numbers.

        Raises
        ------
        UnfitError
            If a step cannot be computed.
        """
        squares = {name: np.zeros(numbers[name].shape) for name in names}
        many = numbers.size >= MANY
        count = 1 if many else samples
        for sample in range(count):
            # Repetitions of many numbers are not worth their memory.
            repeat = self._repeat if many else self._kept
            repeated = repeat(numbers, sample)
            for name in names:
                with np.errstate(all="ignore"):
                    off = repeated[name] - numbers[name]
                    np.nan_to_num(off, copy=False, posinf=0, neginf=0)
                    squares[name] += np.square(off, out=off)
        return {name: _deviation(total, count) for name, total in squares.items()}

    def _kept(self, numbers: Evaluation, sample: int) -> Evaluation:
        kept = self._repeated.setdefault(numbers, {})
        if sample not in kept:
            kept[sample] = self._repeat(numbers, sample)
        return kept[sample]

    def _repeat(self, numbers: Evaluation, sample: int) -> Evaluation:
        like = numbers.like
        known = None if like is None or like.size >= MANY else self._kept(like, sample)
        if known is not None and set(known.held) != set(numbers.held):
            known = None  # what is read with an error is not the same
        steps = (
            known.plan[name]
            if known is not None and like is not None and step is like.plan[name]
            else self._rough(step, numbers, sample)
            for name, step in numbers.plan.steps.items()
        )
        plan = numbers.plan.with_steps(*steps)
        return Evaluation(plan, numbers.inputs, numbers.held, like=known)

    def _rough(self, step: Step, numbers: Evaluation, sample: int) -> Step:
        precision = self._precision
        stored = [
            precision.roundoff * (name in numbers.held or name not in numbers.plan)
            for name in step.inputs
        ]

        def compute(*arrays: Numbers) -> Numbers:
            generator = np.random.default_rng((sample, crc32(step.name.encode())))

            def rough(array: Numbers, size: float) -> Numbers:
                if array.dtype.kind != "f":
                    return array
                drawn = generator.uniform(-size, size, min(array.size, DRAWN))
                drawn += 1
                factors = np.resize(drawn, array.shape)
                with np.errstate(all="ignore"):
                    return np.multiply(array, factors, out=factors)

            length = arrays[0].shape[-1]
            size = precision.on_products + precision.on_sums * length**0.5
            read = (rough(a, size + s) for a, s in zip(arrays, stored, strict=True))
            return rough(step.compute(*read), precision.roundoff)

        return Step(step.name, step.inputs, compute)


def _deviation(squares: Numbers, count: int) -> Numbers:
    """Return the deviation of each number, none far below what is usual in its row.

    With few samples, some are all small by chance. The sum of squares is overwritten:
    to allocate a large array takes as long as to compute it.
    """
    squares /= count
    row = squares.mean(axis=-1, keepdims=True) if squares.ndim else squares
    matrix = row.mean(axis=-2, keepdims=True) if squares.ndim > 1 else row
    squares += row / 4 + matrix / SAFETY**2
    return np.sqrt(squares, out=squares)
