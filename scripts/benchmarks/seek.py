"""The least change that gives a weight, beside SciPy's SLSQP on our gradients."""

from collections.abc import Callable
from functools import partial

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from random_inputs import random_inputs
from timing import Variant, timed

import attnviewer
from attnviewer import Target
from attnviewer.compute import Array, Spec, run
from attnviewer.document import Document

TOKENS, QUICK_TOKENS = 16, 4
D_MODEL, QUICK_D_MODEL = 64, 4
HEADS = 4
WANTED = 0.8
TARGET = Target("weights", 3, 2, "=", WANTED, head=1)
OURS, THEIRS = "attnviewer.seek", "SciPy's SLSQP, one start"
MILLISECONDS = Goal(1000)
"""The goal: a search ends within a second."""
NORM = Goal(1.05)
"""The goal: beside the norm that SLSQP finds."""
MOST = 1024
"""The most free numbers with which SLSQP, of cubic cost, ends before long."""


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    d_model = QUICK_D_MODEL if settings.quick else D_MODEL
    shown = f"{n} tokens of {d_model}, {HEADS} heads"
    return [
        Comparison(f"one weight, {shown}, X free", partial(sought, n, d_model, ["X"])),
        Comparison(
            f"one weight, {shown}, X and all weights free",
            partial(sought, n, d_model, ["X", "W_Q", "W_K", "W_V"]),
        ),
    ]


def sought(n: int, d_model: int, free: list[str], settings: Settings) -> Result:
    """Measure the search, and SLSQP where it ends before long."""
    spec = Spec(n_heads=HEADS)
    inputs = random_inputs(spec, n, d_model, d_model, np.float64)
    document = Document("random", map(str, range(n)), inputs, spec)

    def ours() -> attnviewer.goal_seek.Proposal:
        return attnviewer.seek(document, TARGET, free)

    proposal = ours()
    notes = [f"The change's norm is {proposal.norm:.6f}."]
    variants = [Variant(name=OURS, call=ours, difference=_missed(proposal.residuals))]
    size = sum(inputs[name].size for name in free)
    if size <= MOST:
        theirs = slsqp(spec, inputs, free)
        change, missed = theirs()
        norm = float(np.linalg.norm(change))
        variants.append(Variant(name=THEIRS, call=theirs, difference=missed))
        share = proposal.norm / norm
        notes.append(
            f"SLSQP's is {norm:.6f}: ours is {share:.4f} of it ({NORM}, "
            f"{NORM.verdict(share)})."
        )
    else:
        notes.append(
            f"Left out: SLSQP, whose {size:,} × {size:,} numbers take minutes."
        )
    rows = timed(variants, settings, beside=OURS)
    if not settings.quick:
        rows[0].goal = f"{MILLISECONDS} ms"
        rows[0].verdict = MILLISECONDS.verdict(*rows[0].times_ms)
    return Result(rows, notes)


def slsqp(
    spec: Spec, inputs: dict[str, Array], free: list[str]
) -> Callable[[], tuple[Array, float]]:
    """Return what finds the least change by SLSQP, and by how much it misses."""
    from scipy.optimize import minimize

    ends = np.cumsum([inputs[name].size for name in free])[:-1]
    index = (1, TARGET.row, TARGET.column)

    def changed(change: Array) -> dict[str, Array]:
        parts = zip(free, np.split(change, ends), strict=True)
        new = {name: inputs[name] + p.reshape(inputs[name].shape) for name, p in parts}
        return {**inputs, **new}

    def missed(change: Array) -> float:
        return float(run(spec, changed(change))["weights"][index]) - WANTED

    def slopes(change: Array) -> Array:
        gradients = run(spec, changed(change)).gradient("weights", index)
        return np.concatenate([gradients[name].ravel() for name in free])

    def search() -> tuple[Array, float]:
        found = minimize(
            lambda change: (0.5 * float(change @ change), change),
            np.zeros(sum(inputs[name].size for name in free)),
            jac=True,
            method="SLSQP",
            constraints={"type": "eq", "fun": missed, "jac": slopes},
            options={"maxiter": 200, "ftol": 1e-10},
        )
        return found.x, abs(missed(found.x))

    return search


def _missed(residuals: Array) -> float:
    return float(np.abs(residuals).max())
