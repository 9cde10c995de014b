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


@given(st.text(alphabet="\\{}$%#&~^_ab1 "))
def test_braces_are_balanced_and_nothing_is_left_open(formula: str) -> None:
    written = re.sub(r"\\.", "", formula_tex(formula))
    assert written.count("{") == written.count("}")
    assert written.count("$") % 2 == 0
    assert "%" not in written
