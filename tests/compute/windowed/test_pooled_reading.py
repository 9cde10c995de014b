import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import InMemory
from attnviewer.compute.windowed.pooled_reading import PooledReading


def read_all(reading, counts):
    while not reading.done:
        reading.read(next(counts))
    return reading.picture()


def counts_of(rng):
    while True:
        yield int(rng.integers(1, 90))


def expected(values, hidden, block, rows, columns, keep):
    """Return the picture cell by cell, in plain Python."""
    height, width = block
    tops = range(rows[0] // height, math.ceil(rows[1] / height))
    lefts = range(columns[0] // width, math.ceil(columns[1] / width))
    picture, away = [], []
    for top in tops:
        for left in lefts:
            here = (
                slice(top * height, (top + 1) * height),
                slice(left * width, (left + 1) * width),
            )
            seen = values[here][~hidden[here]].tolist()
            away.append(not seen)
            if not seen:
                picture.append(-math.inf)
            elif keep == "mean":
                picture.append(math.fsum(seen) / len(seen))
            else:
                picture.append(max(seen, key=abs))
    shape = len(tops), len(lefts)
    return np.reshape(picture, shape), np.reshape(away, shape)


@given(
    st.integers(0, 10**6),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    st.sampled_from(["extreme", "mean"]),
)
def test_it_is_the_largest_or_the_mean_of_each_block_however_it_is_read(
    seed, block, keep
):
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 200, 2))
    values = rng.standard_normal(shape)
    hidden = rng.random(shape) < rng.choice([0.0, 0.3, 0.95])
    spans = []
    for count in shape:
        first = int(rng.integers(count))
        spans.append((first, int(rng.integers(first, count)) + 1))
    reading = PooledReading(InMemory(values, hidden), block, *spans, keep)
    picture = read_all(reading, counts_of(rng))
    numbers, away = expected(values, hidden, block, *spans, keep)
    seen = np.where(away, -np.inf, picture.values)
    np.testing.assert_allclose(seen, numbers, rtol=1e-12, atol=1e-12)
    shown = np.zeros_like(away) if picture.hidden is None else picture.hidden
    assert np.array_equal(shown, away)
    assert picture.block == block
    for span, covered, size in zip(
        spans, (picture.rows, picture.columns), block, strict=True
    ):
        assert covered[0] <= span[0]
        assert span[1] <= covered[1]
        assert covered[0] % size == 0


def test_no_piece_is_larger_than_what_is_asked_for():
    values = np.arange(300.0 * 40).reshape(300, 40)
    asked = []

    class Counting(InMemory):
        def window(self, rows=slice(None), columns=slice(None)):
            asked.append(rows.stop - rows.start)
            return super().window(rows, columns)

    reading = PooledReading(Counting(values), (100, 4), (150, 260), (0, 40))
    picture = read_all(reading, iter(lambda: 7, None))
    assert max(asked) <= 7
    assert sum(asked) == 200  # whole blocks: rows 100 to 299
    assert picture.rows == (100, 300)
    assert picture.values[:, -1].tolist() == [199 * 40 + 39, 299 * 40 + 39]


def test_what_a_mask_hides_is_not_computed():
    hidden = np.tri(90, 90, -1, bool).T  # keys after the query
    asked = []

    class Counting(InMemory):
        def window(self, rows=slice(None), columns=slice(None)):
            asked.append((rows.start, rows.stop))
            return super().window(rows, columns)

    reading = PooledReading(
        Counting(np.ones((90, 90)), hidden), (2, 2), (0, 90), (40, 90)
    )
    picture = read_all(reading, iter(lambda: 10, None))
    assert min(start for start, _ in asked) == 40
    assert picture.hidden[:20].all()
    assert np.array_equal(
        picture.values[picture.hidden], [-np.inf] * picture.hidden.sum()
    )
