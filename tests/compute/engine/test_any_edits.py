"""Whatever is edited, in whatever order: the steps are those of a fresh run."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from attnviewer.compute import IncrementalEngine, Spec, run
from attnviewer.compute import steps as steps_module
from attnviewer.compute.engine import engine as engine_module

from .examples import (
    ALL,
    EXAMPLES,
    assert_as_fresh,
    distance,
    example,
    numbers,
    set_cells,
)

PLACES = st.integers(0, 10**4)
_SETTINGS = settings(max_examples=3, stateful_step_count=16)
SEEDS = st.integers(0, 2**16)
CELLS = st.one_of(
    st.floats(-2, 2),
    # Scores of ±50: all the weight on one key, and off it again.
    st.sampled_from([-8.0, 8.0]),
    st.sampled_from([0.0, 1e-30, -1e-200]),
)


class Session(RuleBasedStateMachine):
    """Edits of one document, looks at it in between, and undo."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @initialize(seed=SEEDS)
    def open(self, seed: int) -> None:
        self.spec, self.inputs = example(self.name, seed)
        self.engine = IncrementalEngine(self.spec, self.inputs)
        self.done: list = []

    @rule(matrix=PLACES, row=PLACES, column=PLACES, value=CELLS)
    def edit_a_cell(self, matrix: int, row: int, column: int, value: float) -> None:
        name, table = self._table(matrix)
        row, column = row % table.shape[-2], column % table.shape[-1]
        if name == "mask":
            value = value > 0
        elif self.spec.normalizer == "sum":
            value = abs(value) + 0.01
        self._edit(name, (slice(row, row + 1), slice(column, column + 1)), value)

    @rule(matrix=PLACES, place=st.tuples(PLACES, PLACES), seed=SEEDS)
    def edit_a_block(self, matrix: int, place: tuple[int, int], seed: int) -> None:
        name, table = self._table(matrix)
        row, column = place[0] % table.shape[-2], place[1] % table.shape[-1]
        self._edit_at_random(
            name, (slice(row, row + 2), slice(column, column + 3)), seed
        )

    @rule(matrix=PLACES, row=PLACES, seed=SEEDS)
    def edit_a_row(self, matrix: int, row: int, seed: int) -> None:
        name, table = self._table(matrix)
        row = row % table.shape[-2]
        self._edit_at_random(name, (slice(row, row + 1), ALL), seed)

    @rule(matrix=PLACES, column=PLACES, seed=SEEDS)
    def edit_a_column(self, matrix: int, column: int, seed: int) -> None:
        name, table = self._table(matrix)
        column = column % table.shape[-1]
        self._edit_at_random(name, (ALL, slice(column, column + 1)), seed)

    @rule(matrix=PLACES, seed=SEEDS)
    def edit_all(self, matrix: int, seed: int) -> None:
        self._edit_at_random(self._table(matrix)[0], (ALL, ALL), seed)

    @rule(seed=SEEDS)
    def look_then_edit_several_matrices(self, seed: int) -> None:
        self.engine.trace()
        random = np.random.default_rng(seed)
        for matrix in random.integers(0, 20, 3):
            name, table = self._table(matrix)
            row, column = random.integers(0, table.shape[-2:])
            region = slice(row, row + 1), slice(column, column + 1)
            self._edit_at_random(name, region, seed + matrix)

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        name, region, before = self.done.pop()
        set_cells(self.engine, self.inputs[name], name, region, before)

    @rule()
    def update(self) -> None:
        self.engine.update()

    @rule(step=PLACES, head=PLACES, part=st.tuples(PLACES, PLACES))
    def look_at_a_window(self, step: int, head: int, part: tuple[int, int]) -> None:
        names = [*self.engine.trace().stages]
        head = head % self.spec.n_heads
        rows, columns = (slice(first % 9, first % 9 + 3) for first in part)
        name = names[step % len(names)]
        seen = self.engine.window(name, rows, columns, head=head)
        whole = self.engine.trace().window(name, head=head)
        assert distance(seen, whole[rows, columns]) <= 1e-13

    @rule()
    def compare_with_a_fresh_run(self) -> None:
        assert_as_fresh(self.engine, self.inputs)

    @rule(matrix=PLACES, row=PLACES, column=PLACES, value=CELLS)
    def what_changes_lies_in_the_blocks_that_are_told(
        self, matrix: int, row: int, column: int, value: float
    ) -> None:
        before = {name: np.array(step) for name, step in self.engine.trace().items()}
        self.edit_a_cell(matrix, row, column, value)
        told = self.engine.update()
        after = self.engine.trace()
        for name, step in before.items():
            assert_changes_lie_in(told.get(name, ()), step, after[name], name)

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            assert_as_fresh(self.engine, self.inputs)

    def _table(self, matrix: int) -> tuple[str, np.ndarray]:
        name = self.spec.input_names[matrix % len(self.spec.input_names)]
        return name, np.atleast_2d(self.inputs[name])

    def _edit_at_random(self, name: str, region, seed: int) -> None:
        part = np.atleast_2d(self.inputs[name])[..., *region]
        random = np.random.default_rng(seed)
        self._edit(name, region, numbers(self.spec, name, part.shape, random))

    def _edit(self, name: str, region, values) -> None:
        before = np.atleast_2d(self.inputs[name])[..., *region].copy()
        self.done.append((name, region, before))
        set_cells(self.engine, self.inputs[name], name, region, values)


@pytest.mark.parametrize("kept", [0, 2**16])
@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
def test_weights_are_right_before_the_output_has_been_looked_at(
    monkeypatch, matrix, kept
) -> None:
    monkeypatch.setattr(engine_module, "_REMEMBERED", kept)
    monkeypatch.setattr(steps_module, "KEPT_WHOLE", kept)
    random = np.random.default_rng(4)
    names = ("X", "W_Q", "W_K", "W_V")
    inputs = {name: random.normal(size=(6, 6)) for name in names}
    spec = Spec(n_heads=2)
    engine = IncrementalEngine(spec, inputs)
    cell = slice(3, 4), slice(2, 3)
    set_cells(engine, inputs[matrix], matrix, cell, inputs[matrix][cell] + 0.1)
    fresh = run(spec, inputs)["weights"]
    for head in range(2):
        window = engine.window("weights", head=head)
        np.testing.assert_allclose(window, fresh[head], rtol=0, atol=1e-12)


def assert_changes_lie_in(blocks, before, after, step: str) -> None:
    """Check that no cell outside the blocks has changed."""
    before, after = np.atleast_2d(before), np.atleast_2d(after)
    if before.dtype == np.bool_:
        changed = before != after
    else:
        unit = np.abs(after[np.isfinite(after)]).max(initial=1.0)
        changed = ~np.isclose(after, before, rtol=0, atol=1e-13 * unit, equal_nan=True)
    for block in blocks:
        rows, columns = (
            np.isin(np.arange(size), np.arange(size) if places is None else places)
            for size, places in zip(
                after.shape[-2:], (block.rows, block.columns), strict=True
            )
        )
        covered = np.broadcast_to(np.outer(rows, columns), after.shape).copy()
        if block.heads is not None and after.ndim > 2:
            heads = np.isin(np.arange(after.shape[-3]), block.heads)
            covered &= heads[:, np.newaxis, np.newaxis]
        changed = changed & ~covered
    assert not changed.any(), f"{step} has changed where no block says so"


@pytest.mark.parametrize("name", EXAMPLES)
def test_steps_are_those_of_a_fresh_run_after_any_edits(name) -> None:
    run_state_machine_as_test(lambda: Session(name), settings=_SETTINGS)
