"""What leaving cells out costs, against dense NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import attention
from attnviewer.compute import InMemory
from attnviewer.patterns import (
    BlockSparse,
    Full,
    HeadWeights,
    RowsInSight,
    Streaming,
    TopK,
    VerticalSlash,
    cache_bytes,
    kept_costs,
)
from tests.compute.patterns.planted import causal_softmax

_BLOCKS = np.random.default_rng(0).random((18, 23)) < 0.3


def _cells(kept, weights, offset: int):
    """Return the cells that are kept, by their definitions."""
    rows, keys = np.indices(weights.shape)
    away = rows + offset - keys
    if isinstance(kept, Streaming):
        return (keys < kept.sinks) | (abs(away) < kept.window)
    if isinstance(kept, VerticalSlash):
        return np.isin(keys, kept.keys) | np.isin(away, kept.offsets)
    if isinstance(kept, BlockSparse):
        return kept.blocks[rows // kept.block, keys // kept.block]
    if isinstance(kept, TopK):
        order = np.argsort(-abs(weights), axis=1, kind="stable")
        return np.argsort(order, axis=1) < kept.k
    return np.ones(weights.shape, bool)


@pytest.mark.parametrize(
    "kept",
    [
        Streaming(3, 90),
        Streaming(0, 0),
        VerticalSlash([5, 1030, 700], [0, 2, 300, -4]),
        VerticalSlash([], [17]),
        BlockSparse(64, _BLOCKS),
        TopK(5),
        TopK(2000),
        Full(),
    ],
)
@pytest.mark.parametrize("renormalize", [True, False])
def test_costs_are_those_of_dense_numpy(kept, renormalize: bool) -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 2, (1100, 1420)).round(1)  # with equal ones
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    values = rng.normal(size=(1420, 3))
    offset = 40
    found = kept_costs(
        weights, kept, values, query_offset=offset, renormalize=renormalize
    )
    cells = _cells(kept, weights, offset)
    part = np.where(cells, weights, 0)
    share = part.sum(1)
    np.testing.assert_allclose(found.kept_by_row, share, rtol=1e-12, atol=1e-14)
    assert (found.cells, found.visible_cells) == (cells.sum(), weights.size)
    if renormalize:
        part = part / np.where(share > 0, share, 1)[:, np.newaxis]
    change = (weights - part) @ values
    assert found.largest_error == pytest.approx(abs(change).max(), abs=1e-14)
    expected = np.linalg.norm(change) / np.linalg.norm(weights @ values)
    assert found.relative_error == pytest.approx(expected, abs=1e-14)
    assert (found.mean, found.lowest) == pytest.approx((share.mean(), share.min()))


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 40), seed=st.integers(0, 99))
def test_keeping_everything_loses_nothing(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = causal_softmax(rng.normal(size=(n, n)))
    found = kept_costs(weights, Full(), rng.normal(size=(n, 2)))
    assert found.kept_by_row == pytest.approx(1, abs=1e-14)
    assert found.relative_error == found.largest_error == 0


def test_rows_in_sight_have_the_numbers_of_all_rows(monkeypatch) -> None:
    monkeypatch.setattr("attnviewer.compute.passes.MOST_KEPT", 0)
    rng = np.random.default_rng(2)
    q, k, v = (rng.normal(size=(2, 2100, 8)) for _ in range(3))
    head = HeadWeights(attention(q, k, v, causal=True), head=1)
    kept = Streaming(4, 256)
    whole = kept_costs(head, kept, head.values)
    few = kept_costs(head, kept, head.values, rows=slice(1500, 1564))
    np.testing.assert_allclose(few.kept_by_row, whole.kept_by_row[1500:1564])
    np.testing.assert_allclose(few.difference, whole.difference[1500:1564], rtol=1e-9)
    assert few.cells == 64 * 260
    assert few.visible_cells == sum(range(1501, 1565))
    top = kept_costs(head, TopK(260), head.values, rows=slice(1500, 1564))
    assert (top.kept_by_row >= few.kept_by_row - 1e-12).all()


def test_rows_that_are_held_give_the_costs_of_rows_that_are_read(monkeypatch) -> None:
    monkeypatch.setattr("attnviewer.compute.passes.MOST_KEPT", 0)
    rng = np.random.default_rng(3)
    q, k, v = (rng.normal(size=(2, 2100, 8)) for _ in range(3))
    head = HeadWeights(attention(q, k, v, causal=True), head=1)
    rows = slice(1501, 1567)
    held = RowsInSight(head, head.values, rows)
    blocks = rng.random((33, 33)) < 0.2
    sets = (
        *(Streaming(4, 70), VerticalSlash([0, 1400, 1560], [0, 9, 1300])),
        *(BlockSparse(64, blocks), TopK(30), Full(), Streaming(0, 0)),
    )
    for kept in sets:
        for renormalize in (True, False):
            found = held.costs(kept, renormalize=renormalize)
            expected = kept_costs(
                head, kept, head.values, rows=rows, renormalize=renormalize
            )
            np.testing.assert_allclose(found.kept_by_row, expected.kept_by_row)
            np.testing.assert_allclose(
                found.difference, expected.difference, atol=1e-12
            )
            np.testing.assert_allclose(found.norm, expected.norm)
            counts = (found.cells, found.visible_cells)
            assert counts == (expected.cells, expected.visible_cells)
    monkeypatch.setattr("attnviewer.compute.patterns.in_sight.MOST_HELD", 2**10)
    with pytest.raises(ValueError, match=r"Got 66 rows of 1,108,800 bytes instead"):
        RowsInSight(head, head.values, rows)


def test_hidden_cells_are_not_counted_and_blind_rows_lose_nothing() -> None:
    weights = causal_softmax(np.zeros((6, 6)))
    weights[2] = 0
    hidden = np.triu(np.ones((6, 6), bool), 1)
    found = kept_costs(InMemory(weights, hidden), Streaming(0, 2), np.eye(6))
    assert (found.cells, found.visible_cells) == (11, 21)
    assert found.kept_by_row == pytest.approx([1, 1, 1, 2 / 4, 2 / 5, 2 / 6])


def test_rows_that_are_not_finite_are_marked() -> None:
    weights = np.full((5, 4), 0.25)
    weights[3, 1] = np.nan
    found = kept_costs(weights, Streaming(1, 0), np.eye(4))
    assert found.n_marked == 1
    assert found.mean == found.lowest == 0.25
    assert found.cells == 4
    assert np.isfinite(found.relative_error)


def test_a_marked_row_does_not_change_the_signs_of_the_others() -> None:
    weights = np.tile([[0.5, -1.5], [np.nan, 1.0]], (8, 1))  # some rows in one tile
    found = kept_costs(weights, Streaming(1, 0), np.eye(2), renormalize=False)
    # 0.5 of 0.5 + 1.5 is kept, and the rest is all of the second number.
    assert found.kept_by_row == pytest.approx([1 / 4, np.nan] * 8, nan_ok=True)
    assert found.difference == pytest.approx([1.5, np.nan] * 8, nan_ok=True)


def test_a_cache_holds_keys_and_values_of_each_head() -> None:
    # Llama 3 8B at 131,072 tokens in bfloat16: 16 GiB; a streaming kernel needs 1,024.
    assert cache_bytes(131_072, 8, 128, n_layers=32) == 16 * 2**30
    kept = Streaming(4, 1020).cached_keys(131_072)
    assert cache_bytes(kept, 8, 128, n_layers=32) == 128 * 2**20
    assert cache_bytes(10, 1, 3, 5, bytes_per_number=4) == 10 * 8 * 4
    assert TopK(4).cached_keys(99) == VerticalSlash([1], []).cached_keys(99) == 99


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda w, v: kept_costs(w, "all", v), "The 'kept' parameter must be"),
        (lambda w, v: kept_costs(w, Full(), v[1:]), r"must have shape \(4, any\)"),
        (lambda w, v: kept_costs(w, Full(), v / 0), "The 'values' parameter must"),
        (lambda w, v: kept_costs(w, Full(), v, rows=slice(4, 4)), "The 'rows' param"),
        (
            lambda w, v: kept_costs(w, BlockSparse(2, np.eye(3) > 0), v),
            r"The 'blocks' parameter must have shape \(2, 2\)",
        ),
        (lambda w, v: Streaming(-1, 3), "The 'sinks' parameter must be an integer of"),
        (lambda w, v: TopK(0), "The 'k' parameter must be an integer of at least 1"),
        (lambda w, v: VerticalSlash([0.5], []), "The 'keys' parameter must hold int"),
        (lambda w, v: cache_bytes(-1, 1, 1), "The 'n_keys' parameter must be"),
    ],
)
def test_what_does_not_fit_is_refused(call, sentence: str) -> None:
    with (
        np.errstate(all="ignore"),
        pytest.raises((ValueError, TypeError), match=sentence),
    ):
        call(np.eye(4), np.eye(4))
