"""What pins cost: an edit with ten of them, beside the same edit without."""

from functools import partial

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from random_inputs import Inputs, Region, change_a_cell, random_inputs
from timing import Variant, timed

from attnviewer.compute import IncrementalEngine, Pin, Spec

COUNT = 10
"""The number of pins."""
MOST = Goal(1.2)
"""How many times the edit without pins one with them may take."""
WITHOUT = "without pins"
SHOWN = ("scores", "weights")
"""The steps whose pictures are brought up to date."""


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((4096,), 96)
    return [
        Comparison(
            f"one cell of {matrix}, {n:,} tokens of 512, one head of 64, float32",
            partial(with_pins, matrix, n),
        )
        for matrix in ("X", "W_Q", "W_V")
    ]


def with_pins(matrix: str, n: int, settings: Settings) -> Result:
    """Measure edits of one cell, with the pictures of scores, weights and output."""
    inputs = random_inputs(Spec(), n, 512, 64)
    rng = np.random.default_rng(0)
    rows, columns = (rng.choice(n, COUNT, replace=False) for _ in range(2))
    cells = [(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]
    pinned: dict[str, tuple[Pin, ...]] = {
        WITHOUT: (),
        "scores": tuple(Pin("scores", r, c, 0.5) for r, c in cells),
        "weights": tuple(Pin("weights", r, c, 0.5, rest="share") for r, c in cells),
        "Q and output": tuple(
            Pin(("Q", "output")[k % 2], r, c % 64, 0.5)
            for k, (r, c) in enumerate(cells)
        ),
    }
    variants = []
    for name, pins in pinned.items():
        own = {n: array.copy() for n, array in inputs.items()}
        engine = IncrementalEngine(Spec(pins=pins), own, dtype=np.float32)
        edit = Edit(engine, own, matrix)
        edit.prepare()
        edit()
        goal = None if name == WITHOUT else MOST
        variants.append(Variant(name=name, call=edit, before=edit.prepare, goal=goal))
    rows_ = timed(variants, settings, beside=WITHOUT)
    return Result(
        rows_, [f"{COUNT} pins of single cells, of the steps that are named."]
    )


class Edit:
    """An edit of one cell, and the look that follows it."""

    def __init__(self, engine: IncrementalEngine, inputs: Inputs, matrix: str) -> None:
        self._engine, self._inputs, self._matrix = engine, inputs, matrix
        self._rng = np.random.default_rng(1)
        self._region: Region

    def prepare(self) -> None:
        """Draw the cell, with everything up to date before."""
        self._look()
        self._region = change_a_cell(self._rng, self._inputs, self._matrix)

    def __call__(self) -> None:
        self._engine.edit(self._matrix, self._region)
        self._look()

    def _look(self) -> None:
        for step in SHOWN:
            self._engine.overview(step)
        self._engine.window("output")
