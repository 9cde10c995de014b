"""What explanations are written as: expressions, notes, cells."""

import math
from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings

from attnviewer.compute import (
    Cell,
    Difference,
    Exponential,
    Expression,
    Formula,
    HyperbolicTangent,
    IncrementalEngine,
    Number,
    Power,
    Product,
    Quotient,
    Spec,
    SquareRoot,
    Sum,
    Trace,
    numbers,
    run,
)
from attnviewer.compute.expression import Named
from attnviewer.compute.functions import Logarithm, Logistic
from attnviewer.compute.notation import LATEX

from .variants import traces

_WORDS = {
    "X": np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]),
    "W_Q": np.array([[2.0, 0, 2], [2, 0, 0], [2, 1, 2]]),
    "W_K": np.array([[2.0, 2, 2], [0, 2, 1], [0, 1, 1]]),
    "W_V": np.array([[1.0, 1, 0], [0, 1, 1], [0, 0, 0]]),
}


def _numbers(expression: Expression) -> Iterator[Number]:
    match expression:
        case Number():
            yield expression
        case Named():
            yield from _numbers(expression.body)
        case Sum():
            for term in expression.terms:
                yield from _numbers(term)
        case Difference() | Product():
            yield from _numbers(expression.left)
            yield from _numbers(expression.right)
        case Quotient():
            yield from _numbers(expression.numerator)
            yield from _numbers(expression.denominator)
        case Exponential() | Logarithm() | Logistic():
            yield from _numbers(expression.argument)
        case SquareRoot():
            yield from _numbers(expression.argument)
        case Power():
            yield from _numbers(expression.left)
            yield from _numbers(expression.right)
        case HyperbolicTangent():
            yield from _numbers(expression.argument)


def test_a_weight_walks_down_to_the_embeddings() -> None:
    trace = run(Spec(), _WORDS)
    weight = trace.explain("weights", (0, 2))
    assert round(weight.value, 4) == 0.7491
    first, second = weight.steps
    largest = Number(10 / math.sqrt(3), Cell("scaled", (0, 2)))
    assert isinstance(first, Quotient)
    named = Named("largest", largest, "maxᵢ")
    assert first.numerator == Exponential(Difference(largest, named))
    assert isinstance(second, Quotient)
    assert second.numerator == Number(1.0)

    (scaled,) = trace.explain("scaled", (0, 2)).steps
    score = Number(10.0, Cell("scores", (0, 2)))
    assert scaled == Quotient(score, SquareRoot(Number(3.0)))

    products, values = trace.explain("scores", (0, 2)).steps
    assert products == Sum(
        tuple(
            Product(Number(q, Cell("Q", (0, c))), Number(k, Cell("K", (2, c))))
            for c, (q, k) in enumerate([(2.0, 2.0), (0.0, 4.0), (2.0, 3.0)])
        )
    )
    assert values == Sum((Number(4.0), Number(0.0), Number(6.0)))

    q, _ = trace.explain("Q", (0, 0)).steps
    assert isinstance(q, Sum)
    assert q.terms[0] == Product(
        Number(1.0, Cell("X", (0, 0))), Number(2.0, Cell("W_Q", (0, 0)))
    )
    assert trace.explain("X", (0, 0)).steps == ()


def test_a_long_sum_writes_its_largest_terms_in_order_and_adds_up_the_rest() -> None:
    x = np.array([[1.0, 1.0, 1.0, 1.0, 1.0], [5.0, 1.0, -9.0, 2.0, -4.0]])
    trace = run(Spec(projected=False, scale=1.0), {"X": x})
    products, values = trace.explain("scores", (0, 1), limit=2).steps
    assert values == Sum((Number(5.0), Number(-9.0)), omitted=3, remainder=-1.0)
    assert products.evaluate() == values.evaluate() == -5.0


def test_the_terms_of_a_long_row_are_explained_from_a_single_reading(
    monkeypatch,
) -> None:
    x = np.random.default_rng(0).normal(size=(300, 2))  # more scores than are kept
    engine = IncrementalEngine(Spec(projected=False), {"X": x})
    trace = engine.trace()
    read: list[str] = []
    compute = Trace._compute
    monkeypatch.setattr(Trace, "_compute", lambda *a: read.append(a[1]) or compute(*a))
    explained = [trace.explain("scaled", (7, key)).value for key in range(5)]
    assert explained == pytest.approx((x[7] @ x[:5].T / 2**0.5).tolist())
    assert sorted(read) == ["scaled", "scores"]
    x[7] = 0
    engine.edit("X", (slice(7, 8), slice(None)))
    assert engine.trace().explain("scaled", (7, 1)).value == 0


