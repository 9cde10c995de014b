"""A large matrix as a small one: nothing that stands out is lost, by edits neither."""

import math
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnviewer.compute import Dirty, IncrementalEngine, InMemory, Overview, Spec, run
from attnviewer.compute.windowed import Quotients
from attnviewer.compute.windowed import overview as overview_module

_NUMBERS = st.one_of(
    st.floats(-9, 9, width=32),
    st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 1e308, -1e308]),
)
_SIDES = st.integers(1, 17)


@st.composite
def _matrices(draw) -> tuple[np.ndarray, np.ndarray | None]:
    shape = draw(_SIDES), draw(_SIDES)
    fill = st.floats(-1, 1)
    values = draw(arrays.arrays(np.float64, shape, elements=_NUMBERS, fill=fill))
    hidden = draw(st.none() | arrays.arrays(np.bool_, shape))
    return values, hidden


class _Block:
    """The plain way: all cells of a block, one after the other."""

    def __init__(self, values, hidden, rows, columns) -> None:
        self.cells = [
            float(values[i, j])
            for i in rows
            for j in columns
            if i < values.shape[0]
            and j < values.shape[1]
            and (hidden is None or not hidden[i, j])
        ]
        self.finite = [x for x in self.cells if math.isfinite(x)]

    @property
    def extreme(self) -> float:
        if any(map(math.isnan, self.cells)):
            return math.nan
        if math.inf in self.cells:
            return math.inf
        return max(self.finite, key=lambda x: (abs(x), x), default=-math.inf)

    @property
    def mean(self) -> float:
        odd = [x for x in self.cells if not math.isfinite(x)]
        if odd:
            return sum(odd)
        if not self.cells:
            return -math.inf
        return math.fsum(x / len(self.cells) for x in self.cells)


def _check(overview: Overview, values, hidden, data) -> None:
    finite = _Block(values, hidden, *map(range, values.shape)).finite
    assert overview.limits() == ((min(finite), max(finite)) if finite else None)
    asked = data.draw(st.tuples(_SIDES, _SIDES))
    starts = [data.draw(st.integers(0, n - 1)) for n in values.shape]
    window = [
        slice(start, data.draw(st.integers(start + 1, n)))
        for start, n in zip(starts, values.shape, strict=True)
    ]
    pictures = [
        overview.fitted(*asked),
        overview.fitted(*asked, keep="mean"),
        overview.pooled(asked, *window),
        overview.pooled(asked, *window, keep="mean"),
    ]
    for number, picture in enumerate(pictures):
        height, width = picture.block
        if number < 2:
            assert picture.rows[0] == picture.columns[0] == 0
            assert picture.values.shape <= asked
            assert picture.values.shape[1] <= asked[1]
            covered = [slice(0, n) for n in values.shape]
        else:
            covered = window
            assert height >= asked[0]
            assert width >= asked[1]
        for part, span in zip(covered, (picture.rows, picture.columns), strict=True):
            assert span[0] <= part.start < part.stop <= span[1]
        for i, row in enumerate(range(*picture.rows, height)):
            for j, column in enumerate(range(*picture.columns, width)):
                block = _Block(
                    values,
                    hidden,
                    range(row, row + height),
                    range(column, column + width),
                )
                gone = picture.hidden is not None and picture.hidden[i, j]
                assert gone == (not block.cells)
                if number % 2:
                    # What large numbers cancel is rounded in another order.
                    largest = max(map(abs, block.finite), default=0)
                    np.testing.assert_allclose(
                        picture.values[i, j],
                        block.mean,
                        rtol=0,
                        atol=1e-14 * largest + 1e-300,
                    )
                else:
                    np.testing.assert_array_equal(picture.values[i, j], block.extreme)


@settings(max_examples=60, deadline=None)
@given(_matrices(), st.integers(1, 9), st.data())
def test_pictures_hold_of_each_block_what_a_look_at_every_cell_finds(
    matrix, most, data
) -> None:
    overview = Overview(InMemory(*matrix), most)
    _check(overview, *matrix, data)


