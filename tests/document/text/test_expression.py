"""Arithmetic in cells, against Python's own and against values worked by hand."""

import math
import operator
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document import parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1/3", 0.3333333333333333),
        ("-2**2", -4.0),
        ("(-2)**2", 4.0),
        ("2**-0.5", 0.7071067811865476),
        ("2^3^2", 512.0),
        ("2**3**2", 512.0),
        ("10-4-3", 3.0),
        ("2+3*4", 14.0),
        ("12/2*3", 18.0),
        ("1--2", 3.0),
        ("2*-3", -6.0),
        ("pi/4", 0.7853981633974483),
        ("e", 2.718281828459045),
        ("-sqrt(2)", -1.4142135623730951),
        ("exp(0) + log(1)", 1.0),
        ("sin(0)", 0.0),
        ("cos(pi)", -1.0),
        ("tanh(0.5)", 0.46211715726000973),
        ("SQRT(9)", 3.0),
        ("((((1))))", 1.0),
        ("=1/4", 0.25),
        ("= 5", 5.0),
        ("3−1", 2.0),
        ("2·3", 6.0),
        ("2 × 3", 6.0),
        (".5*4.", 2.0),
        ("1e3/1e-3", 1e6),
        ("-0*1", -0.0),
    ],
)
def test_arithmetic_is_worked_out_as_python_does(text: str, number: float) -> None:
    result = parse_number(text)
    assert result == number
    assert math.copysign(1, result) == math.copysign(1, number)


NOT = "is not a number"
LARGE = "is too large: the limit is about 1.8e308."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1/0", f"“1/0” {NOT}: it divides by zero."),
        ("0**-1", f"“0**-1” {NOT}: it divides by zero."),
        ("log(0)", f"“log(0)” {NOT}: log needs a number above 0."),
        ("sqrt(-1)", f"“sqrt(-1)” {NOT}: sqrt needs a number 0 and above."),
        ("(-8)**0.5", f"“(-8)**0.5” {NOT}: a number below 0 has whole powers only."),
        ("1e308*10", f"1e308*10 {LARGE}"),
        ("-1e308-1e308", f"-1e308-1e308 {LARGE}"),
        ("exp(1000)", f"exp(1000) {LARGE}"),
        ("10**400", f"10**400 {LARGE}"),
        ("9**9**9", f"9**9**9 {LARGE}"),
        ("1/1e-320", f"1/1e-320 {LARGE}"),
        ("1e-400*2", "1e-400 is too small: it would become 0."),
        ("2*1e999", f"1e999 {LARGE}"),
        ("0,5*2", "Write decimals with a point: 0.5*2"),
        ("sqrt(,25)", "Write decimals with a point: sqrt(0.25)"),
        ("0,5/0", f"“0,5/0” {NOT}: it divides by zero."),
        ("(1+2", f"“(1+2” {NOT}: a parenthesis is not closed."),
        ("1+2)", f"“1+2)” {NOT}."),
        ("1/", f"“1/” {NOT}."),
        ("*2", f"“*2” {NOT}."),
        ("2pi", f"“2pi” {NOT}."),
        ("2(3)", f"“2(3)” {NOT}."),
        ("pi(3)", f"“pi(3)” {NOT}."),
        ("sin", f"“sin” {NOT}."),
        ("()", f"“()” {NOT}."),
        ("=", "Type a number, such as 0.5 or 1e-3."),
        ("==1", f"“=1” {NOT}."),
        ("1 if 1 else 2", f"“1 if 1 else 2” {NOT}."),
        ("inf-inf", f"“inf-inf” {NOT}."),
        (
            "sqr(4)",
            f"“sqr(4)” {NOT}: there is no function “sqr”, "
            "but sqrt, exp, log, sin, cos, tanh.",
        ),
    ],
)
def test_what_cannot_be_worked_out_is_refused_in_a_sentence(
    text: str, reason: str
) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        parse_number(text)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "2**" * 100 + "2",
        "-(" * 90 + "1" + ")" * 90,
        "sqrt(" * 60 + "1" + ")" * 60,
        "1+" * 100_000 + "1",
        "1,1" * 100_000,
        "**" * 200,
        "," * 100_000,
        "__import__('os')",
        "x" * 100_000 + "(",
    ],
)
def test_a_hostile_text_is_refused_at_once(text: str) -> None:
    start = process_time()
    with pytest.raises(ValueError, match=NOT):
        parse_number(text)
    assert process_time() - start < 1


# Trees of arithmetic as their text and what Python makes of them; None where that
# is no finite number.
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
Tree = tuple[str, float | None]


def joined(left: Tree, sign: str, right: Tree) -> Tree:
    text = f"({left[0]}){sign}({right[0]})"
    if left[1] is None or right[1] is None:
        return text, None
    try:
        number = OPERATORS[sign](left[1], right[1])
    except (ZeroDivisionError, OverflowError):
        return text, None
    finite = isinstance(number, float) and math.isfinite(number)
    return text, number if finite else None


def negated(tree: Tree) -> Tree:
    return f"-({tree[0]})", None if tree[1] is None else -tree[1]


leaves = st.floats(0, 1e6, allow_subnormal=False).map(lambda x: (repr(x), x))
trees = st.recursive(
    leaves,
    lambda inner: (
        st.builds(joined, inner, st.sampled_from(sorted(OPERATORS)), inner)
        | inner.map(negated)
    ),
    max_leaves=8,
)


@given(trees)
def test_trees_of_arithmetic_have_the_very_bits_of_pythons(tree: Tree) -> None:
    text, number = tree
    if number is None:
        with pytest.raises(ValueError, match=r"not a number|too large"):
            parse_number(text)
    else:
        assert repr(parse_number(text)) == repr(number)


@given(
    st.lists(st.sampled_from(["+", "-", "*", "/", "**"]), min_size=1, max_size=5),
    st.data(),
)
def test_signs_bind_as_strongly_as_in_python(signs: list[str], data) -> None:
    terms = [
        data.draw(st.sampled_from(["", "-"])) + data.draw(st.sampled_from("123")) + ".0"
        for _ in range(len(signs) + 1)
    ]
    text = terms[0] + "".join(s + t for s, t in zip(signs, terms[1:], strict=True))
    try:
        expected = eval(text)
    except OverflowError:
        with pytest.raises(ValueError, match="too large"):
            parse_number(text)
        return
    assert repr(parse_number(text)) == repr(expected)