@pytest.mark.parametrize(
    ("normalizer", "step", "note"),
    [
        ("softmax", "masked", "Masked: the key comes after the query."),
        (
            "softmax",
            "weights",
            "The score is −∞, as that of a masked key is: e^(−∞) = 0.",
        ),
        (
            "sum",
            "weights",
            "The score is −∞, as that of a masked key is, and counts as 0.",
        ),
    ],
)
def test_a_masked_cell_says_that_it_is_masked(normalizer, step, note) -> None:
    trace = run(Spec(causal=True, normalizer=normalizer), _WORDS)
    assert trace.explain(step, (0, 1)).note == note


@pytest.mark.parametrize("normalizer", ["softmax", "sum"])
@pytest.mark.parametrize("size", [1.7e308, 1e200, 1e154, 1e-200])
def test_numbers_beyond_the_range_are_explained_without_an_error(
    normalizer, size
) -> None:
    spec = Spec(projected=False, normalizer=normalizer)
    x = np.array([[size, size, size], [-size, size, -size], [1.0, -size, 0.0]])
    trace = run(spec, {"X": x})
    for step in trace:
        for index in np.ndindex(trace.shape(step)):
            formula = trace.explain(step, index, limit=1)
            assert all(isinstance(s.evaluate(), float) for s in formula.steps)
            assert formula.steps or formula.note or step == "X"


def test_terms_beyond_the_range_that_do_not_give_the_number_are_told() -> None:
    # 1e308² − 1e308² may be computed as +inf, −inf or NaN, and is NaN term by term.
    x = np.array([[1e308, 1e308], [1e308, -1e308]])
    trace = run(Spec(projected=False, scale=1.0), {"X": x})
    for index in np.ndindex(2, 2):
        formula = trace.explain("scores", index)
        worth = [step.evaluate() for step in formula.steps]
        agree = np.array_equal(worth, [formula.value] * 2, equal_nan=True)
        assert agree == formula.in_range
        assert ("beyond the range of floating-point" in formula.note) is not agree


@pytest.mark.parametrize(
    ("value", "worth", "agrees"),
    [
        (1.0, 1.5, True),
        (1.0, math.inf, False),
        (math.inf, math.nan, False),
        (math.inf, -math.inf, False),
        (math.inf, 1.0, False),
        (-math.inf, -math.inf, True),
        (math.nan, math.nan, True),
    ],
)
def test_a_formula_knows_whether_its_steps_leave_the_range(value, worth, agrees):
    formula = Formula(Cell("scores", (0, 0)), value, "s", (Number(worth),))
    assert formula.in_range is agrees


@settings(max_examples=30)
@given(traces())
def test_the_numbers_of_an_expression_are_those_its_tree_holds(trace) -> None:
    for step in trace:
        for index in np.ndindex(trace.shape(step)):
            for written in trace.explain(step, index).steps:
                assert list(numbers(written)) == list(_numbers(written))


@pytest.mark.parametrize("kind", [Number, Sum, *LATEX.forms])
def test_the_parts_of_every_kind_of_expression_are_all_it_is_made_of(kind) -> None:
    # Quoted annotations tell which fields hold expressions.
    inner = [field.name for field in fields(kind) if "Expression" in str(field.type)]
    parts = [Number(float(place)) for place in range(len(inner))]
    values = dict(zip(inner, parts, strict=True))
    if kind is Sum:
        parts = [Number(1.0), Number(2.0)]
        values = {"terms": tuple(parts)}
    if kind is Number:
        values = {"value": 1.0}
    assert list(kind(**values).parts) == parts


def test_the_cells_of_a_formula_come_once_each_in_reading_order() -> None:
    a, b = Cell("Q", (0, 0)), Cell("K", (1, 0))
    inner = Exponential(Difference(Number(1.0, a), Number(2.0, b)))
    below = Sum((SquareRoot(Number(3.0, b)), Product(Number(1.0, a), Number(1.0))))
    formula = Formula(Cell("weights", (0, 0)), 1.0, "", (Quotient(inner, below),))
    assert formula.cells == (a, b)
    assert Formula(a, 1.0, "given").cells == ()
