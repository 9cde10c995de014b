"""The pattern of a head, against dense NumPy on small matrices and planted heads."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer import Pin, alibi_bias, attention
from attnviewer.compute import InMemory
from attnviewer.patterns import (
    DEFINITIONS,
    HeadWeights,
    SetSizes,
    find_patterns,
    survey_patterns,
)
from tests.compute.patterns.planted import (
    block_head,
    causal_softmax,
    retrieval_head,
    streaming_head,
    vertical_slash_head,
)

_SMALL = SetSizes(sinks=2, window=3, keys=2, offsets=2, block=2, blocks=1)
_WEIGHTS = st.tuples(st.integers(1, 70), st.integers(1, 70)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(0, 1))
)


def test_sixteen_tokens_are_divided_as_by_hand() -> None:
    # 16 keys, so that each set may be one sixteenth, a key, of them.
    weights = np.zeros((16, 16))
    weights[:, 0] = 0.5  # the sink
    weights[np.arange(1, 16), np.arange(1, 16)] = 0.25  # each token itself
    weights[2:, 1] += 0.125  # a vertical key
    weights[np.arange(5, 16), np.arange(5, 16) - 4] += 0.125  # a slash, 4 back
    found = find_patterns(weights)
    total = weights.sum()
    assert found.shares == pytest.approx(
        {
            "sinks": 16 * 0.5 / total,
            "local": 15 * 0.25 / total,
            "vertical": (14 * 0.125 + 0.125) / total,  # with where the slash crosses
            "slash": 10 * 0.125 / total,
            "repeated": 0,
            "blocks": 0,
            "rest": 0,
        }
    )
    assert found.alone["slash"] == pytest.approx((0.5 + 0.25 + 10 * 0.125) / total)
    assert list(found.sets["vertical"].keys) == [1]
    assert list(found.sets["slash"].offsets) == [4]


def test_marginals_are_the_sums_of_dense_numpy() -> None:
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (37, 1500), (700, 90), (1030, 1030)):
        weights = rng.random(shape)
        n_q, n_k = shape
        found = find_patterns(weights, query_offset=5).marginals
        np.testing.assert_allclose(found.received, weights.sum(0), rtol=1e-12)
        offsets = np.subtract.outer(np.arange(n_q) + 5, np.arange(n_k))
        first = offsets.min()
        by_offset = np.bincount((offsets - first).ravel(), weights.ravel())
        assert found.offsets[0] == first
        np.testing.assert_allclose(found.by_offset, by_offset, rtol=1e-12)
        shares = weights / weights.sum(1, keepdims=True)
        effective = np.exp(-(shares * np.log(shares)).sum(1))
        np.testing.assert_allclose(found.effective_keys, effective, rtol=1e-12)
        assert found.cells == n_q * n_k
        if n_k > 1:
            assert found.evenness == pytest.approx((effective / n_k).mean())
        starts, profile = found.by_distance()
        edges = [*starts, np.inf]
        distances = np.abs(offsets)
        for start, stop, share in zip(edges, edges[1:], profile, strict=False):
            within = (distances >= start) & (distances < stop)
            assert share == pytest.approx(weights[within].sum() / weights.sum())


@settings(max_examples=30, deadline=None)
@given(weights=_WEIGHTS, tokens=st.integers(1, 5), offset=st.integers(-3, 40))
def test_shares_add_up_to_one_and_fit_the_sets_alone(weights, tokens, offset) -> None:
    n_k = weights.shape[1]
    names = [k * k % 7 % tokens for k in range(n_k)]
    found = find_patterns(weights, query_offset=offset, tokens=names, sizes=_SMALL)
    if not weights.sum():
        assert found.name == "blind"
        assert set(found.shares.values()) == {0.0}
        return
    assert sum(found.shares.values()) == pytest.approx(1, abs=1e-12)
    assert found.shares["sinks"] == pytest.approx(found.alone["sinks"], abs=1e-12)
    for name, share in found.alone.items():
        assert found.shares[name] <= share + 1e-12
    # Repeated tokens, cell by cell.
    repeated = np.zeros(weights.shape, bool)
    for row, key in np.ndindex(weights.shape):
        if 0 < key <= row + offset < n_k:
            repeated[row, key] = names[key - 1] == names[row + offset]
    expected = weights[repeated].sum() / weights.sum()
    assert found.alone["repeated"] == pytest.approx(expected, abs=1e-12)
    # Each cell counts in the first set that holds it.
    rows, keys = np.indices(weights.shape)
    away, left = rows + offset - keys, weights.copy()
    sets, blocks = found.sets, found.sets["blocks"]
    held = {
        "sinks": keys < sets["sinks"].sinks,
        "local": np.abs(away) < sets["local"].window,
        "vertical": np.isin(keys, sets["vertical"].keys),
        "slash": np.isin(away, sets["slash"].offsets),
        "repeated": repeated,
        "blocks": blocks.blocks[rows // blocks.block, keys // blocks.block],
    }
    for name, cells in held.items():
        share = left[cells].sum() / weights.sum()
        assert found.shares[name] == pytest.approx(share, abs=1e-12)
        left[cells] = 0


def _kept_by(budget, weights, offset: int = 0):
    """Return the cells of a budget, cell by cell."""
    rows, keys = np.indices(weights.shape)
    kept, away = budget.kept, rows + offset - keys
    if budget.name == "streaming":
        return (keys < kept.sinks) | (np.abs(away) < kept.window)
    if budget.name == "vertical-slash":
        return np.isin(keys, kept.keys) | np.isin(away, kept.offsets)
    if budget.name == "block-sparse":
        return kept.blocks[rows // kept.block, keys // kept.block]
    return np.ones(weights.shape, bool)


@pytest.mark.parametrize("seed", range(10))
def test_each_pattern_can_keep_everything_whatever_the_rounding_of_sums(seed) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.random((41 + seed, 41 + seed))
    weights /= weights.sum(1, keepdims=True)
    found = find_patterns(weights, keep=1.0)
    assert set(found.budgets) == {"streaming", "vertical-slash", "block-sparse", "full"}
    assert all(b.share == pytest.approx(1) for b in found.budgets.values())


@pytest.mark.parametrize("offset", [0, 3])
def test_budgets_count_the_cells_they_keep_and_fewer_would_not_do(offset) -> None:
    rng = np.random.default_rng(1)
    weights = causal_softmax(rng.normal(0, 2.5, (96, 96)))
    visible = np.tril(np.ones(weights.shape, bool))
    found = find_patterns(InMemory(weights, ~visible), query_offset=offset, keep=0.8)
    assert set(found.budgets) == {"streaming", "vertical-slash", "block-sparse", "full"}
    for budget in found.budgets.values():
        cells = _kept_by(budget, weights, offset)
        assert budget.cells == (cells & visible).sum()
        assert budget.share == pytest.approx(weights[cells].sum() / weights.sum())
        assert budget.share >= 0.8 - 1e-9
        assert budget.cell_share == pytest.approx(budget.cells / visible.sum())
    rows, keys = np.indices(weights.shape)
    away = np.abs(rows + offset - keys)
    costs = [
        ((keys < sinks) | (away < window))
        for sinks in (0, 1, 2, 4, 8, 16, 32, 64)
        for window in range(100)
    ]
    enough = [c for c in costs if weights[c].sum() >= 0.8 * weights.sum()]
    fewest = min((c & visible).sum() for c in enough)
    assert found.budgets["streaming"].cells == fewest
    # Powers of two of the keys and offsets that receive the most.
    by_key = np.argsort(-weights.sum(0), kind="stable")
    ahead = rows + offset - keys
    offsets = np.unique(ahead)
    sums = np.array([weights[ahead == o].sum() for o in offsets])
    by_offset = offsets[np.argsort(-sums, kind="stable")]
    counts = 0, 1, 2, 4, 8, 16, 32, 64, 96
    every = [
        np.isin(keys, by_key[:k]) | np.isin(ahead, by_offset[:s])
        for k in counts
        for s in counts
    ]
    enough = [c for c in every if weights[c].sum() >= 0.8 * weights.sum()]
    fewest = min((c & visible).sum() for c in enough)
    assert found.budgets["vertical-slash"].cells == fewest
    side = found.budgets["block-sparse"].kept.block
    blocks = weights.reshape(96 // side, side, -1, side).sum((1, 3))
    ranks = np.argsort(np.argsort(-blocks, axis=1, kind="stable"), axis=1)
    for most in range(96 // side + 1):
        chosen = np.kron((ranks < most) & (blocks > 0), np.ones((side, side))) > 0
        if weights[chosen].sum() >= 0.8 * weights.sum():
            break
    assert found.budgets["block-sparse"].cells == (chosen & visible).sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("streaming", lambda rng: streaming_head(rng, 512, 4, 24)),
        ("streaming", lambda rng: streaming_head(rng, 512, 1, 0)),
        ("vertical-slash", lambda rng: vertical_slash_head(rng, 512, 6, 5)),
        ("block-sparse", lambda rng: block_head(rng, 512, 32, 2)),
        ("retrieval", lambda rng: retrieval_head(rng, 512)),
        ("uniform", lambda rng: causal_softmax(rng.normal(0, 0.1, (512, 512)))),
        ("dense", lambda rng: causal_softmax(rng.normal(0, 1.0, (512, 512)))),
    ],
)
def test_a_planted_head_gets_its_name(name: str, plant: Callable, seed: int) -> None:
    weights = plant(np.random.default_rng(seed))
    hidden = np.triu(np.ones(weights.shape, bool), 1)
    found = find_patterns(InMemory(weights, hidden))
    assert found.name == name
    assert found.name in DEFINITIONS


def test_a_slash_at_offset_seven_is_found_as_such() -> None:
    weights = np.eye(640, k=-7) + np.eye(640) * (np.arange(640) < 7)
    found = find_patterns(weights)
    assert found.name == "vertical-slash"
    assert list(found.cheapest.kept.offsets) == [7]
    assert found.cheapest.cells == 633
    assert found.shares["sinks"] + found.shares["local"] == 1  # less than 40 away


def test_one_needle_among_five_thousand_tokens_is_the_first_in_the_list() -> None:
    n = 5_000
    weights = np.tril(np.ones((n, n), np.float32))
    weights /= weights.sum(1, keepdims=True)
    weights[4_321, 1_234] = 0.5
    found = find_patterns(weights, n_needles=3)
    assert found.needles[0] == (4_321, 1_234, 0.5)
    # The first row with keys beyond the window that are no sinks: 68, whose key is 4.
    assert found.needles[1:] == [
        (68, 4, pytest.approx(1 / 69)),
        (69, 4, pytest.approx(1 / 70)),
    ]


def test_needles_below_zero_are_listed_by_size_with_their_sign() -> None:
    weights = np.eye(40)
    weights[39, 5], weights[30, 7] = -0.9, 0.3
    assert find_patterns(weights).needles == [(39, 5, -0.9), (30, 7, 0.3)]


def test_needles_are_the_largest_distant_cells_of_dense_numpy() -> None:
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 50, (300, 1100)) / 50  # with many equal ones
    found = find_patterns(weights, query_offset=200, n_needles=40)
    rows, keys = np.indices(weights.shape)
    far = (np.abs(rows + 200 - keys) >= 64) & (keys >= 4)
    order = np.lexsort((keys[far], rows[far], -weights[far]))[:40]
    expected = zip(rows[far][order], keys[far][order], weights[far][order], strict=True)
    assert [tuple(n) for n in found.needles] == list(expected)
    assert find_patterns(weights, n_needles=0).needles == []


def test_rows_that_are_not_finite_are_marked_and_the_others_as_without_them() -> None:
    rng = np.random.default_rng(4)
    weights = rng.random((600, 1100))
    spoiled = weights.copy()
    spoiled[17, 1050], spoiled[530, 3] = np.nan, np.inf
    rest = weights.copy()
    rest[[17, 530]] = 0
    found, expected = find_patterns(spoiled), find_patterns(rest)
    assert found.n_marked == 2
    assert list(np.flatnonzero(found.marginals.marked)) == [17, 530]
    assert found.shares == pytest.approx(expected.shares, abs=1e-12)
    np.testing.assert_allclose(
        found.marginals.received, expected.marginals.received, rtol=1e-12
    )
    assert found.marginals.cells == 598 * 1100
    assert np.isnan(found.marginals.effective_keys[[17, 530]]).all()


def test_weights_below_zero_count_by_their_size() -> None:
    weights = np.random.default_rng(5).normal(size=(40, 40))
    signed, sizes = find_patterns(weights), find_patterns(np.abs(weights))
    assert signed.shares == pytest.approx(sizes.shares)


def test_a_computation_that_stores_no_weights_has_the_patterns_of_its_matrix(
    monkeypatch,
) -> None:
    monkeypatch.setattr("attnviewer.compute.passes.MOST_KEPT", 0)
    rng = np.random.default_rng(6)
    q, k, v = (rng.normal(size=(2, 2100, 8)) for _ in range(3))
    trace = attention(q, k, v, causal=True)
    reader = HeadWeights(trace, head=1)
    tokens = rng.integers(0, 9, 2100).tolist()
    streamed = find_patterns(reader, tokens=tokens)
    hidden = np.triu(np.ones((2100, 2100), bool), 1)
    dense = find_patterns(InMemory(trace["weights"][1], hidden), tokens=tokens)
    assert streamed.shares == pytest.approx(dense.shares, abs=1e-12)
    assert streamed.alone == pytest.approx(dense.alone, abs=1e-12)
    assert streamed.marginals.cells == 2100 * 2101 // 2
    assert [n[:2] for n in streamed.needles] == [n[:2] for n in dense.needles]
    assert {n: b.cells for n, b in streamed.budgets.items()} == {
        n: b.cells for n, b in dense.budgets.items()
    }


@pytest.mark.parametrize(
    "options",
    [
        {"causal": True, "window": (40, 0)},
        {"window": (30, 5), "query_offset": 90},
        {"normalizer": "sparsemax", "causal": True},
        {"normalizer": "sigmoid"},
        {"normalizer": "hardmax", "causal": True},
        {"bias": alibi_bias(3, 300, 300), "causal": True},
        {"mask": np.arange(300)[:, np.newaxis] % 7 != np.arange(300) % 5},
        {"pins": [Pin("weights", 3, 299, 0.5)], "causal": True},
    ],
    ids=lambda options: next(iter(options)),
)
def test_every_kind_of_attention_has_the_patterns_of_its_matrix(
    options, monkeypatch
) -> None:
    monkeypatch.setattr("attnviewer.compute.passes.MOST_KEPT", 0)
    rng = np.random.default_rng(9)
    q, k, v = (rng.normal(size=(h, 300, 8)) for h in (3, 1, 1))  # shared keys
    trace = attention(q, k, v, **options)
    trace._remembered = 0  # as of a long sequence, nothing is cached
    reader = HeadWeights(trace, head=1)
    offset = options.get("query_offset", 0)
    assert reader.query_offset == offset
    found = find_patterns(reader)
    weights = trace["weights"][1]
    hidden = trace.hidden("weights", head=1)
    dense = find_patterns(InMemory(weights, hidden), query_offset=offset)
    assert found.shares == pytest.approx(dense.shares, abs=1e-12)
    assert found.marginals.cells == weights.size - (
        0 if hidden is None else hidden.sum()
    )
    assert found.name == dense.name
    assert found.budgets.keys() == dense.budgets.keys()
    for name, budget in dense.budgets.items():
        assert found.budgets[name].cells == budget.cells
    for row in (0, 3, 150, 299):
        seen = reader.reach(slice(row, row + 1))
        outside = np.delete(weights[row], np.r_[seen])
        assert not outside.any()
    assert trace.reach(slice(5, 5)) == slice(0, 0)


def test_blocks_of_queries_give_the_sums_of_one_block() -> None:
    weights = np.random.default_rng(7).random((1300, 1300))

    class WholeRows:
        by_tiles, shape = False, weights.shape
        reach = staticmethod(lambda rows: slice(0, 1300))
        hidden = staticmethod(lambda *_: None)
        window = staticmethod(lambda rows, columns: weights[rows, columns])

    by_rows, by_tiles = find_patterns(WholeRows()), find_patterns(weights)
    assert by_rows.shares == pytest.approx(by_tiles.shares, abs=1e-12)
    np.testing.assert_allclose(
        by_rows.marginals.by_offset, by_tiles.marginals.by_offset, rtol=1e-12
    )


def test_a_survey_has_a_row_for_each_head() -> None:
    rng = np.random.default_rng(8)
    q, k, v = (rng.normal(size=(2, 3, 40, 4)) for _ in range(3))
    trace = attention(q, k, v, causal=True)
    told: list[float] = []
    survey = survey_patterns(trace, batch=1, progress=told.append)
    assert [row["head"] for row in survey.rows()] == [0, 1, 2]
    assert told == sorted(told)
    assert told[-1] == 1
    alone = find_patterns(trace["weights"][1, 2], keep=0.95)
    assert survey.patterns[2].shares == pytest.approx(alone.shares)
    listed = survey.as_json()["heads"]
    assert [head["name"] for head in listed] == [r["pattern"] for r in survey.rows()]
    assert survey_patterns(trace, [2, 0]).heads == (2, 0)
    with pytest.raises(IndexError, match="'head' must be from 0 to 2"):
        survey_patterns(trace, [3])


def test_a_pass_can_be_stopped() -> None:
    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        find_patterns(np.eye(2000), progress=stop)


@pytest.mark.parametrize(
    ("matrix", "options", "sentence"),
    [
        (np.eye(3), {"keep": 0}, "The 'keep' parameter must be above 0 and up to 1"),
        (np.eye(3), {"tokens": ["a"]}, "The 'tokens' parameter must have 3 tokens"),
        (np.eye(3), {"n_needles": -1}, "The 'n_needles' parameter must be an integer"),
        (np.ones((0, 3)), {}, "at least one query and one key"),
        (np.ones(3), {}, "The 'matrix' parameter must have 2 dimensions"),
        (np.eye(3, dtype=int), {}, "must hold floating-point numbers"),
    ],
)
def test_what_does_not_fit_is_refused(matrix, options, sentence) -> None:
    with pytest.raises((ValueError, TypeError), match=sentence):
        find_patterns(matrix, **options)


@pytest.mark.parametrize("size", [{"block": 48}, {"sinks": 65}, {"window": 0}])
def test_sizes_out_of_range_are_refused(size) -> None:
    with pytest.raises(ValueError, match=f"The '{next(iter(size))}' parameter must be"):
        SetSizes(**size)


def test_patterns_are_told_in_a_line() -> None:
    survey = survey_patterns(attention(*np.eye(64)[None].repeat(3, axis=0) * 30))
    assert repr(survey) == "<PatternSurvey of 1 head: streaming>"
    kept = "with 1.6% of the cells"
    assert (
        repr(survey.patterns[0])
        == f"<HeadPatterns streaming: streaming keeps 100.0% {kept}>"
    )


@settings(max_examples=30)
@given(arrays(np.int64, (6, 9), elements=st.integers(0, 3)), st.integers(0, 20))
def test_of_what_receives_the_most_the_first_of_equals_come_first(weights, most):
    marginals = find_patterns(weights.astype(float)).marginals
    sums = weights.sum(axis=0)
    ranked = sorted(np.flatnonzero(sums), key=lambda key: (-sums[key], key))
    assert marginals.top_keys(most).tolist() == ranked[:most]
    by_offset = {k: np.trace(weights, -k) for k in range(-8, 6)}
    there = [offset for offset, total in by_offset.items() if total]
    ranked = sorted(there, key=lambda offset: (-by_offset[offset], offset))
    assert marginals.top_offsets(most).tolist() == ranked[:most]
