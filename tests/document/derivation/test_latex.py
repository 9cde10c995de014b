"""Formulas as LaTeX: written by hand, as a person would set them."""

import math
import re

import numpy as np
import pytest

from attnviewer import attention, multi_head_attention
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
    Spec,
    SquareRoot,
    Sum,
    run,
)
from attnviewer.document import Derivation, Labels
from attnviewer.document.derivation import (
    expression_latex,
    formula_latex,
    symbols_latex,
    worked_latex,
)
from attnviewer.document.derivation.latex import name_latex, text_latex
from tests.documents import FOUR_WORDS


def n(value, cell=None):
    return Number(float(value), cell)


@pytest.mark.parametrize(
    ("expression", "latex"),
    [
        (n(2), "2"),
        (n(0.25), "0.250"),
        (n(-3), "-3"),
        (n(-7.4e-9), r"-7.40 \cdot 10^{-9}"),
        (n(-math.inf), r"-\infty"),
        (n(math.nan), r"\mathrm{NaN}"),
        (Sum((n(1), n(2))), "1 + 2"),
        (Sum((n(4), n(-6))), "4 - 6"),
        (Sum((n(4), n(-6, Cell("X", (0, 0))))), r"4 + \left(-6\right)"),
        (Sum((n(1),), 52, 0.31), r"1 + \underbrace{0.310}_{52\ \text{more}}"),
        (Sum(()), "0"),
        (Sum((Difference(n(1), n(2)),)), "1 - 2"),
        (Difference(n(5.77), n(-1)), r"5.77 - \left(-1\right)"),
        (Difference(n(1), Difference(n(2), n(3))), r"1 - \left(2 - 3\right)"),
        (Product(n(2), n(-3)), r"2 \cdot \left(-3\right)"),
        (Product(Sum((n(1), n(2))), n(3)), r"\left(1 + 2\right) \cdot 3"),
        (Quotient(n(10), SquareRoot(n(3))), r"\frac{10}{\sqrt{3}}"),
        (Quotient(Sum((n(1), n(2))), n(-3)), r"\frac{1 + 2}{-3}"),
        (Exponential(Difference(n(1), n(2))), "e^{1 - 2}"),
        (SquareRoot(Sum((n(1), n(2)))), r"\sqrt{1 + 2}"),
        (Power(n(3), n(2)), "3^{2}"),
        (Power(n(-3), n(2)), r"\left(-3\right)^{2}"),
        (Power(Quotient(n(1), n(2)), n(2)), r"\left(\frac{1}{2}\right)^{2}"),
        (Power(Exponential(n(1)), n(2)), r"\left(e^{1}\right)^{2}"),
        (HyperbolicTangent(n(-2)), r"\tanh\left(-2\right)"),
        (
            Product(n(50), HyperbolicTangent(Quotient(n(10), n(50)))),
            r"50 \cdot \tanh\left(\frac{10}{50}\right)",
        ),
    ],
)
def test_expressions_are_set_with_the_parentheses_they_need(expression, latex):
    assert expression_latex(expression) == latex


@pytest.mark.parametrize(
    ("symbols", "latex"),
    [
        ("Qᵢ · Kⱼ", r"Q_{i} \cdot K_{j}"),
        (
            "e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)",
            r"e^{s_{ij} - \max_{i}} / \sum_{k} e^{s_{ik} - \max_{i}}",
        ),
        ("scoresᵢⱼ / √d_k", r"\mathrm{scores}_{ij} / \sqrt{d_{k}}"),
        ("(Qᵢₖ − μ) / √(a + ε)", r"(Q_{ik} - \mu) / \sqrt{a + \varepsilon}"),
        ("√((a − b)²) / (1 + c)", r"\sqrt{(a - b)^2} / (1 + c)"),
        ("Qᵢⱼ / √Σ Qᵢₖ²", r"Q_{ij} / \sqrt{\sum Q_{ik}^2}"),
        (
            "Xᵢ · W_Q, column j, + b_Qⱼ",
            r"X_{i} \cdot W_{Q}, \mathrm{column} \ j, + b_{Q, j}",
        ),
        ("(rotated Q)ᵢ · Kⱼ", r"(\mathrm{rotated} \ Q)_{i} \cdot K_{j}"),
        ("max(0, maxₖ sᵢₖ)", r"\max(0, \max_{k} s_{ik})"),
        ("sin(2 / 10000^(0 / d_model))", r"\sin(2 / 10000^{0 / d_{\mathrm{model}}})"),
        ("K, extra_keys", r"K, \mathrm{extra\_keys}"),
        ("max(0, sᵢⱼ − τᵢ)²", r"\max(0, s_{ij} - \tau_{i})^2"),
        ("−∞", r"-\infty"),
    ],
)
def test_rules_in_symbols_are_set_as_in_papers(symbols, latex):
    assert symbols_latex(symbols) == latex


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        ("Q Kᵀ", r"Q \ K^\top"),
        ("Q / ‖Q‖, row by row", r"Q / \|Q\|\text{, row by row}"),
        ("heads side by side", r"\text{heads side by side}"),
        (
            "scaled, −∞ where the key is padding",
            r"\mathrm{scaled}\text{, } -\infty \text{ where the key is padding}",
        ),
        (
            "rows of rotated K, then extra_keys",
            r"\text{rows of rotated K}\text{, then extra\_keys}",
        ),
        (
            "sin and cos of position / 10000^(2k / d_model)",
            r"\text{sin and cos of position} / 10000^{2k / d_{\mathrm{model}}}",
        ),
    ],
)
def test_what_a_formula_says_in_words_stays_words(formula, latex):
    assert formula_latex(formula) == latex


