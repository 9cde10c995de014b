"""Which key a query sees: causal and sliding windows, with and without a cache."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.masks import (
    Causal,
    Chunk,
    Mask,
    Window,
    causal_mask,
    window_mask,
)

_N_KEYS = 12
_sides = st.none() | st.integers(0, 15)
_windows = st.builds(Window, _sides, _sides)
_masks = st.just(Causal()) | _windows | st.builds(Chunk, st.integers(1, 7))


def _sees(mask: Mask, query: int, key: int) -> bool:
    """The rules, one cell at a time."""
    if isinstance(mask, Causal):
        return key <= query
    if isinstance(mask, Chunk):
        return math.floor(query / mask.size) == math.floor(key / mask.size)
    assert isinstance(mask, Window)
    if mask.left is not None and key < query - mask.left:
        return False
    return not (mask.right is not None and key > query + mask.right)


def _rows(mask: np.ndarray) -> list[str]:
    return ["".join("x" if cell else "." for cell in row) for row in mask]


@pytest.mark.parametrize(
    ("n_q", "n_k", "offset", "want"),
    [
        (3, 3, 0, ["x..", "xx.", "xxx"]),
        (2, 4, 0, ["x...", "xx.."]),
        (2, 4, 2, ["xxx.", "xxxx"]),
        (4, 2, 0, ["x.", "xx", "xx", "xx"]),
        (4, 2, -2, ["..", "..", "x.", "xx"]),
        (1, 3, 9, ["xxx"]),
    ],
)
def test_a_query_sees_itself_and_the_keys_before_it(n_q, n_k, offset, want) -> None:
    mask = causal_mask(n_q, n_k, query_offset=offset)
    assert mask.dtype == np.bool_
    assert _rows(mask) == want


@pytest.mark.parametrize(
    ("n_q", "n_k", "left", "right", "offset", "want"),
    [
        # transformers' causal window 2: the own place counts, so left is 1.
        (4, 4, 1, 0, 0, ["x...", "xx..", ".xx.", "..xx"]),
        # transformers' bidirectional window 1 has one key on each side.
        (4, 4, 1, 1, 0, ["xx..", "xxx.", ".xxx", "..xx"]),
        # ONNX's left_window_size 1 and right_window_size 2.
        (3, 5, 1, 2, 0, ["xxx..", "xxxx.", ".xxxx"]),
        # A causal window of 3 behind a cache of 4 keys.
        (2, 6, 2, 0, 4, ["..xxx.", "...xxx"]),
        (3, 3, 0, 0, 0, ["x..", ".x.", "..x"]),
        (3, 3, None, 0, 0, ["x..", "xx.", "xxx"]),
        (3, 3, 0, None, 0, ["xxx", ".xx", "..x"]),
        (2, 3, None, None, 0, ["xxx", "xxx"]),
        (3, 2, 0, 0, -1, ["..", "x.", ".x"]),
        (2, 2, 0, 1, 5, ["..", ".."]),
    ],
)
def test_a_window_shows_so_many_keys_on_each_side(
    n_q, n_k, left, right, offset, want
) -> None:
    mask = window_mask(n_q, n_k, left=left, right=right, query_offset=offset)
    assert mask.dtype == np.bool_
    assert _rows(mask) == want


@given(_windows, st.integers(1, 8), st.integers(1, 8), st.integers(-10, 10))
def test_a_window_is_its_rule_cell_by_cell(window, n_q, n_k, offset) -> None:
    mask = window_mask(
        n_q, n_k, left=window.left, right=window.right, query_offset=offset
    )
    want = [[_sees(window, i + offset, j) for j in range(n_k)] for i in range(n_q)]
    assert mask.tolist() == want


def test_the_widest_sides_hide_nothing() -> None:
    mask = window_mask(2, 3, left=sys.maxsize, right=sys.maxsize)
    assert mask.tolist() == [[True] * 3] * 2


@given(_masks, st.integers(-8, 20), st.integers(0, _N_KEYS - 1))
def test_a_rule_answers_for_a_single_cell_too(mask, query, key) -> None:
    got = mask.allows(np.array(query), np.array(key))
    assert bool(got) is _sees(mask, query, key)


@given(_masks, st.integers(-20, 20), st.integers(0, 6))
def test_reach_is_from_the_first_key_seen_to_the_last(mask, first, more) -> None:
    last = first + more
    # Beyond every place and side above, so the keys do not end too early.
    keys = range(60)
    seen = [k for k in keys if any(_sees(mask, q, k) for q in range(first, last + 1))]
    reached = list(keys[slice(*mask.reach(first, last))])
    assert reached == seen


@pytest.mark.parametrize(
    ("mask", "want"),
    [
        (Causal(), (None, 6)),
        (Window(2, 1), (1, 7)),
        (Window(None, 0), (None, 6)),
        (Window(2, None), (1, None)),
        (Window(), (None, None)),
    ],
)
def test_reach_of_queries_three_to_five(mask: Mask, want) -> None:
    assert mask.reach(3, 5) == want


def test_rules_say_what_they_do_and_why() -> None:
    causal, window = Causal(), Window(2, 0)
    assert causal.title == "causal"
    assert causal.reason == "the key comes after the query"
    assert window.title == "window 2 left, 0 right"
    assert window.reason == "the key is outside the window"
    assert Window(right=3).title == "window all left, 3 right"


def test_equal_rules_are_one_and_cannot_change() -> None:
    assert len({Causal(), Causal(), Window(1, 2), Window(1, np.int64(2))}) == 2
    with pytest.raises(AttributeError):
        Window(1, 2).left = 3


@given(_masks, st.integers(-5, 20), st.integers(0, 8))
def test_certain_is_what_every_query_sees(mask, first, more) -> None:
    last = first + more
    keys = range(60)
    seen = [k for k in keys if all(_sees(mask, q, k) for q in range(first, last + 1))]
    assert list(keys[slice(*mask.certain(first, last))]) == seen


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (lambda: causal_mask(0, 2), ValueError, "'n_q' .* at least 1. Got 0 instead"),
        (lambda: causal_mask(2, True), TypeError, "'n_k' .* integer .* Got True"),
        (lambda: causal_mask(2.0, 2), TypeError, r"'n_q' .* Got 2\.0 instead"),
        (lambda: window_mask(2, -1), ValueError, "'n_k' .* Got -1 instead"),
        (
            lambda: causal_mask(2, 2, query_offset=0.5),
            TypeError,
            r"'query_offset' parameter must be an integer\. Got 0\.5 instead\.",
        ),
        (lambda: window_mask(2, 2, left=-1), ValueError, "'left' .* at least 0. Got"),
        (lambda: Window(right=-2), ValueError, "'right' .* Got -2 instead"),
        (lambda: Window(left=False), TypeError, "'left' .* Got False instead"),
        (lambda: Window("1"), TypeError, "'left' .* Got '1' instead"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(mask, error, message) -> None:
    with pytest.raises(error, match=message):
        mask()


def test_whole_numbers_of_numpy_become_pythons_own() -> None:
    # An int8 would overflow in the first sum.
    assert type(whole_number("n", np.int8(100), 1)) is int
    assert causal_mask(np.int8(2), np.int8(2), query_offset=np.int8(127)).all()