@settings(max_examples=60, deadline=None)
@given(_matrices(), st.integers(1, 9), st.data())
def test_after_edits_it_is_what_it_would_be_if_made_anew(matrix, most, data) -> None:
    values, hidden = matrix
    overview = Overview(InMemory(values, hidden), most)
    if data.draw(st.booleans()):
        overview.fitted(3, 3, keep="mean")  # which is kept from then on
    for _ in range(data.draw(st.integers(1, 3))):
        blocks = []
        for _ in range(data.draw(st.integers(0, 2))):
            places = [
                data.draw(st.none() | st.sets(st.integers(0, n - 1), max_size=4))
                for n in values.shape
            ]
            rows, columns = (
                None if some is None else np.array(sorted(some), np.intp)
                for some in places
            )
            blocks.append(Dirty(rows, columns))
            here = np.ix_(
                *(
                    range(n) if some is None else some
                    for some, n in zip((rows, columns), values.shape, strict=True)
                )
            )
            values[here] = data.draw(_NUMBERS)
            if hidden is not None:
                hidden[here] = data.draw(st.booleans())
        overview.refresh(InMemory(values, hidden), blocks)
        _check(overview, values, hidden, data)


class _Counted(InMemory):
    """Counts the numbers that are read."""

    def __init__(self, values, hidden=None) -> None:
        super().__init__(values, hidden)
        self.read = self.most = 0

    def window(self, rows=slice(None), columns=slice(None)):
        window = super().window(rows, columns)
        self.read += window.size
        self.most = max(self.most, window.size)
        return window


@pytest.mark.parametrize("hot", [1.0, -1.0])
def test_a_lone_hot_cell_among_sixteen_million_is_in_every_picture(hot) -> None:
    values = np.zeros((4096, 4096), np.float32)
    overview = Overview(InMemory(values))
    rng = np.random.default_rng(5)
    for row, column in rng.integers(0, 4096, (8, 2)):
        values[row, column] = hot
        here = Dirty(np.array([row]), np.array([column]))
        overview.refresh(InMemory(values), [here])
        for side in (1024, 700, 91, 1):
            picture = overview.fitted(side, side)
            assert (picture.values == hot).sum() == 1
            place = row // picture.block[0], column // picture.block[1]
            assert picture.values[place] == hot
        values[row, column] = 0
        overview.refresh(InMemory(values), [here])
        assert overview.limits() == (0, 0)


def test_it_is_made_and_kept_reading_little_at_a_time() -> None:
    matrix = _Counted(np.zeros((4096, 4096), np.float32))
    overview = Overview(matrix)
    assert overview.block == (4, 4)
    assert matrix.most <= 4096 * 4096 // 4
    matrix.read = 0
    row, column = np.array([77]), np.array([4095])
    overview.refresh(matrix, [Dirty(rows=row), Dirty(columns=column)])
    assert matrix.read == 2 * 4 * 4096
    matrix.read = 0
    overview.fitted(500, 500)
    overview.pooled((8, 8), slice(100, 3000), slice(0, 50))
    assert matrix.read == 0


def test_a_matrix_that_is_small_enough_is_kept_as_it_is() -> None:
    values = np.array([[1.0, -3.0], [np.nan, 2.0], [-np.inf, 0.0]])
    overview = Overview(InMemory(values))
    np.testing.assert_array_equal(overview.fitted(3, 2).values, values)
    assert overview.fitted(3, 2).hidden is None


@pytest.mark.parametrize("hidden", [False, True])
def test_means_of_single_precision_are_made_without_a_copy_in_double(hidden) -> None:
    values = np.random.default_rng(1).random((128, 2048), dtype=np.float32)
    hides = np.tri(128, 2048, dtype=bool) if hidden else None
    overview = Overview(InMemory(values, hides), 512)
    tracemalloc.start()
    means = overview.pooled((1, 4), keep="mean").values  # (128, 512)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept = np.ones_like(values) if hides is None else (~hides).astype(float)
    sums, counts = (
        (array * kept).reshape(128, 512, 4).sum(axis=-1)
        for array in (values.astype(float), kept)
    )
    seen = counts > 0
    np.testing.assert_allclose(means[seen], sums[seen] / counts[seen], rtol=1e-6)
    assert most < 16 * values.size  # bytes: two copies in double


