"""What Jupyter shows of traces and explanations."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attnviewer.compute import Spec, attention, run
from attnviewer.compute.html import table_html
from attnviewer.compute.steps_html import steps_html
from attnviewer.io import load
from tests.documents import four_words

_VOID = {"br"}


class Page(HTMLParser):
    """Reads a page that must be well formed, and collects its texts and tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.styles: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.styles += [value for name, value in attrs if name == "style"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_trace_is_its_steps_with_small_coloured_tables() -> None:
    trace = four_words().compute()
    page = Page(trace._repr_html_())
    names = page.texts
    for step in trace:
        assert step in names
    for number in ("0.2361", "0.7491", "5.7735"):  # as notebook 000 prints them
        assert number in names
    assert any("rgba(" in style for style in page.styles)
    assert not any(re.search(r"(^|;)color", style) for style in page.styles)


def test_large_steps_are_told_by_their_size() -> None:
    ones = np.ones((3, 40, 2))
    html = attention(ones, ones, ones)._repr_html_()
    page = Page(html)
    assert "and 28 more rows, 28 more columns" in page.texts
    assert "and 1 more heads" in page.texts
    assert len(html) < 100_000


def test_negative_numbers_have_another_colour_and_infinite_ones_none() -> None:
    html = table_html(np.array([[2.0, -1.0, -np.inf, np.nan]]))
    cells = re.findall(r"<td( style=\"background:rgba\(([^)]*)\)\")?>([^<]*)<", html)
    coloured = {text: colour for _, colour, text in cells}
    assert coloured["2.0000"].endswith(",0.60")
    assert coloured["−1.0000"].endswith(",0.30")
    assert coloured["2.0000"][:6] != coloured["−1.0000"][:6]
    assert coloured["−∞"] == coloured["NaN"] == ""


def test_names_are_escaped_and_bounded() -> None:
    document = four_words()
    spec = Spec(projected=False)
    trace = run(spec, {"X": document.matrix("X")})
    names = ["<script>alert(1)</script>", "&amp;", '"', "x" * 1000]
    html = steps_html(trace, trace.limits, names, names)
    page = Page(html)
    assert "script" not in page.tags
    assert "&amp;" in page.texts
    assert "x" * 30 not in html


def test_an_explanation_is_read_in_a_line_and_shown_in_several() -> None:
    formula = four_words().compute().explain("Q", (0, 2))
    assert repr(formula) == "Q[0, 2] = 1·2 + 0·0 + 0·2 = 2"
    page = Page(formula._repr_html_())
    assert page.texts[0] == "Q[0, 2]"
    assert "= 1·2 + 0·0 + 0·2" in page.texts
    assert page.texts[-1] == "= 2"


@pytest.mark.parametrize("id_", ["four-words", "two-heads", "journey"])
def test_a_document_shows_its_title_and_steps_with_its_tokens(id_: str) -> None:
    document = load(f"example:{id_}")
    page = Page(document._repr_html_())
    assert page.texts[0] == document.title
    assert {*document.tokens} <= {*page.texts}
    assert repr(document).startswith(f"<Document {document.title!r}, ")
    assert len(repr(document)) < 500


def test_a_large_document_is_not_computed_to_be_shown(monkeypatch) -> None:
    from attnviewer.document import Document

    document = Document(
        "Large", map(str, range(200)), {"X": np.ones((200, 2))}, Spec(projected=False)
    )
    monkeypatch.setattr(Document, "compute", None)
    assert "and 188 more rows" in Page(document._repr_html_()).texts


def test_steps_are_completed_after_a_bracket() -> None:
    trace = four_words().compute()
    assert trace._ipython_key_completions_() == list(trace)


def test_statistics_of_rows_are_a_table_without_colours() -> None:
    html = four_words().compute().statistics()._repr_html_()
    page = Page(html)
    assert page.texts[:2] == ["row_sum", "maximum"]
    assert "visible" not in page.texts
    assert "0.7491" in page.texts
    assert "rgba" not in html
