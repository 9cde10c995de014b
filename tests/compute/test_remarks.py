"""Remarks on rows and heads: when they are made, and that their numbers are right."""

import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer import attention
from attnviewer.compute import (
    Spec,
    head_remark,
    row_remark,
    row_statistics,
    run,
)


def of_head(weights, visible_keys=None) -> str:
    weights = np.array(weights, dtype=np.float64)
    keys = weights.shape[1] if visible_keys is None else visible_keys
    return head_remark(row_statistics(weights), keys)


def of_row(row, query=0, visible_keys=None) -> str:
    weights = np.array([row], dtype=np.float64)
    keys = len(row) if visible_keys is None else visible_keys
    return row_remark(row_statistics(weights, first_query=query), keys)


def causal(weights) -> np.ndarray:
    lower = np.tril(weights)
    return lower / lower.sum(axis=1, keepdims=True)


SEEN = np.arange(1, 8)
"""Visible keys of seven queries under a causal mask."""


def test_a_head_that_spreads_evenly_is_nearly_uniform() -> None:
    weights = np.full((7, 7), 1 / 7)
    assert of_head(weights) == (
        "Nearly uniform: on average it spreads over 7.0 of 7 visible keys."
    )
    assert (
        of_row(weights[0]) == "Nearly uniform: it spreads over 7.0 of 7 visible keys."
    )


def test_scores_of_plus_infinity_are_remarked_on_with_what_numpy_gives() -> None:
    q, k = np.array([[1e200], [1.0]]), np.array([[1e200], [1.0], [1e200]])
    trace = attention(q, k, k, scale=1.0)
    assert trace["weights"].tolist()[0] == [0.5, 0.0, 0.5]
    told = (
        "A score of +∞{}: the keys that have it share all weight equally, where "
        "NumPy's exp(s − max) would give NaN."
    )
    assert trace.infinite_rows().tolist() == [True, False]
    assert trace.remark().endswith(told.format(" for 1 of 2 queries"))
    row = row_statistics(trace["weights"][:1])
    assert row_remark(row, 3, infinite=True).endswith(told.format(""))
    assert "+∞" not in row_remark(row, 3)
    with np.errstate(all="ignore"):  # what it says of NumPy is so
        scores = trace["scores"][0]
        assert np.isnan(np.exp(scores - scores.max())[0])


@pytest.mark.parametrize("normalizer", ["hardmax", "sum", "sigmoid"])
def test_normalizers_that_share_nothing_at_infinity_have_no_remark_on_it(
    normalizer,
) -> None:
    q = np.array([[1e200]])
    trace = attention(q, q, q, scale=1.0, normalizer=normalizer)
    assert trace.infinite_rows().tolist() == [False]
    assert "+∞" not in trace.remark()


def test_effective_keys_are_written_as_they_are_worked_out_by_hand() -> None:
    # 2 · 0.2 log₂ 5 + 2 · 0.3 log₂ (10 / 3) = 0.9288 + 1.0422 bits, 3.9 keys.
    row = [0.2, 0.2, 0.3, 0.3]
    assert of_row(row) == "Nearly uniform: it spreads over 3.9 of 4 visible keys."


def test_a_causal_head_is_uniform_relative_to_what_each_query_sees() -> None:
    weights = causal(np.ones((7, 7)))
    # The first query has no choice; the others see 2 to 7 keys, 4.5 on average.
    assert of_head(weights, SEEN) == (
        "Nearly uniform: on average it spreads over 4.5 of 4.5 visible keys."
    )
    # Measured by all seven keys, nothing would be uniform about it.
    assert of_head(weights, 7) == ""


@pytest.mark.parametrize(("share", "said"), [(0.34, False), (0.342, True)])
def test_two_keys_are_nearly_uniform_from_95_percent_of_two(share, said) -> None:
    remark = of_row([share, 1 - share])
    assert bool(remark) == said
    assert remark.startswith("Nearly uniform") == said


def test_attention_to_the_first_token_is_called_a_sink() -> None:
    weights = np.full((7, 7), 0.03 / 6)
    weights[:, 0] = 0.97
    want = (
        "Almost all attention (97 %) goes to the first token, a so-called attention "
        "sink."
    )
    assert of_head(weights) == want
    assert of_row(weights[4], query=4) == want


def test_attention_to_the_own_position_is_called_the_diagonal() -> None:
    weights = 0.93 * np.eye(7) + 0.01
    want = "Almost all attention (94 %) goes to the query's own position, the diagonal."
    assert of_head(weights) == want
    assert of_row(weights[3], query=3) == want


def test_attention_to_the_token_before_does_not_miss_it_where_there_is_none() -> None:
    weights = 0.92 * np.eye(5, k=-1) + 0.016
    weights[0] = 0.2
    # Each query but the first: 0.936 to the token before it, 4 · 0.016 elsewhere.
    want = (
        "Almost all attention (94 %) goes to the token just before the query's own "
        "position."
    )
    assert of_head(weights) == want
    assert of_row(weights[2], query=2) == want


def test_one_query_of_two_does_not_make_a_head_of_the_token_before() -> None:
    assert of_head([[0.6, 0.4], [0.97, 0.03]]) == ""


def test_a_window_of_rows_is_judged_by_where_its_queries_stand() -> None:
    weights = np.eye(7)[4:]
    facts = row_statistics(weights, first_query=4)
    assert "own position" in head_remark(facts, 7)
    facts = row_statistics(weights, first_query=5)
    assert "token just before" in head_remark(facts, 7)


def test_all_of_it_is_not_called_almost_all() -> None:
    want = "Practically all attention (100 %) goes to the query's own position"
    assert of_head(np.eye(3)).startswith(want)
    weights = 0.988 * np.eye(3) + 0.004
    assert of_head(weights).startswith("Almost all attention (99 %)")


