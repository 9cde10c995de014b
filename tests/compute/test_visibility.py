"""Which keys queries see by all rules together, against the computation itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import Spec, Visibility, run

_sides = st.none() | st.integers(0, 5) | st.just(2**53)


@st.composite
def _masked(draw):
    """Return a spec with any rules, numbers of queries and keys, and a mask."""
    n_q, n_k = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    given_mask = draw(st.booleans())
    spec = Spec(
        projected=False,
        given=True,
        causal=draw(st.booleans()),
        window=draw(st.none() | st.tuples(_sides, _sides)),
        chunk=draw(st.none() | st.integers(1, 5)),
        key_lengths=draw(st.none() | st.integers(0, n_k)),
        query_offset=draw(st.integers(-3, 5)),
        mask=given_mask,
    )
    mask = draw(arrays(np.bool_, (n_q, n_k))) if given_mask else None
    return spec, n_q, n_k, mask


@given(_masked())
def test_visible_is_what_the_computation_leaves_finite(masked) -> None:
    spec, n_q, n_k, mask = masked
    inputs = {"Q": np.ones((n_q, 1)), "K": np.ones((n_k, 1)), "V": np.ones((n_k, 1))}
    if mask is not None:
        inputs["mask"] = mask
    trace = run(spec, inputs)
    step = "masked" if spec.masked else "scores"
    want = np.isfinite(trace.window(step))
    visibility = Visibility(spec, n_q, n_k, mask)
    assert visibility.window().tolist() == want.tolist()
    assert [visibility.seen_by(row) for row in range(n_q)] == want.sum(1).tolist()
    assert visibility.count() == want.sum()
    for query, key in np.ndindex(n_q, n_k):
        assert bool(visibility.reasons(query, key)) is not bool(want[query, key])


@given(_masked(), st.data())
def test_a_window_is_that_part_of_the_whole(masked, data) -> None:
    spec, n_q, n_k, mask = masked
    rows, columns = (
        slice(*sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n)))))
        for n in (n_q, n_k)
    )
    visibility = Visibility(spec, n_q, n_k, mask)
    window = visibility.window(rows, columns)
    assert window.dtype == np.bool_
    assert window.tolist() == visibility.window()[rows, columns].tolist()


def test_every_rule_gives_its_reason() -> None:
    spec = Spec(causal=True, window=(1, 0), key_lengths=2, mask=True)
    visibility = Visibility(spec, 4, 4, np.zeros((4, 4), bool))
    assert visibility.reasons(0, 3) == [
        "the key comes after the query",
        "the key is outside the window",
        "the key is padding",
        "the mask hides the key",
    ]
    assert visibility.reasons(3, 0) == [
        "the key is outside the window",
        "the mask hides the key",
    ]


def test_a_window_can_be_written_without_touching_the_mask() -> None:
    mask = np.ones((2, 2), bool)
    window = Visibility(Spec(mask=True), 2, 2, mask).window()
    window[:] = False
    assert mask.all()
    Visibility(Spec(), 2, 2).window()[:] = False


def test_a_mask_that_the_spec_does_not_use_hides_nothing() -> None:
    visibility = Visibility(Spec(), 2, 3, np.zeros((2, 3), bool))
    assert visibility.window().all()
    assert visibility.count() == 6


@pytest.mark.parametrize("spec", [Spec(causal=True), Spec(window=(9, 3))])
def test_a_long_sequence_costs_no_more_than_its_window(spec) -> None:
    # A whole mask of this size would need a terabyte.
    visibility = Visibility(spec, 10**6, 10**6)
    window = visibility.window(slice(500_000, 500_002), slice(499_999, 500_003))
    assert window[:, :2].all()
    assert visibility.seen_by(0) == (1 if spec.causal else 4)
    # All rows at once: row by row, they would take seconds.
    cut = sum(range(10)) + sum(range(4))
    every = 10**6 * (10**6 + 1) // 2 if spec.causal else 13 * 10**6 - cut
    assert visibility.count() == every
