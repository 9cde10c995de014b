"""How far an engine strays from a fresh pass over thousands of random edits."""

import gc
import time
from functools import partial
from typing import Any

import numpy as np
from comparison import Comparison, Goal, Result, Row, Settings
from random_inputs import Inputs, change_a_cell, random_inputs
from timing import summary

from attnviewer.compute import Array, IncrementalEngine, Spec, Trace, run

SPEC = Spec(n_heads=2, output_projection=True)
D_MODEL = 32
EDITS, QUICK_EDITS = 10_000, 100
LOOKS = 20
"""How often all steps are compared with a fresh pass; the largest error counts."""
READ_EVERY = 3
"""The output is read after every third edit, so that some of its sums are behind."""
LARGEST_ERROR: dict["np.dtype[Any]", Goal] = {
    np.dtype(np.float64): Goal(1e-12),
    np.dtype(np.float32): Goal(1e-6),
}
"""The goals, for a weight."""


def comparisons(settings: Settings) -> list[Comparison]:
    return [
        Comparison(
            f"{count(settings):,} random edits, {n:,} tokens of {D_MODEL}, "
            f"{SPEC.n_heads} heads and W_O, {dtype}",
            partial(stray, n, dtype),
        )
        for n in settings.lengths((64, 256), 16)
        for dtype in LARGEST_ERROR
    ]


def count(settings: Settings) -> int:
    return QUICK_EDITS if settings.quick else EDITS


def stray(n: int, dtype: "np.dtype[Any]", settings: Settings) -> Result:
    """Edit random cells of random matrices; compare now and then."""
    inputs = random_inputs(SPEC, n, D_MODEL, D_MODEL, dtype)
    engine = IncrementalEngine(SPEC, inputs, dtype=dtype)
    rng = np.random.default_rng(0)
    edits = count(settings)
    times: list[float] = []
    errors: dict[str, float] = {}
    gc.collect()
    gc.disable()
    for number in range(1, edits + 1):
        matrix = str(rng.choice(list(inputs)))
        region = change_a_cell(rng, inputs, matrix)
        start = time.perf_counter()
        engine.edit(matrix, region)
        engine.update()
        times.append(time.perf_counter() - start)
        if number % READ_EVERY == 0:
            engine.window("output")
        if number % (edits // LOOKS) == 0:
            for name, error in errors_now(engine.trace(), inputs).items():
                errors[name] = float(np.maximum(errors.get(name, 0.0), error))
    gc.enable()
    rows = [Row(name="update after an edit", **summary(times))]
    for name, error in errors.items():
        row = Row(name=name, difference=error)
        if name.startswith("weights"):
            goal = LARGEST_ERROR[dtype]
            row.goal, row.verdict = str(goal), goal.verdict(error)
        rows.append(row)
    return Result(rows, [f"Differences are the largest of {LOOKS} looks at all steps."])


def errors_now(trace: Trace, inputs: Inputs) -> dict[str, float]:
    """Return how far the steps lie from a fresh pass, and from one in float64."""
    same, exact = run(SPEC, inputs), None
    if trace["weights"].dtype != np.float64:
        exact = run(SPEC, {name: a.astype(np.float64) for name, a in inputs.items()})
    errors = {}
    for step in ("weights", "output"):
        errors[f"{step}, from a fresh pass"] = _apart(trace[step], same[step])
        if exact is not None:
            errors[f"{step}, from one in float64"] = _apart(trace[step], exact[step])
            errors[f"(the fresh pass's own {step})"] = _apart(same[step], exact[step])
    return errors


def _apart(array: Array, other: Array) -> float:
    return float(np.abs(array - other).max())