def test_means_can_be_read_bit_by_bit_while_the_matrix_is_edited(monkeypatch) -> None:
    monkeypatch.setattr(overview_module, "AT_ONCE", 240)  # two rows of blocks
    values = np.random.default_rng(2).random((40, 30))
    overview = Overview(InMemory(values), 10)
    reading = overview.reading_means()
    next(reading)
    assert not overview.has_means
    values[[1, 37]] += 1.0
    overview.refresh(InMemory(values), [Dirty(rows=np.array([1, 37]))])
    assert sum(1 for _ in reading) == 4
    assert overview.has_means
    means = overview.pooled((4, 3), keep="mean").values  # (10, 10)
    np.testing.assert_allclose(means, values.reshape(10, 4, 10, 3).mean(axis=(1, 3)))


def test_a_look_at_the_means_ends_their_reading(monkeypatch) -> None:
    monkeypatch.setattr(overview_module, "AT_ONCE", 240)
    overview = Overview(InMemory(np.ones((40, 30))), 10)
    reading = overview.reading_means()
    next(reading)
    overview.pooled((4, 3), keep="mean")
    assert next(reading, "the end") == "the end"
    assert overview.has_means


def test_the_means_of_live_weights_can_be_read_bit_by_bit_as_well(monkeypatch) -> None:
    monkeypatch.setattr(overview_module, "AT_ONCE", 64 * 16)
    x = np.random.default_rng(3).normal(size=(64, 4))
    engine = IncrementalEngine(Spec(projected=False), {"X": x})
    reading = engine.overview("weights").reading_means()
    next(reading)
    x[5] = 0.5
    engine.edit("X", (slice(5, 6), slice(None)))
    overview = engine.overview("weights")
    assert sum(1 for _ in reading) > 1
    weights = run(Spec(projected=False), {"X": x})["weights"]
    np.testing.assert_allclose(
        overview.pooled((8, 8), keep="mean").values,
        weights.reshape(8, 8, 8, 8).mean(axis=(1, 3)),
        rtol=1e-9,
    )


def test_a_row_of_nan_leaves_the_means_of_blocks_alone_that_it_is_hidden_from() -> None:
    numerators = np.array([[math.nan, 0.0], [1.0, 1.0], [1.0, 3.0], [1.0, 1.0]])
    hidden = np.array([[False, True], *[[False, False]] * 3])
    divisors = np.array([math.nan, 2.0, 4.0, 2.0])
    overview = Quotients(InMemory(numerators, hidden), divisors, 2)
    means = overview.pooled((2, 1), keep="mean").values
    np.testing.assert_array_equal(means, [[math.nan, 0.5], [0.375, 0.625]])


def test_the_first_edit_does_not_wait_for_a_module_to_be_loaded() -> None:
    code = (
        "import sys, numpy as np;"
        "from attnviewer.compute import Dirty, InMemory, Overview;"
        "cells = np.zeros((12, 12)); overview = Overview(InMemory(cells));"
        "before = set(sys.modules);"
        "overview.refresh(InMemory(cells), [Dirty(rows=np.array([3]))]);"
        "sys.exit(set(sys.modules) != before)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(_matrices(), st.integers(1, 4), st.integers(1, 40))
def test_large_blocks_are_those_of_all_cells_though_read_in_parts(matrix, most, cells):
    values, hidden = matrix
    matrix = InMemory(values, hidden)
    whole = Overview(matrix, most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overview_module, "MOST_READ", cells)
        parts = Overview(matrix, most)
        means = parts.means()
    for name in ("lows", "highs", "flags"):
        found, want = (getattr(each.extremes, name) for each in (parts, whole))
        np.testing.assert_array_equal(found, want)
    np.testing.assert_allclose(means.shares, whole.means().shares)
    found, want = (each.values(whole.extremes.flags) for each in (means, whole.means()))
    np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-9)
