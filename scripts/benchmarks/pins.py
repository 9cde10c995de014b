"""What pins cost: an edit with ten of them, beside the same edit without."""

from functools import partial

import numpy as np
import offscreen
from comparison import Comparison, Goal, Result, Settings
from edited_window import EditedWindow
from random_inputs import Inputs, Region, change_a_cell, random_inputs
from timing import Variant, timed

from attnviewer.compute import IncrementalEngine, Pin, Spec
from attnviewer.ui.window.garbage_collection import collecting_from_event_loop

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
            f"one cell of X until it is painted, {n:,} tokens of 64, "
            f"{offscreen.PLATFORM}",
            partial(painted_with_pins, n),
        ),
        *(
            Comparison(
                f"one cell of {matrix}, {n:,} tokens of 512, one head of 64, float32",
                partial(with_pins, matrix, n),
            )
            for matrix in ("X", "W_Q", "W_V")
        ),
    ]


def painted_with_pins(n: int, settings: Settings) -> Result:
    """Measure from the key that ends an edit until the picture of weights is painted.

    The window with pinned weights and the one without are typed into in turn.
    """
    inputs = random_inputs(Spec(), n, 64, 64, np.float64)
    pinned = {WITHOUT: Spec(), "weights": Spec(pins=_on_weights(_cells(n)))}
    windows, variants = [], []
    for name, spec in pinned.items():
        window = EditedWindow({n: a.copy() for n, a in inputs.items()}, spec)
        windows.append(window)
        variants.append(
            Variant(
                name=name,
                call=window.commit,
                before=partial(window.type_into, "X"),
                goal=None if name == WITHOUT else MOST,
                seconds=window.until_painted,
            )
        )
    with collecting_from_event_loop():
        rows = timed(variants, settings, beside=WITHOUT)
    for window in windows:
        window.close()
    return Result(rows, [f"{COUNT} pinned weights; the rest of each row shares."])


def with_pins(matrix: str, n: int, settings: Settings) -> Result:
    """Measure edits of one cell, with the pictures of scores, weights and output."""
    inputs = random_inputs(Spec(), n, 512, 64)
    cells = _cells(n)
    pinned: dict[str, tuple[Pin, ...]] = {
        WITHOUT: (),
        "scores": tuple(Pin("scores", r, c, 0.5) for r, c in cells),
        "weights": _on_weights(cells),
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


def _cells(n: int) -> list[tuple[int, int]]:
    """Return rows and columns of pins."""
    rng = np.random.default_rng(0)
    rows, columns = (rng.choice(n, COUNT, replace=False) for _ in range(2))
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]


def _on_weights(cells: list[tuple[int, int]]) -> tuple[Pin, ...]:
    return tuple(Pin("weights", r, c, 0.5, rest="share") for r, c in cells)


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
