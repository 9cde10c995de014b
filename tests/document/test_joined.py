"""Two edits as one: the same document afterwards, and the way back."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.document.joined import joined
from attnviewer.document.replacement import replacement
from tests.documents import FOUR_WORDS, four_words, state_of


def _other(**matrices) -> Document:
    return Document("Other", "abcd", FOUR_WORDS | matrices, Spec(causal=True))


ONES, TWOS = np.ones((3, 3)), np.full((3, 3), 2.0)
STATES = [
    four_words(),
    _other(W_Q=ONES),
    _other(W_K=TWOS, W_O=np.eye(3)),
    Document("Two", "ab", {"X": np.eye(2)}, Spec(projected=False)),
]


@pytest.mark.parametrize("between", STATES)
@pytest.mark.parametrize("last", STATES)
def test_two_replacements_are_one_there_and_back(between, last) -> None:
    document = four_words()
    first = replacement(document, between, "Reload")
    back_first = document.apply(first)
    second = replacement(document, last, "Reload")
    back_second = document.apply(second)
    there, back = joined(first, second), joined(back_second, back_first)
    document.apply(back)
    assert state_of(document) == state_of(four_words())
    document.apply(there)
    assert state_of(document) == state_of(last)


def test_an_edit_that_leaves_parts_as_they_are_is_not_joined() -> None:
    whole = replacement(four_words(), _other(), "Reload")
    assert joined(whole, Replace("Causal", spec=Spec(causal=True))) is None
