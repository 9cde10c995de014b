"""Formulas filled with other numbers, beside those that are typeset with them."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import attnviewer
from attnviewer.compute import (
    NORMALIZERS,
    Cell,
    Difference,
    Exponential,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
    Sum,
)
from attnviewer.compute.expression import Named
from attnviewer.ui.paint.math import (
    Value,
    filled,
    flat,
    typeset,
    typeset_number,
    whole,
)
from attnviewer.ui.paint.math.tex import EQUALS
from attnviewer.ui.paint.theme import DARK, LIGHT

VALUES = (2.0, -3.0, 0.5, -0.25, 0.0, -0.0, 64.0, 1e-9, -1e-9, 1e9, -7.5e8)
VALUES += (math.inf, -math.inf, math.nan)
SCORE, QUERY = Cell("scores", (0, 2)), Cell("Q", (1, 0))


def forms(a: float, b: float, c: float) -> list[Expression]:
    """Return expressions of all kinds with three numbers, some of which are links."""
    x, y, z = Number(a, SCORE), Number(b, QUERY), Number(c)
    largest = Named("largest", Number(b, SCORE), "maxᵢ")
    return [
        x,
        Quotient(x, SquareRoot(z)),
        Exponential(Difference(x, largest)),
        Sum((Product(x, y), Product(y, z)), 52, c),
        Sum((z, Number(b), x)),
        Sum((Number(a),)),
        Sum(()),
        Sum((), 3, b),
        Power(x, z),
        Power(Exponential(y), z),
        Quotient(Exponential(x), Sum((Number(a), z, Exponential(y)))),
        Difference(Number(a), Sum((x, z))),
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_template_with_other_numbers_is_what_they_are_typeset_as(theme):
    rng = np.random.default_rng(3)
    for numbers in [(v, v, v) for v in VALUES] + rng.choice(VALUES, (80, 3)).tolist():
        for expression in forms(*numbers):
            assert filled(theme, expression).whole == typeset(expression, theme)


def test_every_step_of_every_rule_is_what_it_is_typeset_as():
    for seed in range(4):
        for step in _steps(seed):
            assert whole(filled(LIGHT, step)) == typeset(step, LIGHT)


def _steps(seed):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 4, 4))
    for normalizer in NORMALIZERS:
        trace = attnviewer.attention(q, k, v, normalizer=normalizer, temperature=2.0)
        for step in trace:
            for row in range(2):
                yield from trace.explain(step, (row, seed % 4), limit=3).steps


def test_numbers_of_the_same_kinds_share_what_stands_around_them():
    one, other = (filled(LIGHT, *_parts(v)) for v in (0.125, 17.5))
    assert one.template is other.template
    assert one != other
    assert other == filled(LIGHT, *_parts(17.5))
    assert other.whole == flat(
        typeset(Quotient(Number(17.5, SCORE), Number(8.0)), LIGHT),
        EQUALS,
        typeset_number("2.5", LIGHT, bold=True),
    )
    # What holds no number is laid out once.
    assert one.whole.parts[1] is other.whole.parts[1]
    for unlike in (-17.5, 1e-9):
        assert filled(LIGHT, *_parts(unlike)).template is not one.template


def _parts(value):
    quotient = Quotient(Number(value, SCORE), Number(8.0))
    return quotient, EQUALS, Value("2.5", bold=True)


@dataclass(frozen=True)
class Unwritten(Expression):
    """An expression that no notation has a form for."""


def test_an_expression_without_a_form_is_no_template():
    with pytest.raises(KeyError):
        filled(LIGHT, Unwritten())
