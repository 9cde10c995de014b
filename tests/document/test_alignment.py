"""Which tokens of two sequences belong together."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document import alignment
from attnviewer.document.alignment import matching_indices

SEQUENCES = st.text("abc", max_size=7).map(tuple)


def places(after, before):
    return matching_indices(tuple(after), tuple(before)).tolist()


def subsequences(tokens):
    """Return all there are, which is few enough to be looked at one by one."""
    return {
        chosen for n in range(len(tokens) + 1) for chosen in combinations(tokens, n)
    }


@given(SEQUENCES, SEQUENCES)
def test_as_many_belong_together_as_the_longest_common_subsequence_has(after, before):
    longest = max(map(len, subsequences(after) & subsequences(before)))
    assert sum(place >= 0 for place in places(after, before)) == longest


@given(SEQUENCES, SEQUENCES)
def test_what_belongs_together_is_called_the_same_and_keeps_its_order(after, before):
    found = places(after, before)
    assert len(found) == len(after)
    known = [(here, there) for here, there in enumerate(found) if there >= 0]
    assert all(after[here] == before[there] for here, there in known)
    theirs = [there for _, there in known]
    assert theirs == sorted(set(theirs))


def test_of_two_sentences_the_words_in_between_belong_together_too():
    tired = ["[CLS]", "the", "cat", "slept", "since", "it", "was", "tired", "[SEP]"]
    wide = [
        "[CLS]",
        "a",
        "cat",
        "slept",
        "long",
        "since",
        "it",
        "was",
        "so",
        "wide",
        "[SEP]",
    ]
    # By hand: 'the' and 'tired' have no counterpart.
    assert places(tired, wide) == [0, -1, 2, 3, 5, 6, 7, -1, 10]
    assert places(wide, tired) == [0, -1, 2, 3, -1, 4, 5, 6, -1, -1, 8]


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        ("", "abc", []),
        ("abc", "", [-1, -1, -1]),
        ("ab", "cd", [-1, -1]),
        ("aaaa", "aaa", [0, 1, 2, -1]),
        ("abab", "ba", [-1, 0, 1, -1]),
    ],
)
def test_small_cases_worked_by_hand(after, before, expected):
    assert places(after, before) == expected


def test_where_there_are_too_many_pairs_only_both_ends_belong_together(monkeypatch):
    monkeypatch.setattr(alignment, "MOST_CELLS", 8)
    # Between both ends, 'xmy' and 'umw' have the m in common: nine pairs.
    assert places("(xmy)!", "(umw)!") == [0, -1, -1, -1, 4, 5]
    assert places("(xm)!", "(umw)!") == [0, -1, 2, 4, 5]


def test_what_every_edit_shares_cannot_be_written_to():
    found = matching_indices(("a", "b"), ("b",))
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 0
    assert found.dtype == np.intp
