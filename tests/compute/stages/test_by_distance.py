"""Biases that depend on distances alone."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.arrays import Part
from attnviewer.compute.positions import RelativeBias
from attnviewer.compute.stages import AddBias

HEADS = 4
TABLE = np.random.default_rng(0).normal(size=(8, HEADS)).astype(np.float32)
ALIBI = {"alibi_heads": HEADS}
BUCKETS = {"relative": RelativeBias(8, 20)}


def _stage(scheme, offset=0, n_keys=10_000):
    stage = AddBias("scores", given=False, query_offset=offset, n_keys=n_keys, **scheme)
    return stage, (TABLE,) if stage.bucketed else ()


@pytest.mark.parametrize("scheme", [ALIBI, BUCKETS], ids=["alibi", "buckets"])
@given(
    rows=st.tuples(st.integers(0, 30), st.integers(1, 30)),
    columns=st.tuples(st.integers(0, 30), st.integers(1, 30)),
    offset=st.integers(-40, 40),
    n_keys=st.integers(0, 60),
    lead=st.sampled_from([(), (2,)]),
    by_key=st.booleans(),
)
def test_successive_rows_get_the_numbers_of_listed_ones(
    scheme, rows, columns, offset, n_keys, lead, by_key
):
    stage, table = _stage(scheme, offset, n_keys)
    rows, columns = (
        np.arange(first, first + count) for first, count in (rows, columns)
    )
    shape = (*(() if lead else (HEADS,)), len(rows), len(columns))
    listed, successive = np.zeros((2, *shape), np.float32)
    if by_key:  # each key's scores in one piece, as in tiles
        successive = np.asfortranarray(successive)
    stage.apply(listed, Part(lead, rows, columns), *table)
    spans = (slice(int(part[0]), int(part[-1]) + 1) for part in (rows, columns))
    stage.apply(successive, Part(lead, *spans), *table)
    np.testing.assert_array_equal(successive, listed)
    assert not listed[..., columns >= n_keys].any()


@pytest.mark.parametrize("scheme", [ALIBI, BUCKETS], ids=["alibi", "buckets"])
def test_a_window_of_many_keys_takes_no_array_of_its_size(scheme):
    stage, table = _stage(scheme)
    scores = np.zeros((400, 10_000), np.float32)
    tracemalloc.start()
    stage.apply(scores, Part((1,), slice(0, 400), slice(0, 10_000)), *table)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert scores.any()
    assert peak < scores.nbytes / 4
