import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.ui.text.tokens import quoted, token_label


@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("word", "word"),
        ("a\nb\tc", "a⏎b⇥c"),
        ("  ", "“  ”"),
        ("", "“”"),
        ("x" * 18, "x" * 18),
        ("x" * 19, "x" * 17 + "…"),
        ("a\u202eb", "a�b"),
        ("nul\0", "nul�"),
        ("\ud800\ufffe", "��"),
        ("👨\u200d👩", "👨\u200d👩"),
        ("\u200b", "U+200B"),
        ("\xa0\xa0", "␣␣"),
        ("שלום", "\u2068שלום\u2069"),
        ("سلام", "\u2068سلام\u2069"),
    ],
)
def test_a_token_is_made_fit_for_a_line(token, label):
    assert token_label(token) == label


@given(st.text() | st.text(st.sampled_from("אبa1 ")))
def test_no_token_can_turn_a_formula_around(token):
    label = token_label(token)
    bare = label.removeprefix("\u2068").removesuffix("\u2069")
    assert not any(unicodedata.category(sign) == "Cc" for sign in bare)
    assert not set(bare) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in bare):
        assert label == f"\u2068{bare}\u2069"


@pytest.mark.parametrize(
    ("token", "label"), [("3", "“3”"), ("72", "“72”"), ("3rd", "3rd")]
)
def test_a_number_is_told_from_an_index_by_its_quotes(token, label):
    assert token_label(token) == label


@pytest.mark.parametrize(("token", "label"), [("cat", "“cat”"), ("72", "“72”")])
def test_a_token_has_quotes_only_once(token, label):
    assert quoted(token_label(token)) == label
