"""Markdown of lessons as paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.teaching.sheets.prose import Paragraph, Span, paragraphs, spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", [Span("plain")]),
        ("a **b** c", [Span("a "), Span("b", "strong"), Span(" c")]),
        ("*a* _b_", [Span("a", "emphasis"), Span(" "), Span("b", "emphasis")]),
        ("`x * y`", [Span("x * y", "code")]),
        ("by $d_k$.", [Span("by "), Span("d_k", "formula"), Span(".")]),
        ("W_Q and W_K", [Span("W_Q and W_K")]),
        ("2 * 3 * 4", [Span("2 * 3 * 4")]),
        (r"5 \$ and \*", [Span("5 $ and *")]),
        ("$a*b*c$ *d*", [Span("a*b*c", "formula"), Span(" "), Span("d", "emphasis")]),
    ],
)
def test_a_line_is_split_where_its_style_changes(
    text: str, expected: list[Span]
) -> None:
    assert list(spans(text)) == expected


def test_paragraphs_headings_lists_and_formulas() -> None:
    text = "### Head\nOne\nline\n- first\n  goes on\n- second\n\n1. one\n\n"
    text += "$$a + b$$\n\nEnd"
    assert paragraphs(text) == (
        Paragraph((Span("Head"),), "heading"),
        Paragraph((Span("One line"),)),
        Paragraph((Span("first goes on"),), "item"),
        Paragraph((Span("second"),), "item"),
        Paragraph((Span("one"),), "number"),
        Paragraph((Span("a + b", "formula"),), "formula"),
        Paragraph((Span("End"),)),
    )


@given(st.text(alphabet="ab*_`$\\ #-.\n"))
def test_no_letter_is_lost(text: str) -> None:
    shown = "".join(span.text for p in paragraphs(text) for span in p.spans)
    for letter in "ab":
        assert shown.count(letter) == text.count(letter)
