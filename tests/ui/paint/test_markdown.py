"""Markdown is read into paragraphs that the typesetter lays out."""

import pytest

from attnviewer.ui.paint.markdown import escaped, inline, paragraphs
from attnviewer.ui.paint.math import atoms, spoken
from attnviewer.ui.paint.theme import LIGHT


def read(text):
    return [(p.kind, p.mark, p.level, spoken(p.node)) for p in paragraphs(text, LIGHT)]


def test_paragraphs_lists_headings_and_code_are_told_apart():
    text = "# Title\nOne\nline.\n\n- first\n  more\n  1. inner\n\n"
    text += "```\na = 1\n\nb\n```\nEnd"
    assert read(text) == [
        ("heading", "", 0, "Title"),
        ("paragraph", "", 0, "One line."),
        ("item", "•", 0, "first more"),
        ("item", "1.", 1, "inner"),
        ("code", "", 0, "a = 1"),
        ("code", "", 0, " "),
        ("code", "", 0, "b"),
        ("paragraph", "", 0, "End"),
    ]


def test_emphasis_code_and_formulas_have_their_looks():
    found = {
        atom.text: atom
        for atom in atoms(inline("**b** *i* `m_1` $W_Q$ [link](x)", LIGHT))
    }
    assert found["b"].bold
    assert found["i"].italic
    assert found["m_1"].mono
    assert found["W"].color == LIGHT.query
    assert "link" in found


def test_lines_break_between_words_but_not_inside_a_vector():
    text = f"{escaped('It is K[cat, 0].')} [1, −2, 3] [a, b](x) `[1, 2]` [so it is]"
    words = "".join(atom.text for atom in atoms(inline(text, LIGHT))).split(" ")
    assert words[2:4] == ["K[cat,\u00a00].", "[1,\u00a0−2,\u00a03]"]
    assert words[4:] == ["a,", "b", "[1,", "2]", "[so", "it", "is]"]


def test_a_formula_is_read_as_latex():
    assert spoken(inline(r"$\frac{a}{\sqrt{d_k}} \le 1$.", LIGHT)) == "a / √dₖ ≤ 1."


@pytest.mark.parametrize(
    "text", ["2*3*4", "$5 and $6", "a_b_c", "`x", "[a]", "\\ back", "**", "<b>"]
)
def test_escaped_text_stays_as_it_is(text):
    assert spoken(inline(escaped(text), LIGHT)) == text


@pytest.mark.parametrize(
    "latex", [r"\unknown{x}", "{", "}", "^", r"\frac", "_", r"\left("]
)
def test_no_formula_is_too_wrong_to_be_shown(latex):
    assert isinstance(spoken(inline(f"${latex}$", LIGHT)), str)
