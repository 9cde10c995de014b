"""Disentangled attention against equation 4 of DeBERTa, worked cell by cell."""

import math

import numpy as np
import pytest

from attnviewer import Disentangled, multi_head_attention
from attnviewer.compute import Spec
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain

N, D, HEADS, SPAN = 7, 8, 2, 3


def _numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def _row(distance: int, longest: int | None) -> int:
    """Return δ as the paper defines it, or with version 2's buckets."""
    middle = SPAN // 2
    if longest is not None and abs(distance) > middle:
        share = math.log(abs(distance) / middle) / math.log((longest - 1) / middle)
        bucket = middle + math.ceil(share * (middle - 1))
        distance = int(math.copysign(bucket, distance))
    if distance <= -SPAN:
        return 0
    return 2 * SPAN - 1 if distance >= SPAN else distance + SPAN


def test_each_score_is_the_sum_of_three_products() -> None:
    x, table = _numbers(N, D), _numbers(2 * SPAN, D)
    w_q, w_k, w_v = (_numbers(D, D, seed=s) for s in (1, 2, 3))
    b_q = _numbers(D)
    trace = multi_head_attention(
        x,
        *(w_q, w_k, w_v),
        b_q=b_q,
        n_heads=HEADS,
        positions=Disentangled(SPAN),
        relative={"R": table},
        scale=1.0,
        query_offset=2,
    )
    q, k = x @ w_q + b_q, x @ w_k
    q_r, k_r = table @ w_q + b_q, table @ w_k
    for head, i, j in np.ndindex(HEADS, N, N):
        own, at = slice(4 * head, 4 * head + 4), _row(i + 2 - j, None)
        terms = (
            q[i, own] @ k[j, own],
            q[i, own] @ k_r[at, own],
            k[j, own] @ q_r[at, own],
        )
        got = [trace[step][head, i, j] for step in ("scores", "c2p", "p2c", "summed")]
        assert got == pytest.approx([*terms, sum(terms)])


def test_far_distances_share_rows_in_buckets() -> None:
    scheme = Disentangled(256, longest=512)
    rows = scheme.rows(np.array([-511, -200, -128, 0, 127, 128, 129, 511, 4000]))
    # By hand: ceil(127 · ln(200/128) / ln(511/128)) = 41, and 1 for 129.
    assert rows.tolist() == [1, 87, 128, 256, 383, 384, 385, 511, 511]


def test_own_weights_and_shared_keys_and_a_term_alone() -> None:
    x, table = _numbers(N, D), _numbers(2 * SPAN, D)
    w_q, w_k, w_v = _numbers(D, D, seed=1), _numbers(D, 4, seed=2), _numbers(D, 4)
    w_kr, b_kr = _numbers(D, 4, seed=4), _numbers(4)
    trace = multi_head_attention(
        x,
        *(w_q, w_k, w_v),
        n_heads=HEADS,
        n_kv_heads=1,
        positions=Disentangled(SPAN, terms=("c2p",), own_weights=True, longest=6),
        relative={"R": table, "W_KR": w_kr, "b_KR": b_kr},
    )
    assert "p2c" not in trace
    q, k_r = x @ w_q, table @ w_kr + b_kr
    for head, i, j in np.ndindex(HEADS, N, N):
        want = q[i, 4 * head : 4 * head + 4] @ k_r[_row(i - j, 6)]
        assert trace["c2p"][head, i, j] == pytest.approx(want)
    told = trace.explain("c2p", (1, 6, 0))
    # Half of 3 is 1: all keys further away than 1 are in one bucket.
    assert told.note == "δ(i, j) = 4, the row of R for this distance."
    terms = told.steps[0].terms
    assert [t.right.cell.index for t in terms] == [(0, 4, c) for c in range(4)]


def test_a_spec_with_relative_positions_is_saved() -> None:
    scheme = Disentangled(4, terms=("p2c",), own_weights=True, longest=9)
    spec = Spec(n_heads=2, positions=scheme, biases=("b_Q", "b_QR"))
    assert spec_from_plain(spec_to_plain(spec)) == spec
    assert spec.input_names[-2:] == ("W_QR", "b_QR")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"span": 0}, "'span' must be at least 1"),
        ({"span": 4, "terms": ()}, "'terms' must be c2p, p2c or both"),
        ({"span": 4, "terms": ("c2c",)}, "'terms' must be one of c2p, p2c"),
        ({"span": 4, "longest": 3}, "'longest' must be above"),
        ({"span": 1, "longest": 9}, "'span' must be at least 2 with buckets"),
    ],
)
def test_impossible_schemes_are_refused(options: dict, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Disentangled(**options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"projected": False}, "without projections"),
        ({"score": "cosine"}, "with the score 'cosine'"),
        ({"extra_rows": True}, "which have no position"),
        ({"biases": ("b_KR",)}, "must not hold 'b_KR' without W_KR"),
    ],
)
def test_variants_that_relative_positions_do_not_fit_are_refused(
    options: dict, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Spec(positions=Disentangled(2), **options)


def test_the_table_must_be_given_and_fit() -> None:
    x = _numbers(3, D)
    w = (_numbers(D, D),) * 3
    with pytest.raises(ValueError, match="must be given with Disentangled positions"):
        multi_head_attention(x, *w, positions=Disentangled(2))
    with pytest.raises(ValueError, match="only with them"):
        multi_head_attention(x, *w, relative={"R": x})
    with pytest.raises(ValueError, match=r"'R' of 'relative' must have shape \(4, 8\)"):
        multi_head_attention(
            x, *w, positions=Disentangled(2), relative={"R": _numbers(5, D)}
        )
