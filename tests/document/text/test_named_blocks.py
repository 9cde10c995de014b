"""Rows of numbers after their names, as they are copied and pasted."""

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from attnviewer.document.text.blocks import parse_block
from attnviewer.document.text.named_blocks import named_block_text, parse_named_block


@pytest.mark.parametrize(
    "text",
    [
        "cat\t1\t2.5\nsat\t-3\t4\r\n",
        "\ta\tb\ncat\t1\t2.5\nsat\t-3\t4",
        "cat,1,2.5\nsat, -3, 4",
        "cat;1;2,5\nsat;-3;4",
        "cat  1  2.5\nsat -3  4",
        '"cat"\t1\t2.5\nsat\t-3\t4',
    ],
)
def test_names_before_numbers_are_told_from_them(text):
    block = parse_named_block(text)
    assert block.names == ("cat", "sat")
    assert block.values.tolist() == [[1, 2.5], [-3, 4]]


@pytest.mark.parametrize(
    "text", ["", "1\t2", "word 1\nword 2", "cat\nsat", "7\t1\ncat\t1"]
)
def test_where_not_every_row_has_a_name_and_numbers_there_are_no_names(text):
    assert parse_named_block(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "cat 1 2\nsat 3 4\n5 6 7",
            "Line 1 begins with “cat”, line 3 with the number 5",
        ),
        ("\ta\tb\ncat\t1\t2\n\t3\t4", "Line 2 begins with “cat”, line 3 with none."),
    ],
)
def test_a_row_without_a_name_among_others_is_told(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_named_block(text)


@pytest.mark.parametrize("first", ["1e400", "nan", "-inf", "50%", "=1/0"])
def test_a_number_that_is_refused_is_not_taken_for_a_name(first):
    assert parse_named_block(f"{first}\t2\t3\n{first}\t5\t6") is None


def test_a_word_for_what_is_no_number_is_a_name_beside_other_words():
    assert parse_named_block("nan\t2\t3\ncat\t5\t6").names == ("nan", "cat")


tokens = st.text(min_size=1, max_size=9).filter(
    lambda name: (
        name.strip() and re.search(r"[^\W\d_]", name) and not {*"\0\r"} & {*name}
    )
)


@given(st.lists(tokens, min_size=1, max_size=4), st.integers(0, 3))
def test_names_and_numbers_that_are_copied_are_read_back(names, seed):
    assume(not any(parses(name) for name in names))
    values = np.random.default_rng(seed).normal(size=(len(names), 2))
    block = parse_named_block(named_block_text(names, values))
    assert block.names == tuple(names)
    assert block.values.tobytes() == values.tobytes()


@pytest.mark.parametrize(
    "names",
    [("72", "3", "64"), ("x", "-3", "1/2"), ("5", 'a "b"', "c\nd"), ("nan", "=1+1")],
)
def test_names_that_could_be_numbers_are_copied_below_headings(names):
    values = np.arange(2.0 * len(names)).reshape(-1, 2) / 3
    text = named_block_text(names, values)
    assert text.startswith("\t0\t1\n")
    block = parse_block(text)
    assert block.names == names
    assert block.values.tolist() == values.tolist()


def parses(name):
    try:
        parse_block(name, infinite=True)
    except ValueError:
        return False
    return True
