"""A and B side by side, whatever their tokens and shapes are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.ui.paint import step_scale
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.views.step.difference import finder as finder_module
from attnviewer.ui.views.step.difference.index_mapping import IndexMapping

LEFT = Qt.MouseButton.LeftButton
PLACES = st.dictionaries(st.integers(0, 9), st.integers(0, 9)).map(
    lambda ways: {
        here: there for there, here in {v: k for k, v in ways.items()}.items()
    }
)


def document(tokens, width=2, n_heads=1, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(len(tokens), width))
    if n_heads == 1:
        return Document("One", tokens, {"X": x}, Spec(projected=False, scale=1.0))
    names = ("W_Q", "W_K", "W_V")
    matrices = {name: random.normal(size=(width, 4)) for name in names}
    return Document("Several", tokens, {"X": x, **matrices}, Spec(n_heads=n_heads))


def numbers(picture):
    return picture._content.matrix.window()


def choose(page, number):
    QTest.mouseClick(page.bar.findChild(object, f"difference.show.{number}"), LEFT)


@given(PLACES, PLACES)
def test_what_leads_there_leads_back(rows, columns):
    mapping = IndexMapping(rows, columns)
    for cell in ((row, column) for row in rows for column in columns):
        assert mapping.back.cell(mapping.cell(cell)) == cell
    assert mapping.cell((10, 10)) is None


def test_what_has_no_counterpart_leads_nowhere():
    mapping = IndexMapping.of(np.array([0, -1, 1]), np.array([2, -1]))
    assert mapping.cell((2, 0)) == (1, 2)
    assert mapping.cell((1, 0)) is None
    assert mapping.cell((0, 1)) is None
    assert mapping.cell(None) is None
    assert mapping.linked(Linked((0, 1), (1,))) == Linked((0,), ())
    assert mapping.back.linked(Linked((1,), (2,))) == Linked((2,), (0,))
    marked = Marked(frozenset({1, 2}), frozenset({0}))
    assert mapping.marked(marked) == Marked(frozenset({1}), frozenset({2}))


def test_a_document_with_other_tokens_is_opened_beside_this_one(open_page):
    after, before = document("abcd"), document("axd", seed=1)
    bench, page = open_page(after)
    bench.baseline.pin(before)
    assert page.bar.showing == "A | B"
    pictures = page.pictures
    # By hand: softmax of X Xᵀ.
    x = before.matrix("X")
    grown = np.exp(x @ x.T)
    want = grown / grown.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(numbers(pictures.other), want, rtol=1e-12)
    assert numbers(pictures.heatmap).shape == (4, 4)
    assert pictures.other.isVisible()


def test_what_the_person_chose_stays_as_long_as_the_tokens_do(open_page):
    bench, page = open_page(document("abcd"))
    bench.baseline.pin(document("axd"))
    choose(page, 2)
    assert not page.pictures.other.isVisible()
    bench.baseline.pin(document("axd", seed=2))
    assert page.bar.showing == "B − A"
    bench.baseline.pin(document("ayd"))
    assert page.bar.showing == "A | B"
    bench.baseline.pin(document("abcd"))
    assert page.bar.showing == "B − A"


@pytest.mark.parametrize("wide", ["after", "before"])
def test_both_have_one_scale_that_holds_the_numbers_of_both(open_page, wide):
    two = {"after": document("abcd"), "before": document("axd", seed=1)}
    two[wide].apply(SetCells("Set X", "X", 0, 0, np.array([[9.0]])))
    bench, page = open_page(two["after"])
    bench.baseline.pin(two["before"])
    bench.selection.choose_step("X")
    for picture in (page.pictures.other, page.heatmap):
        scale = picture._content.scale
        assert (scale.low, scale.high) == (-9.0, 9.0)


def test_another_number_of_heads_or_features_hinders_nothing(open_page):
    after, before = document("abc", 4, n_heads=4), document("xy", 6, n_heads=2)
    bench, page = open_page(after)
    bench.baseline.pin(before)
    bench.selection.choose_head(3)
    # A has no fourth head: its last one is shown.
    want = before.compute()["weights"][1]
    np.testing.assert_array_equal(numbers(page.pictures.other), want)
    np.testing.assert_array_equal(numbers(page.heatmap), after.compute()["weights"][3])
    bench.selection.choose_step("X")
    assert numbers(page.pictures.other).shape == (2, 6)
    assert numbers(page.heatmap).shape == (3, 4)
    assert page.summary.text() == "A has 2 rows, B has 3; 0 of them match."


def test_a_step_that_a_lacks_says_so(open_page):
    masked = document("abc")
    masked = Document(
        "Masked",
        "abc",
        {"X": masked.matrix("X")},
        Spec(projected=False, scale=1.0, causal=True),
    )
    bench, page = open_page(masked)
    bench.baseline.pin(document("xyzw"))
    bench.selection.choose_step("masked")
    assert not page.pictures.isVisible()
    assert page.empty.text.startswith("A has no step")


def test_an_edit_is_followed_while_both_are_in_sight(open_page):
    bench, page = open_page(document("abcd"))
    bench.baseline.pin(document("axd", seed=1))
    bench.selection.choose_step("X")
    bench.edits.submit(SetCells("Set X", "X", 0, 0, np.array([[7.0]])))
    bench.engine.flush()
    assert page.bar.showing == "A | B"
    assert numbers(page.heatmap)[0, 0] == 7.0
    assert numbers(page.pictures.other)[0, 0] != 7.0


def test_the_pointer_over_one_lights_the_other(open_page):
    bench, page = open_page(document("abcd"))
    bench.baseline.pin(document("acd", seed=1))
    a, b = page.pictures.other, page.heatmap

    def point(picture, cell):
        place = QPointF(picture.cell_rect(cell).center()).toPoint()
        QTest.mouseMove(picture.viewport(), place)

    point(a, (1, 2))
    assert (a.rows._lit, a.columns._lit) == ({1}, {2})
    assert (b.rows._lit, b.columns._lit) == ({2}, {3})
    point(b, (1, 3))
    assert (a.rows._lit, a.columns._lit) == (set(), {2})
    assert page.pictures.cell.text().startswith("A: has no such cell · B: b, d ")


def test_rows_marked_in_one_are_marked_in_the_other(open_page):
    bench, page = open_page(document("abcd"))
    bench.baseline.pin(document("acd", seed=1))
    a = page.pictures.other
    bench.selection.mark(Marked(frozenset({1, 2}), frozenset({3})))
    assert (a.rows._marked, a.columns._marked) == ({1}, {2})
    a.marks_chosen.emit(Marked(frozenset({2})))
    assert bench.selection.marked == Marked(frozenset({3}))


def test_large_ones_are_read_turn_by_turn(open_page, qtbot, monkeypatch):
    monkeypatch.setattr(finder_module, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(step_scale, "LARGE", 100)
    bench, page = open_page(document("ab" * 100))
    bench.baseline.pin(document("ba" * 90, seed=1))
    assert not page.pictures.isVisible()
    page.finish()
    assert page.pictures.other.isVisible()
    assert page.pictures.other._content.overview is not None
    assert page.heatmap._content.overview is not None
    # As the heatmap of such weights has by itself.
    assert page.heatmap._content.scale.scaling == "log"
    assert page.pictures.other._content.scale == page.heatmap._content.scale
    assert page.pictures.statistics.text().startswith("A → B")


def test_in_little_height_a_tool_tip_tells_the_statistics(open_page):
    bench, page = open_page(document("abcd"))
    bench.baseline.pin(document("abcd", seed=1))
    choose(page, 3)
    page.finish()
    pictures = page.pictures
    assert pictures.statistics.isVisible()
    page.window().resize(900, 330)
    assert not pictures.statistics.isVisible()
    assert pictures.cell.isVisible()
    assert pictures.statistics.text()[:5] == pictures.cell.toolTip()[:5] == "A → B"
    page.window().resize(900, 740)
    assert pictures.statistics.isVisible()


@pytest.mark.parametrize(("step", "differs"), [("scores", False), ("X", True)])
def test_rounding_alone_is_told_as_no_difference(open_page, step, differs):
    before = document("abcd")
    bench, page = open_page(document("abcd"))
    x = np.nextafter(before.matrix("X"), np.inf)
    before.apply(SetCells("Set X", "X", 0, 0, x))  # the last digit of every number
    bench.baseline.pin(before)
    bench.selection.choose_cell(step, (0, 1))
    choose(page, 3)
    told = page.pictures.cell.text().split("B − A: ")[1]
    assert (
        bench.engine.current.trace["scores"][0, 1] != before.compute()["scores"][0, 1]
    )
    assert (told != format_number(0.0, 4)) == differs
