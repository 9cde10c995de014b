"""Sentences become tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document.text.tokenizing import MOST_SIGNS, split_sentence


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \n\t ", []),
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("Don't stop, now!", ["Don't", "stop", ",", "now", "!"]),
        ("the dogs’ o’clock", ["the", "dogs", "’", "o’clock"]),
        ("state-of-the-art - 'quoted'", ["state-of-the-art", "-", "'", "quoted", "'"]),
        ("a--b", ["a", "-", "-", "b"]),
        ("pi is 3.14.", ["pi", "is", "3.14", "."]),
        ("1,000,000 or 1,2,3", ["1,000,000", "or", "1", ",", "2", ",", "3"]),
        ("1,0000", ["1", ",", "0000"]),
        ("e.g. v2.0", ["e", ".", "g", ".", "v2.0"]),
        ("d_model (512)", ["d_model", "(", "512", ")"]),
        ("one\ntwo\u00a0three\u3000four", ["one", "two", "three", "four"]),
        ("wait...", ["wait", ".", ".", "."]),
        ("naïve cafe\u0301", ["naïve", "cafe\u0301"]),
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया", "।"]),
        ("我喜欢猫。", ["我喜欢猫", "。"]),
        ("میخواهم", ["میخواهم"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("👨‍👩‍👧 👍🏽👍", ["👨‍👩‍👧", "👍🏽", "👍"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        (
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f a",
            ["🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "a"],
        ),
        ("I ❤️ 1️⃣", ["I", "❤️", "1️⃣"]),
        ("¿Qué?", ["¿", "Qué", "?"]),
    ],
)
def test_a_sentence_is_taken_apart_as_a_reader_would(text, tokens):
    assert list(split_sentence(text)) == tokens


SIGNS = st.one_of(
    st.characters(),
    st.sampled_from("ab 1.,'’-_\n\u200d\ufe0f\u0301👍🏽🇩🇪"),
)


@given(st.text(SIGNS))
def test_no_sign_but_blanks_is_lost(text):
    tokens = split_sentence(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(token and not token.isspace() for token in tokens)


@pytest.mark.parametrize("sign", "a1.-'👍\u200d ")
def test_a_long_text_of_one_sign_is_read_at_once(sign):
    assert "".join(split_sentence(sign * MOST_SIGNS)) == sign.strip() * MOST_SIGNS


def test_a_text_beyond_the_limit_is_refused():
    with pytest.raises(ValueError, match=r"at most 200,000 characters\. Got 200,001"):
        split_sentence("a" * (MOST_SIGNS + 1))