def test_texts_are_escaped():
    assert text_latex(r"50%_{x}\y&#$~^") == (
        r"\text{50\%\_\{x\}\textbackslash{}y\&\#\$\textasciitilde{}\textasciicircum{}}"
    )


def test_a_cell_bears_its_step_its_head_and_its_tokens():
    cell = Cell("rotated Q", (1, 0, 2))
    assert (
        name_latex(cell, "a_b", "2") == r"\mathrm{rotated} \ Q^{(1)}_{\text{a\_b}, 2}"
    )
    assert name_latex(Cell("X + P", (0, 1)), "the", "1") == r"(X + P)_{\text{the}, 1}"


def test_what_is_opened_is_set_below():
    arrays = {name: np.array(array, float) for name, array in FOUR_WORDS.items()}
    tokens = ("word 1", "word 2", "word 3", "word 4")
    derivation = Derivation(run(Spec(), arrays), Labels(tokens, tokens))
    scaled = derivation.of(Cell("scaled", (0, 2)))
    derivation.open(scaled)
    assert worked_latex(scaled, derivation) == "\n".join(
        [
            r"\begin{align*}",
            r"  \mathrm{scaled}_{\text{word 1}, \text{word 3}}"
            r" &= \mathrm{scores}_{ij} / \sqrt{d_{k}} \\",
            r"  &= \frac{10}{\sqrt{3}} \\",
            r"  &= 5.7735 \\",
            r"  \mathrm{scores}_{\text{word 1}, \text{word 3}}"
            r" &= 2 \cdot 2 + 0 \cdot 4 + 2 \cdot 3 \\",
            r"  &= 4 + 0 + 6 \\",
            r"  &= 10",
            r"\end{align*}",
            "",
        ]
    )


def traces():
    random = np.random.default_rng(0)
    for normalizer in NORMALIZERS:
        for positions in ("sinusoidal", "rope", "alibi"):
            yield multi_head_attention(
                random.normal(size=(3, 4)),
                *random.normal(size=(4, 4, 4)),
                **{f"b_{side}": random.normal(size=4) for side in "qkvo"},
                n_heads=2,
                n_kv_heads=2,
                extra_keys=random.normal(size=(1, 4)),
                extra_values=random.normal(size=(1, 4)),
                bias=random.normal(size=(3, 3)),
                softcap=3.0,
                positions=positions,
                normalizer=normalizer,
                causal=True,
            )
    for score in ("cosine", "general", "additive"):
        names = {"cosine": (), "general": ("w",)}.get(score, ("w_q", "w_k", "v"))
        weights = {name: random.normal(size=(4, 4)) for name in names if name != "v"}
        yield attention(
            *random.normal(size=(3, 3, 4)),
            score=score,
            score_weights=weights | ({"v": np.ones(4)} if "v" in names else {}),
        )


@pytest.mark.parametrize("trace", list(traces()))
def test_every_step_of_every_variant_is_well_formed(trace):
    for step in trace:
        index = tuple(size - 1 for size in trace.shape(step))
        if len(index) < 2:
            continue
        derivation = Derivation(trace, Labels(("a_1",) * 9, ("b%",) * 9))
        worked = derivation.of(Cell(step, index))
        derivation.open_first(worked)
        latex = worked_latex(worked, derivation)
        assert latex.isascii(), latex
        assert latex.count(r"\left") == latex.count(r"\right")
        bare = re.sub(r"\\[{}%_&#$]", "", latex)
        assert bare.count("{") == bare.count("}")
        # Two subscripts or superscripts in a row are an error.
        assert not re.search(r"([_^])\{[^{}]*\}\1", bare)
        lines = bare.splitlines()[1:-1]
        assert all(line.count("&") == 1 for line in lines)
