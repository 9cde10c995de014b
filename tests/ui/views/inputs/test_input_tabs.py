"""The tabs of the inputs that have a row for each token."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from attnviewer.compute import Learned
from attnviewer.document import Document, Replace, spec_edit
from attnviewer.ui.views.inputs.cells.table import CellTable
from tests.ui.views.inputs.tables import settle

ORIGIN = QPoint(0, 0)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def change(bench):
    def change_spec(**changes):
        spec = replace(bench.document.spec, **changes)
        bench.edits.submit(spec_edit(bench.document, spec, "Change"))
        settle()
        tabs(bench).setCurrentIndex(0)

    return change_spec


def tabs(bench) -> QTabBar:
    return bench.panel.findChild(QTabBar, "inputs.tabs")


def titles(bench):
    bar = tabs(bench)
    return [bar.tabText(index) for index in range(bar.count())]


def seen(bench):
    tables = [t for t in bench.panel.findChildren(CellTable) if t.isVisible()]
    return [
        t.name for t in sorted(tables, key=lambda t: t.mapTo(bench.panel, t.pos()).y())
    ]


def test_with_x_alone_there_is_no_bar(bench):
    assert not tabs(bench).isVisible()
    assert bench.table("X").isVisible()


def test_what_has_a_row_for_each_token_shares_the_place_of_x(bench, change):
    change(positions=Learned(), bias=True, context=True)
    assert tabs(bench).isVisible()
    assert titles(bench) == ["X", "Second", "Position", "Bias"]
    assert bench.has_table("X")
    for name in ("context", "P", "bias"):
        assert not bench.table(name).isVisible()
    bench.edits.undo()
    settle()
    assert not tabs(bench).isVisible()
    assert bench.has_table("X")


def test_arrow_keys_on_the_bar_go_from_tab_to_tab(bench, change):
    change(positions=Learned(), bias=True)
    tabs(bench).setFocus()
    QTest.keyClick(tabs(bench), Qt.Key.Key_Right)
    assert bench.table("P").isVisible()
    assert not bench.table("X").isVisible()
    QTest.keyClick(tabs(bench), Qt.Key.Key_Right)
    assert bench.table("bias").isVisible()


def test_a_click_brings_a_tab_to_the_front(bench, change):
    change(bias=True)
    place = tabs(bench).tabRect(1).center()
    QTest.mouseClick(tabs(bench), Qt.MouseButton.LeftButton, pos=place)
    assert bench.table("bias").isVisible()
    assert not bench.table("tokens").isVisible()


def test_control_and_page_keys_turn_the_tabs_from_within_a_table(bench, change):
    change(positions=Learned(), bias=True)
    bench.at("X", 0)
    for name in ("P", "bias", "X", "P"):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown, CONTROL)
        assert bench.table(name).hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageUp, CONTROL)
    assert bench.table("X").hasFocus()


def test_undo_brings_the_tab_of_its_cell_to_the_front(bench, change):
    change(bias=True)
    bench.at("X", 0)
    QTest.keyClick(bench.table("X"), Qt.Key.Key_PageDown, CONTROL)
    bench.enter("bias", 1, 2, "3")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageUp, CONTROL)
    assert not bench.table("bias").isVisible()
    bench.edits.undo()
    assert bench.table("bias").isVisible()
    assert bench.current("bias") == (1, 2)
    assert bench.document.matrix("bias")[1, 2] == 0


def test_a_tab_that_an_edit_brings_comes_to_the_front(bench):
    for changes, name in (
        ({"bias": True}, "bias"),
        ({"positions": Learned()}, "P"),
        ({"temperature": 2.0}, "P"),
        ({"positions": None}, "X"),
    ):
        spec = replace(bench.document.spec, **changes)
        bench.edits.submit(spec_edit(bench.document, spec, "Change"))
        settle()
        assert bench.table(name).isVisible()


def test_biases_stand_right_below_their_weights_without_headers(bench, change):
    change(biases=("b_Q", "b_V"))
    assert seen(bench)[2:] == ["W_Q", "b_Q", "W_K", "W_V", "b_V"]
    assert not bench.table("b_Q").horizontalHeader().isVisible()
    bench.enter("b_Q", 0, 1, "0.5")
    assert bench.document.matrix("b_Q").tolist() == [[0, 0.5, 0]]
    cell = bench.table("b_Q").visualRect(bench.table("b_Q").model().index(0, 1))
    above = bench.table("W_Q").visualRect(bench.table("W_Q").model().index(0, 1))
    assert cell.x() == above.x()
    assert bench.table("b_Q").height() < 2 * cell.height()


def test_another_document_keeps_or_takes_away_the_bar(open_bench, four_words):
    spec = replace(four_words.spec, bias=True)
    edit = spec_edit(four_words, spec, "")
    four_words.apply(edit)
    bench = open_bench(four_words)
    assert tabs(bench).isVisible()
    plain = Document("", ["a"], {n: np.eye(1) for n in ("X", "W_Q", "W_K", "W_V")})
    bench.edits.set_document(plain)
    bench.panel.set_document(plain)
    assert not tabs(bench).isVisible()
    assert bench.has_table("X")


def test_hidden_numbers_are_shown_in_the_bias(bench, change):
    change(bias=True)
    hidden = np.full((4, 4), -np.inf)
    bench.edits.submit(Replace("Hide", matrices={"bias": hidden}))
    tabs(bench).setCurrentIndex(1)
    assert bench.table("bias").model().index(0, 0).data() == "−∞"


def test_titles_of_tabs_are_whole_where_there_is_room(bench, change):
    change(positions=Learned())
    assert titles(bench) == ["X embeddings", "Position"]
    change(context=True, bias=True)
    bench.window.resize(700, 900)
    settle()
    assert titles(bench) == [
        "X embeddings",
        "Second sequence",
        "Position",
        "Score bias",
    ]
    bench.window.resize(340, 900)
    settle()
    assert titles(bench) == ["X", "Second", "Position", "Bias"]
    assert tabs(bench).tabRect(3).right() <= tabs(bench).width()
