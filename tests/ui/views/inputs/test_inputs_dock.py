"""The panel as a whole: what it shows, for which document, in which size."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, spec_edit
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.views.inputs.cells.table import CellTable
from tests.ui.views.inputs.tables import settle


def random_document(rows, columns, **spec):
    rng = np.random.default_rng(5)
    tokens = [f"token {row}" for row in range(rows)]
    matrices = {"X": rng.normal(size=(rows, columns))}
    matrices |= {f"W_{n}": rng.normal(size=(columns, 4)) for n in "QKV"}
    return Document("Random", tokens, matrices, Spec(**spec))


def names_shown(bench):
    tables = bench.panel.findChildren(CellTable)
    visible = sorted(
        (table.mapTo(bench.panel, table.rect().topLeft()).toTuple()[::-1], table)
        for table in tables
        if table.isVisible()
    )
    return [table.objectName() for _, table in visible]


def labels(bench):
    texts = [label.text() for label in bench.panel.findChildren(QLabel)]
    return [*texts, bench.panel.findChild(QPushButton, "inputs.summary").text()]


ALL = ["table.tokens", "table.X", "table.W_Q", "table.W_K", "table.W_V"]


def test_every_input_has_its_table_in_reading_order(bench):
    assert names_shown(bench) == ALL
    texts = labels(bench)
    assert "4 tokens · d_model 3 · d_k 3" in texts
    assert texts.count("3×3") == 3
    assert "4×3" in texts


def test_every_table_and_editor_has_a_name_for_screen_readers(bench):
    tables = bench.panel.findChildren(CellTable)
    assert [t.accessibleName() for t in tables if t.objectName() == "table.W_Q"] == [
        "W_Q query weights"
    ]
    assert all(table.accessibleName() for table in tables)
    assert all(table.accessibleDescription() for table in tables)
    corners = bench.table("W_Q").findChildren(QAbstractButton)
    assert all(corner.accessibleName() for corner in corners)
    assert bench.panel.accessibleName() == "Inputs"
    editor = bench.type_into("W_Q", 0, 2, "1")
    assert editor.accessibleName() == "W_Q, row 0, column 2: 2"


def test_panels_come_and_go_with_the_spec_in_order(bench):
    w_q, document = bench.table("W_Q"), bench.document
    multi = Spec(n_heads=3, output_projection=True)
    bench.edits.submit(spec_edit(document, multi, "Multi-head"))
    settle()
    assert names_shown(bench) == [*ALL, "table.W_O"]
    assert bench.table("W_Q") is w_q
    assert "4 tokens · d_model 3 · d_k 1 · 3 heads" in labels(bench)
    bench.enter("W_O", 0, 0, "5")
    assert document.matrix("W_O")[0, 0] == 5
    plain = Spec(projected=False)
    bench.edits.submit(spec_edit(document, plain, "Simplified"))
    settle()
    assert names_shown(bench) == ALL[:2]
    assert "4 tokens · d_model 3" in labels(bench)
    for _ in range(3):
        bench.edits.undo()
    settle()
    assert names_shown(bench) == ALL
    bench.edits.redo()
    bench.edits.redo()
    settle()
    assert names_shown(bench) == [*ALL, "table.W_O"]
    assert bench.table("W_O").model().index(0, 0).data() == "5"


def test_tab_visits_the_tables_in_order_after_panels_came_back(bench):
    plain = spec_edit(bench.document, Spec(projected=False), "Simplified")
    bench.edits.submit(plain)
    settle()
    bench.edits.undo()
    multi = Spec(output_projection=True)
    bench.edits.submit(spec_edit(bench.document, multi, "W_O"))
    settle()
    bench.at("tokens", 0)
    visited = []
    for _ in range(6):
        table = QApplication.focusWidget()
        visited.append(table.objectName())
        QTest.keyClick(table, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert visited == [*ALL, "table.W_O"]


def test_a_panel_that_goes_takes_its_reason_along(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert bench.reason.isVisible()
    bench.document.apply(spec_edit(bench.document, Spec(projected=False), "Simplified"))
    settle()
    assert not bench.reason.isVisible()


def test_an_edit_from_elsewhere_shows_at_once(bench):
    bench.document.apply(Replace("Ones", matrices={"W_K": np.full((3, 3), 6.0)}))
    assert bench.table("W_K").model().index(2, 2).data() == "6"


def test_a_change_of_shape_refits_table_and_title(bench):
    width = bench.table("W_V").width()
    bench.edits.submit(Replace("Narrow", matrices={"W_V": np.ones((3, 2))}))
    settle()
    assert bench.table("W_V").width() < width
    assert "3×2" in labels(bench)


def test_another_document_takes_the_place_and_the_first_one_is_let_go(bench):
    first = bench.document
    w_q = bench.table("W_Q")
    second = random_document(6, 5)
    bench.edits.set_document(second)
    bench.panel.set_document(second)
    settle()
    assert len(first.changed) == 0
    assert len(second.changed) == 1
    assert bench.table("W_Q") is w_q
    assert w_q.model().rowCount() == 5
    assert "6 tokens · d_model 5 · d_k 4" in labels(bench)
    bench.enter("W_Q", 0, 0, "3")
    assert second.matrix("W_Q")[0, 0] == 3
    first.apply(Replace("Simplified", spec=Spec(projected=False)))
    assert len(names_shown(bench)) == 5


def test_a_released_panel_listens_to_nothing(bench):
    bench.panel.release()
    assert len(bench.document.changed) == 0
    bench.panel.release()


def test_models_in_the_panel_obey_qt_through_edits_undo_and_variants(bench):
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tables = bench.panel.findChildren(CellTable)
    testers = [QAbstractItemModelTester(table.model(), fatal) for table in tables]
    bench.enter("X", 3, 2, "0.5")
    bench.enter("tokens", 0, 0, "cat")
    bench.edits.submit(
        Replace("Longer", tokens=tuple("abcde"), matrices={"X": np.ones((5, 3))})
    )
    multi = Spec(n_heads=3, output_projection=True)
    bench.edits.submit(spec_edit(bench.document, multi, "Multi-head"))
    while bench.edits.canUndo():
        bench.edits.undo()
    while bench.edits.canRedo():
        bench.edits.redo()
    settle()
    assert testers


# ----------------------------------------------------------------------- size


def test_small_tables_are_no_larger_than_their_cells(bench):
    for name in ("X", "W_Q", "tokens"):
        table = bench.table(name)
        model, room = table.model(), table.viewport().rect()
        last = model.index(model.rowCount() - 1, model.columnCount() - 1)
        # The grid line below and right of the cell lies between the two.
        gap = room.bottomRight() - table.visualRect(last).bottomRight()
        assert gap.toTuple() == (1, 1)
        assert not table.horizontalScrollBar().isVisible()
        assert not table.verticalScrollBar().isVisible()


def test_no_number_is_cut_off_in_its_cell(open_bench):
    bench = open_bench(random_document(4, 6))
    table = bench.table("X")
    widest = max(
        table.fontMetrics().horizontalAdvance(table.model().index(i, j).data())
        for i in range(4)
        for j in range(6)
    )
    # The style keeps 3 pixels on each side of a text, our sheet 2, the grid 1.
    assert widest + 11 <= table.columnWidth(0)


@pytest.mark.parametrize(("rows", "shown"), [(12, 12), (13, 12)])
def test_a_long_table_shows_twelve_rows_and_scrolls(open_bench, rows, shown):
    bench = open_bench(random_document(rows, 2))
    table = bench.table("X")
    assert table.viewport().height() == shown * table.rowHeight(0)
    assert table.verticalScrollBar().isVisible() == (rows > 12)


def test_tokens_stay_beside_their_rows_while_a_wide_long_table_scrolls(open_bench):
    bench = open_bench(random_document(300, 40))
    x, tokens = bench.table("X"), bench.table("tokens")
    assert x.horizontalScrollBar().isVisible()
    for row in (299, 0, 150):
        bench.at("X", row, 39)
        settle()
        assert tokens.verticalScrollBar().value() == x.verticalScrollBar().value()
        at = tokens.visualRect(tokens.model().index(row, 0)).center()
        beside = x.visualRect(x.model().index(row, 39)).center()
        same = tokens.viewport().mapToGlobal(at).y()
        assert same == x.viewport().mapToGlobal(beside).y()
    bench.at("tokens", 299)
    assert x.verticalScrollBar().value() == x.verticalScrollBar().maximum()


def test_the_current_cell_is_scrolled_into_the_panel(open_bench):
    bench = open_bench(random_document(12, 12))
    bench.window.resize(340, 300)
    settle()
    table = bench.at("W_V", 11, 3)
    settle()
    cell = table.visualRect(table.currentIndex()).center()
    place = table.viewport().mapTo(bench.window, cell)
    assert bench.panel.geometry().contains(place)


def test_a_large_matrix_asks_only_for_what_is_seen(open_bench, monkeypatch):
    document = random_document(2048, 256)
    bench = open_bench(document)
    model = type(bench.table("X").model())
    asked = []
    original = model.data

    def counting(self, index, role=0):
        asked.append(role)
        return original(self, index, role)

    monkeypatch.setattr(model, "data", counting)
    bench.enter("X", 0, 0, "0.5")
    bench.window.grab()
    assert len(asked) < 20_000


# --------------------------------------------------------------------- colours


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_cells_look_editable_and_the_current_one_is_framed(bench, appearance, theme):
    appearance.choose(theme.name)
    settle()
    table = bench.at("W_Q", 1, 1)
    picture = table.viewport().grab().toImage()
    plain = table.visualRect(table.model().index(0, 0))
    current = table.visualRect(table.currentIndex())
    left = plain.topLeft() + (plain.center() - plain.topLeft()) / 3
    assert picture.pixelColor(left) == QColor(theme.editable)
    assert picture.pixelColor(current.left() + 1, current.center().y()) == QColor(
        theme.accent
    )
    right = picture.pixelColor(plain.right() + 1, plain.center().y())
    assert right == QColor(theme.border)


def test_only_the_table_with_the_keys_shows_its_selection(bench):
    table = bench.at("W_Q", 0, 0)
    table.selectAll()
    cell = table.visualRect(table.model().index(1, 1))

    def color():
        place = cell.topLeft() + (cell.center() - cell.topLeft()) / 3
        return table.viewport().grab().toImage().pixelColor(place)

    assert color() == QColor(LIGHT.selected)
    bench.at("W_K", 0, 0)
    assert color() == QColor(LIGHT.editable)
    bench.at("W_Q", 0, 0)
    table.selectAll()
    editor = bench.type_into("W_Q", 0, 0, "5")
    assert editor.hasFocus()
    bench.elsewhere.setFocus()
    assert color() == QColor(LIGHT.editable)
