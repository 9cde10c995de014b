"""Every operation in every notation, against strings written by hand."""

import math

import numpy as np
import pytest

from attnviewer.compute import expression as ex
from attnviewer.compute import functions as fn
from attnviewer.compute.expression import Cell, Number, Operation, Sum
from attnviewer.compute.notation import (
    LATEX,
    NUMPY,
    TORCH,
    Program,
    Spreadsheet,
    plain_text,
    write,
)
from attnviewer.compute.rules import KEYS, SCORE, Named, Score

A, B, C = (Number(value) for value in (2.0, 3.0, 5.0))
NAMES = {SCORE: "x"}


def _text(expression) -> str:
    return plain_text(write(expression))


def _spreadsheet(expression, names=None) -> str:
    return Spreadsheet(lambda cell: f"{cell.step}!A1", names).text(expression)


def _all(expression) -> tuple[str, ...]:
    """Return it as text, LaTeX, NumPy, PyTorch and a formula of a spreadsheet."""
    return (
        _text(expression),
        LATEX.text(expression),
        Program(NUMPY).text(expression),
        Program(TORCH).text(expression),
        _spreadsheet(expression),
    )


EVERY = {
    ex.Sum: (A + B, "2 + 3", "2 + 3", "2 + 3", "2 + 3", "2+3"),
    ex.Difference: (A - B, "2 − 3", "2 - 3", "2 - 3", "2 - 3", "(2-3)"),
    ex.Product: (A * B, "2·3", r"2 \cdot 3", "2 * 3", "2 * 3", "2*3"),
    ex.Quotient: (A / B, "2 / 3", r"\frac{2}{3}", "2 / 3", "2 / 3", "(2/3)"),
    ex.Power: (A**B, "2³", "2^{3}", "2 ** 3", "2 ** 3", "POWER(2,3)"),
    ex.Maximum: (
        ex.Maximum(A, B),
        "max(2, 3)",
        r"\max\left(2, 3\right)",
        "np.maximum(2, 3)",
        "torch.maximum(2, 3)",
        "MAX(2,3)",
    ),
    ex.Negative: (-A, "−2", "-2", "-2", "-2", "(-2)"),
    fn.Exponential: (
        fn.Exponential(A),
        "e^2",
        "e^{2}",
        "np.exp(2)",
        "torch.exp(2)",
        "EXP(2)",
    ),
    fn.Logarithm: (
        fn.Logarithm(A),
        "log 2",
        r"\log\left(2\right)",
        "np.log(2)",
        "torch.log(2)",
        "LN(2)",
    ),
    fn.LogOnePlus: (
        fn.LogOnePlus(A),
        "log(1 + 2)",
        r"\log\left(1 + 2\right)",
        "np.log1p(2)",
        "torch.log1p(2)",
        "LN(1+2)",
    ),
    fn.Logistic: (
        fn.Logistic(A),
        "σ(2)",
        r"\sigma\left(2\right)",
        "1 / (1 + np.exp(-2))",
        "torch.sigmoid(2)",
        "(1/(1+EXP(MIN(700,-2))))",
    ),
    fn.SquareRoot: (
        fn.SquareRoot(A),
        "√2",
        r"\sqrt{2}",
        "np.sqrt(2)",
        "torch.sqrt(2)",
        "SQRT(2)",
    ),
    fn.HyperbolicTangent: (
        fn.HyperbolicTangent(A),
        "tanh(2)",
        r"\tanh\left(2\right)",
        "np.tanh(2)",
        "torch.tanh(2)",
        "TANH(2)",
    ),
    fn.Cosine: (
        fn.Cosine(A),
        "cos(2)",
        r"\cos\left(2\right)",
        "np.cos(2)",
        "torch.cos(2)",
        "COS(2)",
    ),
    fn.Sine: (
        fn.Sine(A),
        "sin(2)",
        r"\sin\left(2\right)",
        "np.sin(2)",
        "torch.sin(2)",
        "SIN(2)",
    ),
    fn.Absolute: (
        fn.Absolute(A),
        "|2|",
        r"\left|2\right|",
        "np.abs(2)",
        "torch.abs(2)",
        "ABS(2)",
    ),
}


def test_no_operation_is_missing_here() -> None:
    every = {
        kind
        for kind in (vars(ex) | vars(fn)).values()
        if isinstance(kind, type)
        and issubclass(kind, Operation)
        and not kind.__name__.startswith("_")
    }
    assert every - {Operation, ex.Function} == EVERY.keys()


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_an_operation_is_written_as_by_hand(kind) -> None:
    expression, *written = EVERY[kind]
    assert type(expression) is kind
    assert _all(expression) == tuple(written)


