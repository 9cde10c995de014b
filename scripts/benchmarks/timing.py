"""Variants of one task, checked against each other and timed in turn."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from comparison import Goal, Row, Settings

from attnviewer.compute import Array

Steps: TypeAlias = Mapping[str, Array]
"""Weights and output, or the one of them that a variant gives."""

PAUSE = 0.05
"""Seconds before each timing. BLAS and OpenMP keep their threads spinning for some
milliseconds after a product, at the cost of whatever comes next."""
BUDGET = 30.0
"""Seconds that the rounds of one comparison may take, beyond the fewest."""
FEWEST, MOST = 5, 40
"""Rounds that are worth a median, and that are enough."""
QUICK_ROUNDS = 2

TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}
"""How far variants may lie apart before one of them must be wrong."""


@dataclass(kw_only=True)
class Variant:
    """One way to do the task.

    Parameters
    ----------
    name : str
        Its name in the table.
    call : callable
        What is timed.
    before : callable, optional
        What is done before each call, not timed.
    counter : callable, optional
        The number of scores computed so far.
    goal : Goal, optional
        What its ratios should keep.
    difference : float, optional
        How far its numbers lie from those they are checked with.
    seconds : callable, optional
        How long the last call took, where that is not until it has returned.
    """

    name: str
    call: Callable[[], Any]
    before: Callable[[], object] = lambda: None
    counter: Callable[[], int] | None = None
    goal: Goal | None = None
    difference: float | None = None
    seconds: Callable[[], float] | None = None


def largest_difference(numbers: Steps, others: Steps) -> float:
    """Return how far the steps that both have lie apart.

    Raises
    ------
    ValueError
        If they lie further apart than rounding explains.
    """
    names = numbers.keys() & others.keys()
    largest = max(_apart(numbers[name], others[name]) for name in names)
    dtype = max(numbers[name].dtype for name in names)
    if not largest <= TOLERANCE[dtype]:
        raise ValueError(f"The variants lie {largest:.1e} apart in {dtype}.")
    return largest


def _apart(array: Array, other: Array) -> float:
    # Row by row of the first axis: a whole difference may not fit into memory.
    pairs = zip(array, other, strict=True)
    return max(float(np.abs(one - two).max()) for one, two in pairs)


def timed(
    variants: Sequence[Variant],
    settings: Settings,
    *,
    beside: str,
    faster: bool = False,
) -> list[Row]:
    """Time each variant once per round, in an order that is drawn anew each round.

    Parameters
    ----------
    variants : sequence of Variant
        The variants.
    settings : Settings
        How many rounds.
    beside : str
        The variant that all are compared with.
    faster : bool
        Give ratios as how many times faster, not as a share of the time.

    Returns
    -------
    list of Row
        One per variant.
    """
    times: dict[str, list[float]] = {variant.name: [] for variant in variants}
    touched: dict[str, list[int]] = {variant.name: [] for variant in variants}
    rng = np.random.default_rng(0)
    pause = 0.0 if settings.quick else PAUSE

    def one_round() -> None:
        for place in rng.permutation(len(variants)):
            variant = variants[place]
            variant.before()
            count = variant.counter() if variant.counter else 0
            time.sleep(pause)
            start = time.perf_counter()
            kept = variant.call()
            seconds = time.perf_counter() - start
            times[variant.name].append(
                variant.seconds() if variant.seconds else seconds
            )
            del kept
            if variant.counter:
                touched[variant.name].append(variant.counter() - count)

    gc.collect()
    gc.disable()
    rounds = settings.rounds or QUICK_ROUNDS
    if not settings.quick:
        # One round that does not count, for what is loaded once.
        start = time.perf_counter()
        one_round()
        rounds = settings.rounds or _rounds(time.perf_counter() - start)
        for name in times:
            times[name].clear()
            touched[name].clear()
    for _ in range(rounds):
        one_round()
    gc.enable()
    return [
        _row(v, times[v.name], times[beside], touched[v.name], faster) for v in variants
    ]


def _rounds(seconds: float) -> int:
    return min(max(int(BUDGET / seconds), FEWEST), MOST)


def _row(
    variant: Variant,
    times: list[float],
    beside: list[float],
    touched: list[int],
    faster: bool,
) -> Row:
    def ratio(of: Callable[[list[float]], Any]) -> float:
        share = float(of(times)) / float(of(beside))
        return 1 / share if faster else share

    ratios = ratio(np.median), ratio(min)
    goal = variant.goal
    return Row(
        name=variant.name,
        **summary(times),
        ratio_of_medians=ratios[0],
        ratio_of_minima=ratios[1],
        touched=round(float(np.mean(touched))) if touched else None,
        difference=variant.difference,
        goal="" if goal is None else str(goal),
        verdict="" if goal is None else goal.verdict(*ratios),
    )


def summary(seconds: Sequence[float]) -> dict[str, Any]:
    """Return the parts of a `Row` that times fill, in milliseconds."""
    times = [1e3 * t for t in seconds]
    return {
        "median_ms": float(np.median(times)),
        "min_ms": min(times),
        "times_ms": times,
    }


class ProcessorTimed:
    """A call, and the processor time that all of its calls took."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self.processor_seconds = 0.0

    def __call__(self) -> Any:
        before = time.process_time()
        found = self._call()
        self.processor_seconds += time.process_time() - before
        return found
