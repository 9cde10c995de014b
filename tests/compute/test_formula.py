"""What expressions evaluate to, also where numbers leave the range."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import (
    Difference,
    Exponential,
    Expression,
    HyperbolicTangent,
    Number,
    Power,
    Quotient,
    Sum,
)
from attnviewer.compute.formula import shortened


def _power(base: float, exponent: float) -> Expression:
    return Power(Number(base), Number(exponent))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (Exponential(Number(0.0)), 1.0),
        (Exponential(Number(709.0)), 8.218407461554972e307),
        (Exponential(Number(710.0)), math.inf),
        (Exponential(Number(math.inf)), math.inf),
        (Exponential(Number(-1e9)), 0.0),
        (Exponential(Number(math.nan)), math.nan),
        (HyperbolicTangent(Number(0.0)), 0.0),
        (HyperbolicTangent(Number(math.log(3) / 2)), 0.5),
        (HyperbolicTangent(Number(-math.inf)), -1.0),
        (HyperbolicTangent(Number(math.nan)), math.nan),
        (_power(3.0, 2.0), 9.0),
        (_power(-3.0, 3.0), -27.0),
        (_power(4.0, 0.5), 2.0),
        (_power(2.0, -2.0), 0.25),
        (_power(0.0, 0.0), 1.0),
        (_power(0.0, -1.0), math.inf),
        (_power(1e200, 2.0), math.inf),
        (_power(-1e200, 3.0), -math.inf),
        (_power(-2.0, 0.5), math.nan),
        (_power(math.nan, 2.0), math.nan),
    ],
)
def test_an_expression_has_its_value_and_raises_no_error(expression, value) -> None:
    evaluated = expression.evaluate()
    assert type(evaluated) is float
    assert evaluated == pytest.approx(value, rel=1e-14, nan_ok=True)


def test_half_a_score_above_the_threshold_is_squared() -> None:
    # A weight of 1.5-entmax: (s / 2 − τ)² with s = 3 and τ = 0.75.
    half = Quotient(Number(3.0), Number(2.0))
    weight = Power(Difference(half, Number(0.75)), Number(2.0))
    assert weight.evaluate() == 0.5625


@given(st.floats(-20, 20))
def test_the_hyperbolic_tangent_is_what_exponentials_make_it(argument) -> None:
    grown, shrunk = math.exp(argument), math.exp(-argument)
    want = (grown - shrunk) / (grown + shrunk)
    value = HyperbolicTangent(Number(argument)).evaluate()
    assert value == pytest.approx(want, rel=1e-9, abs=1e-15)


def test_only_sums_that_are_too_long_are_written_anew_with_their_largest_terms() -> (
    None
):
    terms = tuple(map(Number, (1.0, -8.0, 2.0, 16.0, 4.0)))
    short, long = Sum(terms[:4]), Sum(terms)
    assert shortened(Quotient(short, Number(2.0)), 3).parts[0] is short
    found = shortened(Quotient(short, long), 3)
    assert found == Quotient(short, Sum((terms[1], terms[3], terms[4]), 2, 3.0))
    assert found.parts[0] is short
