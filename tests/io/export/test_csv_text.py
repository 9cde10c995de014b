"""Tables that every program reads back alike."""

import csv
import io
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.document.text.formula_guard import guard_text, unguarded_text
from attnviewer.io.export.csv_text import (
    bare_rows,
    csv_pieces,
    matrix_rows,
)

_SHAPES = array_shapes(min_dims=2, max_dims=2, max_side=5)
# Everything that UTF-8 can hold: surrogates are no characters.
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_DANGEROUS = "=+-@＝＋－＠"


def _table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


@given(arrays(np.float64, _SHAPES, elements=st.floats(width=64)))
def test_any_double_reads_back_bit_for_bit(values: np.ndarray) -> None:
    data = b"".join(csv_pieces(bare_rows(values)))
    read = [[float(text) for text in row] for row in _table(data)]
    for got, want in zip(np.ravel(read), np.ravel(values), strict=True):
        if math.isnan(want):
            assert math.isnan(got)
        else:
            assert struct.pack("<d", got) == struct.pack("<d", want)


def _digits(text: str) -> str:
    """Return what of a number is neither sign nor point nor exponent nor padding."""
    mantissa = text.lstrip("-").partition("e")[0]
    return mantissa.replace(".", "").strip("0")


@given(arrays(np.float64, _SHAPES, elements=st.floats(width=64)))
def test_numbers_have_no_more_digits_than_they_need(values: np.ndarray) -> None:
    rows = _table(b"".join(csv_pieces(bare_rows(values))))
    texts = [text for row in rows for text in row]
    for text, value in zip(texts, np.ravel(values).tolist(), strict=True):
        # Python's own is the shortest that reads back.
        assert _digits(text) == _digits(repr(value))
        assert text.count(".") <= 1


def test_what_is_not_finite_has_a_word() -> None:
    values = np.array([[math.inf, -math.inf, math.nan]])
    assert b"".join(csv_pieces(bare_rows(values))) == b"inf,-inf,nan\r\n"


def _written(label: str) -> str:
    # Files with a null character are no text.
    return guard_text(label).replace("\0", "\ufffd")


@given(
    st.lists(_TEXTS, min_size=1, max_size=4), st.lists(_TEXTS, min_size=1, max_size=4)
)
def test_any_labels_read_back_around_their_numbers(rows, columns) -> None:
    values = np.arange(1.0, len(rows) * len(columns) + 1).reshape(len(rows), -1)
    table = _table(b"".join(csv_pieces(matrix_rows(values, rows, columns))))
    corner, *header = table[0]
    assert corner == ""
    assert header == [_written(label) for label in columns]
    assert [row[0] for row in table[1:]] == [_written(label) for label in rows]
    assert [[float(t) for t in row[1:]] for row in table[1:]] == values.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "-",
        "@SUM(A1)",
        "\t=1",
        "\tplain",
        "\r=1",
        "\nplain",
        " =1",
        "\u00a0=1",
        "\ufeff=1",
        "\x00=1",
        "＝1",
        "＋1",
        "－1",
        "＠1",
        "'=1",
        "''\tx",
    ],
)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert guard_text(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "word", "a=b", "1", "'", "'tis", "\u2212", "#", " x", "72", "\u4e2d"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert guard_text(text) == text


@given(st.text("'= \t\n+-@x＝\ufeff", max_size=6) | _TEXTS)
def test_no_guarded_text_starts_like_a_formula_and_little_is_added(text) -> None:
    guarded = guard_text(text)
    assert guarded[:1] not in tuple(_DANGEROUS + "\t\r\n")
    assert guarded.strip()[:1] not in tuple(_DANGEROUS)
    assert guarded in (text, f"'{text}")


@given(*[st.text("'= \tx", max_size=5)] * 2)
def test_different_texts_stay_different(one: str, two: str) -> None:
    assert (guard_text(one) == guard_text(two)) == (one == two)


@given(st.text("'= \t\n+-@x＝\ufeff", max_size=6) | _TEXTS)
def test_the_guard_can_be_taken_off_again(text: str) -> None:
    assert unguarded_text(guard_text(text)) == text


def test_numbers_are_never_guarded() -> None:
    table = b"".join(csv_pieces(matrix_rows(np.array([[-1.0]]), ["-"], ["+"])))
    assert table == b",'+\r\n'-,-1.0\r\n"


def test_a_large_table_comes_in_pieces_of_bounded_size() -> None:
    values = np.full((2000, 50), 1 / 3)
    pieces = list(csv_pieces(bare_rows(values)))
    assert len(pieces) > 10
    assert max(map(len, pieces)) < 2**16 + 2000
    assert len(_table(b"".join(pieces))) == 2000


def test_a_lone_surrogate_is_written_out_rather_than_failing() -> None:
    assert b"".join(csv_pieces([["\ud800"]])) == b"\\ud800\r\n"


def test_labels_that_do_not_fit_the_rows_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="zip"):
        list(matrix_rows(np.ones((2, 1)), ["a"], ["b"]))
