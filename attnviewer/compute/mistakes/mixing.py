"""Mistakes in the weighted sum of values."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan


def _instead_of_values(name: str) -> Callable[[Plan], Iterator[Variation]]:
    """Return what mixes the keys or the queries, rotated or as they were projected."""

    def vary(plan: Plan) -> Iterator[Variation]:
        rows = plan.keys if name == "keys" else plan.queries
        step = plan[plan.mixed]
        for source in _made_of(plan, rows):
            if source not in (plan.values, "S"):
                inputs = "weights", source
                yield Variation(plan.computing(step.name, step.compute, inputs))

    return vary


def _made_of(plan: Plan, name: str) -> Iterator[str]:
    """Yield a step and those it is made of, back to the projection."""
    yield name
    while name in plan.stages and name not in ("Q", "K", "X + P"):
        name = plan.stages[name].inputs[0]
        yield name


def _weights_turned(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = plan.lengths
    if n_q == n_k:
        yield Variation(plan.reading(plan.mixed, lambda w: w.swapaxes(-1, -2)))


def _averaged(plan: Plan) -> Iterator[Variation]:
    n_keys = plan.lengths[1]
    if n_keys > 1:
        yield Variation(plan.then(plan.mixed, lambda rows: rows / n_keys))


def _unweighted(plan: Plan) -> Iterator[Variation]:
    def equal(weights: Numbers) -> Numbers:
        return np.full_like(weights, 1 / weights.shape[-1])

    if plan.lengths[1] > 1:
        yield Variation(plan.reading(plan.mixed, equal))
    n_q, n_k = plan.lengths
    if n_q == n_k > 1:

        def own(weights: Numbers) -> Numbers:
            return np.broadcast_to(np.eye(n_k), weights.shape)

        yield Variation(plan.reading(plan.mixed, own))


def _multiplied(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plans in which a step is multiplied by a number, as somebody's is."""
    plan = right.plan
    for name in _FACTORED:
        if name not in plan or name not in mine:
            continue
        theirs, exact = mine[name], right[name]
        if theirs.shape != exact.shape or not exact.any():
            continue
        seen = np.isfinite(theirs) & np.isfinite(exact)
        with np.errstate(all="ignore"):
            largest = np.abs(exact[seen]).max(initial=0.0)
            relative = exact[seen] / largest  # so that no square overflows
            share = (theirs[seen] * relative).sum() / (relative**2).sum()
            factor = _exactly(float(share / largest))
        if np.isfinite(factor) and factor and abs(factor - 1) > FROM_ONE:
            yield Variation(plan.then(name, partial(np.multiply, factor)), factor, name)


def _exactly(factor: float) -> float:
    """Return a factor as the root of a whole number or 1 over it, if it is nearly."""
    for power in (2.0, -2.0):
        # The squares of other numbers may overflow.
        square = abs(factor) ** power if 1e-3 <= abs(factor) <= 1e3 else 0.0
        if 1 <= square < 1e6 and abs(square - round(square)) < 1e-3 * square**0.5:
            return float(np.copysign(round(square) ** (1 / power), factor))
    return float(f"{factor:.9g}")


FROM_ONE = 1e-3
"""How far from 1 a factor is at least, for others are rounding."""

_FACTORED = "Q", "K", "V", "weights", "heads", "output"
"""The steps that may be multiplied by a constant; the scores have mistakes of that."""

MISTAKES = (
    Mistake(
        "mixes-keys",
        "The weights multiply the keys instead of the values",
        _instead_of_values("keys"),
        "The sum is over the rows of K, and not over those of V.",
        Remedy("weights @ k", "weights @ v"),
        Remedy("weights @ k", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "mixes-queries",
        "The weights multiply the queries instead of the values",
        _instead_of_values("queries"),
        "The sum is over the rows of Q, and not over those of V.",
        Remedy("weights @ q", "weights @ v"),
        Remedy("weights @ q", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "weights-transposed",
        "The weights are transposed before they multiply the values",
        _weights_turned,
        "Columns of the weights are used where rows should be.",
        Remedy("weights.mT @ v", "weights @ v"),
        Remedy("weights.T @ v", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "weights-unused",
        "The weights are not used",
        _unweighted,
        "Each query gets the mean of all values, or the value of its own token, "
        "whatever the weights are.",
        Remedy("v.mean(-2, keepdim=True).expand_as(q)", "weights @ v"),
        Remedy("np.ones_like(weights) / n @ v", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "output-divided",
        "The sums of values are divided by the number of keys",
        _averaged,
        "The weights already add up to 1. A mean over the keys in place of their sum "
        "makes the output n times smaller.",
        Remedy("(weights.unsqueeze(-1) * v).mean(-2)", "weights @ v"),
        Remedy("(weights[..., None] * v).mean(-2)", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "multiplied",
        "{detail} is multiplied by a number",
        lambda plan: iter(()),
        "All numbers of {detail} are {parameter:.6g} times the right ones.",
        Remedy("x * factor", "x"),
        Remedy("x * factor", "x"),
        "Vaswani et al. 2017, equation 1",
        recognize=_multiplied,
    ),
)
