"""Between the text in a cell and its number."""

import math
import struct
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document import exact_text, parse_number


def _bits(number: float) -> bytes:
    return struct.pack("<d", number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_exact_text_reads_back_as_the_same_bits(number: float) -> None:
    assert _bits(parse_number(exact_text(number))) == _bits(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_exact_text_is_no_longer_than_pythons_own(number: float) -> None:
    assert len(exact_text(number)) <= len(repr(number))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2.0, "2"),
        (-3.0, "-3"),
        (0.0, "0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e14, "100000000000000"),
        (1e15, "1000000000000000.0"),
        (1e300, "1e+300"),
        (2e-9, "2e-09"),
    ],
)
def test_whole_numbers_lose_their_point(number: float, text: str) -> None:
    assert exact_text(number) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1.0),
        (" 1.5\t", 1.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("-1e-3", -0.001),
        ("1E5", 1e5),
        ("−2.5", -2.5),
        ("1.7976931348623157e308", 1.7976931348623157e308),
    ],
)
def test_numbers_are_read_as_people_type_them(text: str, number: float) -> None:
    assert parse_number(text) == number


def test_minus_zero_keeps_its_sign() -> None:
    assert math.copysign(1.0, parse_number("-0")) == -1.0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Type a number, such as 0.5 or 1e-3."),
        ("  ", "Type a number, such as 0.5 or 1e-3."),
        ("1,5", "Write decimals with a point: 1.5"),
        (",5", "Write decimals with a point: 0.5"),
        ("-1,5e3", "Write decimals with a point: -1.5e3"),
        ("nan", "The number must be finite. Got nan instead."),
        ("-inf", "The number must be finite. Got -inf instead."),
        ("Infinity", "The number must be finite. Got Infinity instead."),
        ("1e999", "1e999 is too large: the limit is about 1.8e308."),
        ("abc", "“abc” is not a number."),
        ("1 2", "“1 2” is not a number."),
        ("1_000", "“1_000” is not a number."),
        ("0x10", "“0x10” is not a number."),
        ("1,000.5", "“1,000.5” is not a number."),
        ("--1", "“--1” is not a number."),
        ("1e", "“1e” is not a number."),
        ("\u0663", "“\u0663” is not a number."),
        ("x" * 30, f"“{'x' * 23}…” is not a number."),
    ],
)
def test_a_wrong_text_says_what_to_type_instead(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        parse_number(text)
    assert str(caught.value) == reason


@pytest.mark.parametrize("before", ["", "-", ".", "1.", "1,", "1e", "1.5e"])
def test_a_text_as_long_as_a_line_edit_can_hold_is_refused_at_once(before: str) -> None:
    text = before + "1" * 32_767 + "x"
    start = process_time()
    with pytest.raises(ValueError, match="is not a number"):
        parse_number(text)
    # One that tries every split of the digits needs half a minute.
    assert process_time() - start < 2


@given(st.text(max_size=12) | st.from_regex(r"[-+−.,0-9eE]{0,8}", fullmatch=True))
def test_what_is_not_refused_is_the_finite_number_that_the_text_says(text: str) -> None:
    try:
        number = parse_number(text)
    except ValueError:
        return
    assert math.isfinite(number)
    # Sums such as 0-0 have tests of their own.
    with suppress(ValueError):
        assert number == float(text.strip().replace("−", "-"))


@pytest.mark.parametrize("text", ["1e-400", "-2.5e-324000", "0.0001e-323"])
def test_a_number_that_would_become_zero_is_refused(text):
    with pytest.raises(ValueError, match="too small"):
        parse_number(text)


@pytest.mark.parametrize("text", ["0", "-0.0", "0e5", ".0E-9"])
def test_a_true_zero_is_none_that_became_one(text):
    assert parse_number(text) == 0


def test_a_bias_may_be_minus_infinity_and_nothing_else_without_an_end() -> None:
    for text in ("-inf", "−inf", "-Infinity", "−∞"):
        assert parse_number(text, infinite=True) == -math.inf
    assert parse_number(exact_text(-math.inf), infinite=True) == -math.inf
    for text in ("inf", "+inf", "∞", "nan"):
        with pytest.raises(ValueError, match="must be finite or −inf, which hides"):
            parse_number(text, infinite=True)
