"""What one edited cell costs, beside our own full pass over the same inputs."""

from functools import partial

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from random_inputs import Inputs, Region, change_a_cell, random_inputs
from timing import Variant, largest_difference, timed

from attnviewer.compute import IncrementalEngine, Spec, run

TIMES_FASTER = {
    "X": Goal(50, at_least=True),
    "W_V": Goal(20, at_least=True),
    "W_Q": Goal(4, at_least=True),
    "W_K": Goal(4, at_least=True),
}
"""The goals: how many times faster than the full pass, of long inputs."""
LONG = 4096

EDITS = (("X", False), ("X", True), ("W_V", True), ("W_Q", False), ("W_K", False))
"""The matrix that is edited, and whether the output is read."""
FULL = "full pass"


def comparisons(settings: Settings) -> list[Comparison]:
    (n_one,), (n_many,) = settings.lengths((4096,), 96), settings.lengths((2048,), 96)
    many = Spec(n_heads=12, output_projection=True)
    return [
        Comparison(
            f"one cell, {n_one:,} tokens of 512, one head of 64, float32",
            partial(after_an_edit, Spec(), n_one, 512, 64),
        ),
        Comparison(
            f"one cell, {n_many:,} tokens of 768, 12 heads of 64 and W_O, float32",
            partial(after_an_edit, many, n_many, 768, 768),
        ),
    ]


def after_an_edit(
    spec: Spec, n: int, d_model: int, width: int, settings: Settings
) -> Result:
    """Measure an engine's updates, each after a random cell is drawn anew."""
    inputs = random_inputs(spec, n, d_model, width)
    engine = IncrementalEngine(spec, inputs, dtype=np.float32)
    rng = np.random.default_rng(0)
    variants = [Variant(name=FULL, call=lambda: run(spec, inputs))]
    for matrix, is_read in EDITS:
        edit = Edit(engine, inputs, matrix, is_read, rng)
        edit.prepare()
        edit()
        variants.append(
            Variant(
                name=f"{matrix}{' and output' if is_read else ''}",
                call=edit,
                before=edit.prepare,
                counter=lambda: engine.touched,
                goal=TIMES_FASTER[matrix] if n >= LONG else None,
                difference=difference(engine, spec, inputs),
            )
        )
    rows = timed(variants, settings, beside=FULL, faster=True)
    notes = [
        "Ratios are how many times faster than the full pass, projections included.",
        f"The full pass computes {spec.n_heads * n * n:,} scores.",
    ]
    return Result(rows, notes)


class Edit:
    """An edit of one cell, and the look that follows it."""

    def __init__(
        self,
        engine: IncrementalEngine,
        inputs: Inputs,
        matrix: str,
        is_read: bool,
        rng: np.random.Generator,
    ) -> None:
        self._engine = engine
        self._inputs = inputs
        self._matrix = matrix
        self._is_read = is_read
        self._rng = rng
        self._region: Region

    def prepare(self) -> None:
        """Draw the cell, with everything up to date before."""
        self._engine.window("output")
        self._region = change_a_cell(self._rng, self._inputs, self._matrix)

    def __call__(self) -> None:
        self._engine.edit(self._matrix, self._region)
        self._engine.update()
        if self._is_read:
            self._engine.window("output")


def difference(engine: IncrementalEngine, spec: Spec, inputs: Inputs) -> float:
    """Return how far an engine lies from a pass over the inputs as they are."""
    now, fresh = engine.trace(), run(spec, inputs)
    steps = ("weights", "output")
    return largest_difference({s: now[s] for s in steps}, {s: fresh[s] for s in steps})