PARENTHESES = {
    "a product of a sum": (
        (A + B) * C,
        "(2 + 3)·5",
        r"\left(2 + 3\right) \cdot 5",
        "(2 + 3) * 5",
        "(2 + 3) * 5",
        "(2+3)*5",
    ),
    "a difference of a difference": (
        A - (B - C),
        "2 − (3 − 5)",
        r"2 - \left(3 - 5\right)",
        "2 - (3 - 5)",
        "2 - (3 - 5)",
        "(2-(3-5))",
    ),
    "a quotient of a quotient": (
        A / (B / C),
        "2 / (3 / 5)",
        r"\frac{2}{\frac{3}{5}}",
        "2 / (3 / 5)",
        "2 / (3 / 5)",
        "(2/(3/5))",
    ),
    "a quotient by a product": (
        A / (B * C),
        "2 / (3·5)",
        r"\frac{2}{3 \cdot 5}",
        "2 / (3 * 5)",
        "2 / (3 * 5)",
        "(2/(3*5))",
    ),
    "a power of a power": (
        (A**B) ** C,
        "(2³)⁵",
        r"\left(2^{3}\right)^{5}",
        "(2 ** 3) ** 5",
        "(2 ** 3) ** 5",
        "POWER(POWER(2,3),5)",
    ),
    "the opposite of a sum": (
        -(A + B),
        "−(2 + 3)",
        r"-\left(2 + 3\right)",
        "-(2 + 3)",
        "-(2 + 3)",
        "(-(2+3))",
    ),
    "an exponential of a difference": (
        fn.Exponential(A - B),
        "e^(2 − 3)",
        "e^{2 - 3}",
        "np.exp(2 - 3)",
        "torch.exp(2 - 3)",
        "EXP((2-3))",
    ),
    "a product with a negative number": (
        A * Number(-3.0),
        "2·(−3)",
        r"2 \cdot \left(-3\right)",
        "2 * (-3)",
        "2 * (-3)",
        "2*(-3)",
    ),
    "a power of a negative number": (
        Number(-3.0) ** A,
        "(−3)²",
        r"\left(-3\right)^{2}",
        "(-3) ** 2",
        "(-3) ** 2",
        "POWER(-3,2)",
    ),
    "a sum with a negative number": (
        A + Number(-3.0),
        "2 − 3",
        "2 - 3",
        "2 - 3",
        "2 - 3",
        "2-3",
    ),
    "a sum of one term": (Sum((A,)) * B, "2·3", r"2 \cdot 3", *["2 * 3"] * 2, "2*3"),
}


@pytest.mark.parametrize("name", PARENTHESES)
def test_parentheses_stand_where_they_are_needed_alone(name) -> None:
    expression, *written = PARENTHESES[name]
    assert _all(expression) == tuple(written)


_OTHERS = {name: expression for name, (expression, *_) in PARENTHESES.items()}
_COMPUTED = {kind.__name__: expression for kind, (expression, *_) in EVERY.items()}
_computed = pytest.mark.parametrize(
    "expression", [*_COMPUTED.values(), *_OTHERS.values()], ids=[*_COMPUTED, *_OTHERS]
)


class _Torch:
    """What programs with PyTorch call, for numbers."""

    def __getattr__(self, name: str):
        return getattr(np, name)

    @staticmethod
    def sigmoid(x: float) -> float:
        return 1 / (1 + math.exp(-x))


_FUNCTIONS = {
    "EXP": math.exp,
    "LN": math.log,
    "SQRT": math.sqrt,
    "POWER": math.pow,
    "TANH": math.tanh,
    "COS": math.cos,
    "SIN": math.sin,
    "ABS": abs,
    "MAX": max,
    "MIN": min,
}
"""What the functions of a spreadsheet compute; its operators are Python's."""


@_computed
def test_programs_and_spreadsheets_compute_what_is_written(expression) -> None:
    want = expression.evaluate()
    numpy, torch = Program(NUMPY).text(expression), Program(TORCH).text(expression)
    assert eval(numpy, {"np": np}) == pytest.approx(want, rel=1e-15)
    assert eval(torch, {"torch": _Torch()}) == pytest.approx(want, rel=1e-15)
    formula = _spreadsheet(expression)
    assert eval(formula, dict(_FUNCTIONS)) == pytest.approx(want, rel=1e-15)


@pytest.mark.parametrize("value", [-3.0, 2.5, 1e-9, 1e30, 0.1 + 0.2])
def test_numbers_of_programs_and_spreadsheets_read_back_bit_for_bit(value) -> None:
    number = Number(value)
    assert float(Program(NUMPY).text(number)) == value
    assert float(_spreadsheet(number)) == value


def test_a_number_with_a_cell_is_its_reference_in_a_spreadsheet() -> None:
    number = Number(-2.0, Cell("Q", (0, 0)))
    assert _spreadsheet(A * number) == "2*Q!A1"
    assert [p.cell for p in write(A * number) if p.kind == "number"] == [
        None,
        Cell("Q", (0, 0)),
    ]


def test_symbols_are_written_under_their_names() -> None:
    rule = fn.Exponential(SCORE - 1) / 2
    assert Program(NUMPY, NAMES).text(rule) == "np.exp(x - 1) / 2"
    assert Program(TORCH, NAMES).text(rule) == "torch.exp(x - 1) / 2"
    assert _spreadsheet(rule, NAMES) == "(EXP((x-1))/2)"


def test_a_named_part_is_written_out_where_it_has_no_name_here() -> None:
    total = Named("total", A + B)
    assert _text(C / total) == "5 / (2 + 3)"
    assert Program(NUMPY, {total: "total"}).text(C / total) == "5 / total"


def test_terms_that_are_left_out_stand_together() -> None:
    total = Sum((A, B), omitted=4, remainder=-4.0)
    assert _text(total) == "2 + 3 + 4 more = −4"
    assert LATEX.text(total) == r"2 + 3 + \underbrace{-4}_{4\ \text{more}}"
    for notation in (Program(NUMPY), Spreadsheet(str)):
        with pytest.raises(ValueError, match="cannot leave out terms"):
            notation.text(total)


def test_a_sum_without_terms_is_0() -> None:
    assert _all(Sum(())) == ("0", "0", "0", "0", "0")


def test_a_symbol_without_a_name_is_not_passed_over() -> None:
    assert isinstance(SCORE, Score)
    with pytest.raises(KeyError):
        Program(NUMPY).text(SCORE + KEYS)
