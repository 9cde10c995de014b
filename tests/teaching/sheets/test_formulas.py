"""Formulas that only typeset."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.teaching.sheets.formulas import formula_tex, safe_formula


@pytest.mark.parametrize(
    "formula",
    [
        r"Q K^\top",
        r"\frac{1}{\sqrt{d_k}}",
        r"\mathrm{softmax}\left(x_i\right)",
        r"\sum_j \alpha_{ij}",
        r"50\,\%",
        r"x'^2 + f''(x)_i^{-1}",
        r"x_\text{max}^\frac12 \cdot A^\mathrm{T}",
        r"\frac\alpha2 - \sqrt[3]{x_i}",
        r"\left\{ \left| x \right|^2 \right.",
        r"\text{for 1\,\% of all}",
        r"{x^a}^b",
    ],
)
def test_usual_formulas_stay(formula: str) -> None:
    assert formula_tex(formula) == f"${formula}$"


@pytest.mark.parametrize(
    "formula",
    [
        r"\input{/etc/passwd}",
        r"\write18{ls}",
        r"\immediate\write18{ls}",
        r"\def\x{1}",
        r"\csname input\endcsname",
        r"\catcode`\%=12",
        r"a $ b",
        r"a % b",
        "a ^^5cinput b",
        r"a} \end{document} {b",
        r"}{",
        "a\\",
        r"\\[1cm]",
        r"\begin{x}",
    ],
)
def test_hostile_formulas_become_text(formula: str) -> None:
    assert safe_formula(formula) is None
    assert not re.search(
        r"\\(input|write|def|csname|end|begin|catcode)", formula_tex(formula)
    )


@pytest.mark.parametrize(
    "formula",
    [
        r"\left( x",
        r"x \right)",
        r"\right) x \left(",
        r"\left x \right)",
        r"\left( {x \right)}",
        "x^a^b",
        "x_a_b",
        "x^a_b^c",
        "x^a'",
        "x^",
        "x^_a",
        "{x^}",
        r"x^\left(a\right)",
        r"x^\hat{a}",
        r"\frac",
        r"\frac{a}",
        r"\frac{a}^b",
        r"\frac a\sqrt{b}",
        r"\sqrt[3",
        r"\hat}",
        r"\text a",
        r"\text{x_i}",
        r"\text{\alpha}",
        "{" * 10**5 + "}" * 10**5,
        "",
        "  ",
    ],
)
def test_formulas_that_latex_cannot_typeset_become_text(formula: str) -> None:
    assert safe_formula(formula) is None
    assert "$" not in formula_tex(formula)


@given(st.text(alphabet="\\{}$%#&~^_ab1 "))
def test_braces_are_balanced_and_nothing_is_left_open(formula: str) -> None:
    written = re.sub(r"\\.", "", formula_tex(formula))
    assert written.count("{") == written.count("}")
    assert written.count("$") % 2 == 0
    assert "%" not in written
