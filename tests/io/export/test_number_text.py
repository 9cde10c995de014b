"""Numbers as text: fast, exact, and with as few digits as `repr` needs."""

import sys
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.io.export.number_text import (
    encode_plainly,
    find_encoder,
    number_text,
)

ENCODERS = find_encoder(), encode_plainly
_ENCODERS = pytest.mark.parametrize("encoder", ENCODERS, ids=["orjson", "msgspec"])


def test_the_fast_encoder_is_the_optional_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_encoder() is not encode_plainly
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert find_encoder() is encode_plainly


def _digits(text: str) -> str:
    """Return what of a number is neither sign nor point nor exponent nor padding."""
    mantissa = text.lstrip("-").partition("e")[0]
    return mantissa.replace(".", "").strip("0")


def _check(encoder: Callable, row: np.ndarray) -> None:
    texts = number_text(row, encoder=encoder).decode("ascii").split(",")
    read = np.array([float(text) for text in texts])
    numbers = ~np.isnan(row)
    np.testing.assert_array_equal(numbers, ~np.isnan(read))
    np.testing.assert_array_equal(  # signs of zeros, too
        row[numbers].view(np.uint64), read[numbers].view(np.uint64)
    )
    # Python's own digits are the fewest that read back.
    assert list(map(_digits, texts)) == [_digits(repr(v)) for v in row.tolist()]


@_ENCODERS
@given(row=arrays(np.float64, st.integers(1, 30), elements=st.floats(width=64)))
def test_any_number_reads_back_and_has_no_digit_too_many(encoder, row) -> None:
    _check(encoder, row)


@_ENCODERS
def test_numbers_of_every_size_read_back_and_have_no_digit_too_many(encoder) -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**64, 20_000, dtype=np.uint64)  # all exponents alike
    sizes = 10 ** rng.uniform(-12, 18, 20_000) * rng.choice([-1, 1], 20_000)
    round_ones = [float(f"{d}e{e}") for d in (1, -9.9, 15) for e in range(-30, 30)]
    for row in (bits.view(np.float64), sizes, sizes.round(5), np.array(round_ones)):
        _check(encoder, row)


@_ENCODERS
def test_usual_numbers_and_what_is_not_finite_are_written_by_hand(encoder) -> None:
    row = np.array([0.0, -0.0, 1.0, -2.5, 0.0001, 10.0000999, np.inf, -np.inf, np.nan])
    want = b"0.0,-0.0,1.0,-2.5,0.0001,10.0000999,inf,-inf,nan"
    assert number_text(row, encoder=encoder) == want


@given(arrays(np.float64, st.integers(1, 9), elements=st.floats(width=64)))
def test_quoted_rows_are_json_with_words_for_what_has_no_number(row) -> None:
    read = msgspec.json.decode(b"[" + number_text(row, quoted=True) + b"]")
    assert [type(item) is str for item in read] == (~np.isfinite(row)).tolist()
    # NumPy takes the words for the numbers.
    got = np.array(read, dtype=np.float64)
    np.testing.assert_array_equal(got, row)
    assert (np.signbit(got) == np.signbit(row))[~np.isnan(row)].all()


@given(arrays(np.float32, st.integers(1, 9), elements=st.floats(width=32)))
def test_numbers_of_lower_precision_are_written_as_doubles(row: np.ndarray) -> None:
    read = [float(text) for text in number_text(row).decode().split(",")]
    np.testing.assert_array_equal(np.array(read), row.astype(np.float64))


def test_truth_values_are_numbers() -> None:
    assert number_text(np.array([True, False])) == b"1.0,0.0"


def test_a_row_that_lies_apart_in_memory_is_written() -> None:
    columns = np.arange(6.0).reshape(3, 2)
    columns.flags.writeable = False
    assert number_text(columns[:, 1]) == b"1.0,3.0,5.0"
    assert number_text(columns[:, 1].astype(">f8")) == b"1.0,3.0,5.0"
