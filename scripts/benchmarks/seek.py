"""The least change that meets targets, beside SciPy's SLSQP on our gradients."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from random_inputs import random_inputs
from timing import Variant, timed

import attnviewer
from attnviewer import RowTarget, Target
from attnviewer.compute import Array, Spec, run
from attnviewer.document import Document

TOKENS, QUICK_TOKENS = 16, 4
D_MODEL, QUICK_D_MODEL = 64, 4
HEADS = 4
WANTED = 0.5
TARGET = Target("weights", 3, 2, "=", WANTED, head=1)
SEVERAL = (
    Target("weights", 1, 0, ">=", WANTED, head=0),
    RowTarget("entropy", 2, "=", 1.0, head=2),
    Target("output", 3, 0, "=", 1.0),
)
EVEN = RowTarget("entropy", 3, "=", 1.5, head=1)
CLOSE = 1e-6
"""By how much SLSQP may miss the target."""
OURS, THEIRS = "attnviewer.seek", "SciPy's SLSQP, one start"
MILLISECONDS = Goal(1000)
"""The goal: a search ends within a second."""
NORM = Goal(1.05)
"""The goal: beside the norm that SLSQP finds."""
MOST = 512
"""The most free numbers with which SLSQP, of cubic cost, ends before long."""


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    d_model = QUICK_D_MODEL if settings.quick else D_MODEL
    shown = f"{n} tokens of {d_model}, {HEADS} heads"
    return [
        Comparison(
            f"one weight, {shown}, {what} free",
            partial(sought, n, d_model, tokens, weights),
        )
        for what, tokens, weights in (
            ("4 tokens", 4, []),
            ("X and all weights", n, ["W_Q", "W_K", "W_V"]),
        )
    ] + [
        Comparison(f"{what}, {shown}", partial(met, n, d_model, targets, free))
        for what, targets, free in (
            ("three targets", SEVERAL, ["X", "W_Q", "W_V"]),
            ("a row asked for twice", _redundant(n), ["X", "W_Q"]),
            ("an entropy, temperature free", [EVEN], ["temperature"]),
        )
    ]


def sought(
    n: int, d_model: int, tokens: int, weights: list[str], settings: Settings
) -> Result:
    """Measure the search, and SLSQP where it ends before long."""
    free = {"X": tokens, **dict.fromkeys(weights, d_model)}
    spec = Spec(n_heads=HEADS)
    inputs = random_inputs(spec, n, d_model, d_model, np.float64)
    document = Document("random", map(str, range(n)), inputs, spec)

    def ours() -> attnviewer.goal_seek.Proposal:
        rows = [(name, slice(0, count)) for name, count in free.items()]
        return attnviewer.seek(document, TARGET, rows)

    proposal = ours()
    notes = [f"The change's norm is {proposal.norm:.6f}."]
    variants = [Variant(name=OURS, call=ours, difference=_missed(proposal.residuals))]
    size = d_model * sum(free.values())
    if size <= MOST:
        theirs = slsqp(spec, inputs, free)
        change, missed = theirs()
        norm = float(np.linalg.norm(change))
        variants.append(Variant(name=THEIRS, call=theirs, difference=missed))
        share = proposal.norm / norm
        met = f"ours is {share:.4f} of it ({NORM}, {NORM.verdict(share)})"
        failed = "it does not meet the target"
        notes.append(f"SLSQP's is {norm:.6f}: {met if missed < CLOSE else failed}.")
    else:
        notes.append(
            f"Left out: SLSQP, whose {size:,} × {size:,} numbers take minutes."
        )
    rows = timed(variants, settings, beside=OURS)
    if not settings.quick:
        rows[0].goal = f"{MILLISECONDS} ms"
        rows[0].verdict = MILLISECONDS.verdict(float(np.median(rows[0].times_ms)))
    return Result(rows, notes)


def met(
    n: int,
    d_model: int,
    targets: Sequence[Target | RowTarget],
    free: Sequence[str],
    settings: Settings,
) -> Result:
    """Measure a search for which SLSQP is no measure."""
    spec = Spec(n_heads=HEADS)
    inputs = random_inputs(spec, n, d_model, d_model, np.float64)
    document = Document("random", map(str, range(n)), inputs, spec)
    ours = partial(attnviewer.seek, document, targets, free)
    proposal = ours()
    reached = "All targets are met." if proposal.reached else proposal.reason
    notes = [f"{reached} The change's norm is {proposal.norm:.6f}."]
    variant = Variant(name=OURS, call=ours, difference=_missed(proposal.residuals))
    rows = timed([variant], settings, beside=OURS)
    if not settings.quick:
        rows[0].goal = f"{MILLISECONDS} ms"
        rows[0].verdict = MILLISECONDS.verdict(float(np.median(rows[0].times_ms)))
    return Result(rows, notes)


def _redundant(n: int) -> list[Target | RowTarget]:
    """Return every weight of a row, though one follows, and what follows from them."""
    weights = np.arange(1, n + 1) / (n * (n + 1) / 2)  # (n,)
    bits = -float((weights * np.log2(weights)).sum())
    row: list[Target | RowTarget] = [
        Target("weights", 3, key, "=", weight, head=1)
        for key, weight in enumerate(weights.tolist())
    ]
    return [*row, RowTarget("entropy", 3, "=", bits, head=1)]


def slsqp(
    spec: Spec, inputs: dict[str, Array], free: dict[str, int]
) -> Callable[[], tuple[Array, float]]:
    """Return what finds the least change by SLSQP, and by how much it misses.

    Free are the first rows of inputs, as many as `free` says.
    """
    from scipy.optimize import minimize

    sizes = [inputs[name][:count].size for name, count in free.items()]
    ends = np.cumsum(sizes)[:-1]
    index = (1, TARGET.row, TARGET.column)

    def changed(change: Array) -> dict[str, Array]:
        new = {name: array.copy() for name, array in inputs.items()}
        for name, part in zip(free, np.split(change, ends), strict=True):
            new[name].flat[: part.size] += part
        return new

    def missed(change: Array) -> float:
        return float(run(spec, changed(change))["weights"][index]) - WANTED

    def slopes(change: Array) -> Array:
        gradients = run(spec, changed(change)).gradient("weights", index)
        return np.concatenate(
            [gradients[name][:count].ravel() for name, count in free.items()]
        )

    def search() -> tuple[Array, float]:
        found = minimize(
            lambda change: (0.5 * float(change @ change), change),
            np.zeros(sum(sizes)),
            jac=True,
            method="SLSQP",
            constraints={"type": "eq", "fun": missed, "jac": slopes},
            options={"maxiter": 200, "ftol": 1e-10},
        )
        return found.x, abs(missed(found.x))

    return search


def _missed(residuals: Array) -> float:
    return float(np.abs(residuals).max())
