"""Rules, expressions and names typeset: as a person would set them by hand."""

import math

import numpy as np
import pytest

import attnviewer
from attnviewer.compute import (
    NORMALIZERS,
    Cell,
    Difference,
    Exponential,
    HyperbolicTangent,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
    Sum,
)
from attnviewer.compute.expression import Named
from attnviewer.compute.rules import SCORE, RowMaximum, RowSum, in_symbols
from attnviewer.ui.paint.math import (
    Atom,
    Big,
    Fenced,
    Fraction,
    Root,
    Row,
    Script,
    atoms,
    spoken,
    typeset,
    typeset_name,
    typeset_symbols,
)
from attnviewer.ui.paint.math.nodes import parts_of
from attnviewer.ui.paint.theme import LIGHT


def n(value, cell=None):
    return Number(float(value), cell)


def digits(text, cell=None):
    return Atom(text, mono=True, cell=cell)


CELL = Cell("scores", (0, 2))


@pytest.mark.parametrize(
    ("expression", "node"),
    [
        (n(10, CELL), digits("10", CELL)),
        (
            Quotient(n(10, CELL), SquareRoot(n(3))),
            Fraction(digits("10", CELL), Root(digits("3"))),
        ),
        (Exponential(n(2)), Script(Atom("e"), None, digits("2"))),
        (Power(n(3), n(2)), Script(digits("3"), None, digits("2"))),
        (
            Power(Exponential(n(3)), n(2)),
            Script(Fenced(Script(Atom("e"), None, digits("3"))), None, digits("2")),
        ),
        (
            n(-7.4e-9),
            Row((digits("−7.40"), Script(digits("·10"), None, digits("−9")))),
        ),
    ],
)
def test_an_expression_is_typeset_with_its_cells(expression, node):
    assert typeset(expression, LIGHT) == node


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Product(n(2), n(-3)), "2·(−3)"),
        (Sum((n(4), n(-6), n(0.5))), "4 − 6 + 0.500"),
        (Sum((n(1), n(2)), 52, 0.31), "1 + 2 + 52 more = 0.310"),
        (Quotient(n(1), Sum((n(1), n(2)))), "1 / (1 + 2)"),
        (Exponential(Quotient(n(1), n(2))), "e^(1/2)"),
        (Exponential(n(-math.inf)), "e^(−∞)"),
        (HyperbolicTangent(Difference(n(1), n(2))), "tanh(1 − 2)"),
        (SquareRoot(Sum((n(1), n(2)))), "√(1 + 2)"),
        (n(math.nan), "NaN"),
    ],
)
def test_an_expression_is_read_out_as_it_is_written(expression, text):
    assert spoken(typeset(expression, LIGHT)) == text


def test_an_abbreviation_stands_for_its_part():
    largest = Named("largest", n(5.77, CELL), "maxᵢ")
    node = typeset(Exponential(Difference(n(1.15), largest)), LIGHT)
    assert spoken(node) == "e^(1.15 − mᵢ)"


def test_softmax_is_a_fraction_of_exponentials():
    node = typeset_symbols("e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)", LIGHT)
    assert isinstance(node, Fraction)
    assert isinstance(node.above, Script)
    assert node.above.base == Atom("e")
    assert isinstance(node.below, Row)
    assert node.below.parts[0] == Big("Σ", Atom("k", italic=True))


def test_a_sum_beside_a_fraction_stays_beside_it():
    node = typeset_symbols("Σₖ a / b", LIGHT)
    assert isinstance(node, Row)
    assert [type(part) for part in node.parts] == [Big, Fraction]


def test_a_weight_is_named_with_a_subscript():
    cell = Cell("W_Q", (0, 1))
    node = typeset_name("W_Q[0, 1]", LIGHT, cell)
    (w, q, *place) = atoms(node)
    assert (w.text, q.text) == ("W", "Q")
    assert {part.color for part in (w, q, *place)} == {LIGHT.query}
    assert {part.cell for part in (w, q, *place)} == {cell}
    assert spoken(node) == "W_Q[0, 1]"


@pytest.mark.parametrize("token", [r"\frac{1}{2}", "a^b", "{", "😀 b", "x_y", "]"])
def test_a_token_is_no_mathematics(token):
    name = f"weights[{token}, word 3]"
    assert spoken(typeset_name(name, LIGHT)) == name
    assert token.split(" ")[0] in "".join(
        atom.text for atom in atoms(typeset_name(name, LIGHT))
    )


def _traces():
    x = np.random.default_rng(0).normal(size=(3, 4))
    weights = [np.eye(4)] * 4
    for normalizer in NORMALIZERS:
        yield attnviewer.attention(x, x, x, normalizer=normalizer, temperature=2.0)
    yield attnviewer.attention(x, x, x, score="cosine", softcap=5.0, bias=np.eye(3))
    yield attnviewer.attention(x, x, x, scale=0.3, causal=True)
    inner = {"w": np.eye(4)}
    yield attnviewer.attention(x, x, x, score="general", score_weights=inner)
    inner = {"w_q": np.eye(4), "w_k": np.eye(4), "v": np.ones(4)}
    yield attnviewer.attention(x, x, x, score="additive", score_weights=inner)
    for positions in (
        attnviewer.Rotary(),
        attnviewer.Sinusoidal(),
        attnviewer.Alibi(),
    ):
        yield attnviewer.multi_head_attention(
            x, *weights, n_heads=2, positions=positions
        )


def _formulas():
    for trace in _traces():
        for step in trace:
            shape = trace.shape(step)
            for index in (tuple(0 for _ in shape), tuple(size - 1 for size in shape)):
                yield trace.explain(step, index)


def test_every_rule_comes_out_typeset():
    for formula in _formulas():
        for node in (
            typeset_symbols(formula.symbols, LIGHT),
            *(typeset(step, LIGHT) for step in formula.steps),
        ):
            text = "".join(atom.text for atom in atoms(node))
            assert not set(text) & set("\\{}^_√ᵢⱼₖ"), (formula.symbols, text)
            assert text.count("/") == len([*_slashes_in_scripts(node)])


def _slashes_in_scripts(node):
    """Yield the slashes of exponents, in which bars would be too small."""
    for part in parts_of(node):
        if isinstance(part, Script) and part.sup is not None:
            yield from (atom for atom in atoms(part.sup) if atom.text == "/")
        yield from _slashes_in_scripts(part)


def test_every_number_of_a_step_keeps_its_cell():
    for formula in _formulas():
        for step in formula.steps:
            linked = {atom.cell for atom in atoms(typeset(step, LIGHT))} - {None}
            named = {number.cell for number in _shown_numbers(step)} - {None}
            assert linked == named


def _shown_numbers(expression):
    if isinstance(expression, Named) and expression.symbol:
        return
    if isinstance(expression, Number):
        yield expression
    for part in expression.parts:
        yield from _shown_numbers(part)


def test_a_new_rule_of_a_stranger_comes_out_typeset():
    largest = Named("top", RowMaximum(SCORE), "tᵢ")
    power = Power(SCORE - largest, Number(2.0))
    rule = SquareRoot(power) / (1 + RowSum(power))
    node = typeset_symbols(in_symbols(rule).split(", ")[0], LIGHT)
    assert isinstance(node, Fraction)
    assert isinstance(node.above, Root)
    assert any(isinstance(part, Big) for part in node.below.parts)