def test_a_head_that_picks_one_key_after_another_is_nearly_one_hot() -> None:
    weights = 0.95 * np.eye(5)[[3, 0, 4, 2, 1]] + 0.01
    assert of_head(weights) == (
        "Nearly one-hot: on average 96 % of the attention goes to a single key."
    )
    want = "Nearly one-hot: 96 % of the attention goes to a single key."
    assert of_row(weights[0]) == want


def test_what_is_said_of_a_row_does_not_depend_on_its_sum() -> None:
    # Sigmoid weights of 0.5 on four keys: 0.5 each is no half of the attention.
    assert of_row([0.5] * 4).startswith("Nearly uniform: it spreads over 4.0 of 4")
    assert of_row([0.0, 0.0, 0.0, 0.3], query=1).startswith("Nearly one-hot: 100 %")


@pytest.mark.parametrize("row", [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
def test_a_row_that_can_see_one_key_only_is_not_worth_a_word_on_its_spread(row) -> None:
    remark = of_row(row, visible_keys=1)
    assert not re.search("all attention|one-hot|uniform", remark)


def test_rows_without_a_choice_do_not_count_in_a_head() -> None:
    seen = np.array([1, 2, 3])
    weights = np.array([[1.0, 0.0, 0.0], [0.15, 0.85, 0.0], [0.05, 0.08, 0.87]])
    # With the first row the mean would be 0.907, without it is 0.86.
    assert of_head(weights, seen) == ""
    assert of_head(weights, 3) != ""
    assert of_head(weights[:1], np.array([1])) == ""


def test_queries_that_see_no_key_are_counted() -> None:
    weights = np.full((4, 4), 0.25)
    weights[[0, 2]] = 0.0
    assert of_head(weights) == (
        "Nearly uniform: on average it spreads over 4.0 of 4 visible keys. "
        "No attention for 2 of 4 queries: every weight is 0, as where all keys are "
        "masked."
    )
    want = "No attention: every weight is 0, as where all keys are masked."
    assert of_row([0.0, 0.0], visible_keys=0) == want


def test_negative_weights_are_no_distribution() -> None:
    assert of_row([-0.5, 1.5]) == "Negative weights: no distribution over the keys."
    # With one such row, what the others have in common is not the head's.
    weights = np.eye(4)
    weights[2] = [0.5, 0.5, -0.5, 0.5]
    assert of_head(weights) == (
        "Negative weights for 1 of 4 queries: no distribution over the keys."
    )


def test_an_undefined_row_leaves_nothing_to_say() -> None:
    assert of_row([math.nan, math.nan]) == ""
    assert of_head([[math.nan, math.nan], [0.0, 1.0]]) == ""


def test_an_ordinary_head_is_left_alone() -> None:
    weights = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.25, 0.15, 0.6]]
    assert of_head(weights) == ""
    assert of_row(weights[0]) == ""


@given(arrays(np.float64, (4, 4), elements=st.floats(0, 1)), st.integers(0, 3))
def test_a_head_of_one_row_says_what_the_row_says(weights, query) -> None:
    facts = row_statistics(weights)
    row, head = facts[query], facts[query : query + 1]
    said = head_remark(head, 4).replace("on average ", "")
    assert row_remark(row, 4) == said.replace(" for 1 of 1 queries", "")
    assert row_remark(head, 4) == row_remark(row, 4)


@given(arrays(np.float64, (6, 6), elements=st.integers(0, 9).map(float)))
def test_shares_that_are_told_are_those_of_a_loop(weights) -> None:
    weights[:, 0] += 40.0
    remark = of_head(weights)
    shares = [row[0] / math.fsum(row) for row in weights.tolist()]
    mean = math.fsum(shares) / len(shares)
    assume(abs(mean - 0.9) > 1e-9)
    told = re.search(r"\((\d+) %\) goes to the first token", remark)
    assert bool(told) == (mean > 0.9)
    assert told is None or abs(int(told[1]) - 100 * mean) <= 0.5 + 1e-9


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_remarks_do_not_depend_on_the_dtype(dtype) -> None:
    weights = np.full((300, 300), 1 / 300, dtype=dtype)
    remark = head_remark(row_statistics(weights), 300)
    assert re.fullmatch(r"Nearly uniform: .* over (299|300)\.\d of 300 .*", remark)


def test_what_is_not_one_row_or_one_head_is_refused() -> None:
    facts = row_statistics(np.full((2, 3, 4), 0.25))
    with pytest.raises(ValueError, match=r"of one row\. Got shape \(3,\)"):
        row_remark(facts[0], 4)
    with pytest.raises(ValueError, match=r"of one head, .* Got shape \(2, 3\)"):
        head_remark(facts, 4)
    with pytest.raises(
        ValueError, match=r"'visible_keys' .* \(3,\)\. Got shape \(4,\)"
    ):
        head_remark(facts[0], np.arange(4))


def test_in_cross_attention_no_key_is_at_a_querys_own_position() -> None:
    # Scores far apart on the diagonal: each query looks at the key of its number.
    same = {"X": 9 * np.eye(3), **{name: np.eye(3) for name in ("W_Q", "W_K", "W_V")}}
    cross = same | {"context": 9 * np.eye(3)}
    assert "own position, the diagonal" in run(Spec(), same).remark()
    assert run(Spec(context=True), cross).remark() == (
        "Nearly one-hot: on average 100 % of the attention goes to a single key."
    )
    first = cross | {"X": 9 * np.eye(3)[[0, 0, 0]]}
    assert "to the first token" in run(Spec(context=True), first).remark()
