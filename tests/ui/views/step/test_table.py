import numpy as np
import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu

from attnviewer.compute import InMemory, finite_limits
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.text.number_format import NumberFormat
from attnviewer.ui.views.step import table as table_module
from attnviewer.ui.views.step.table import StepTable, StepTableModel
from tests.menus import action_of


def content(values, tokens=("the", "cat", "sat"), hidden=None):
    values = np.asarray(values, dtype=float)
    rows, columns = values.shape
    return StepContent(
        "weights",
        InMemory(values, hidden),
        scale_for(finite_limits(values), signed=False, theme=LIGHT),
        ("queries", "keys"),
        tuple(tokens[:rows]),
        tuple(tokens[:columns]),
    )


@pytest.fixture
def model(qapp):
    model = StepTableModel()
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    model.set_content(content([[0.1, 1 / 3], [2e-9, 0.5], [1, -0.25]]), LIGHT)
    yield model
    tester.deleteLater()


@pytest.fixture
def table(qtbot):
    table = StepTable()
    qtbot.addWidget(table)
    table.show_content(content([[0.1, 1 / 3], [2e-9, 0.5], [1, -0.25]]), LIGHT)
    with qtbot.waitExposed(table):
        table.show()
    return table


def text(model, row, column, role=Qt.ItemDataRole.DisplayRole):
    return model.data(model.index(row, column), role.value)


def test_cells_show_short_numbers_and_tell_the_full_ones(model):
    assert text(model, 0, 1) == "0.3333"
    assert text(model, 0, 1, Qt.ItemDataRole.ToolTipRole) == repr(1 / 3)
    assert text(model, 2, 1) == "−0.2500"
    assert float(text(model, 1, 0).replace("−", "-")) == 2e-9


def test_headers_are_the_tokens(model):
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(c, horizontal) for c in range(2)] == ["the", "cat"]
    assert [model.headerData(r, vertical) for r in range(3)] == ["the", "cat", "sat"]


def test_no_cell_can_be_edited(model, table, qtbot):
    index = model.index(0, 0)
    assert not model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert not model.setData(index, 7.0)
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_F2)
    assert table.state() != StepTable.State.EditingState


def test_cells_of_steps_that_are_let_be_edited_give_out_every_digit(model):
    model.set_editable(lambda step: step == "weights")
    index = model.index(0, 1)
    assert model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert text(model, 0, 1, Qt.ItemDataRole.EditRole) == repr(1 / 3)
    assert text(model, 2, 0, Qt.ItemDataRole.EditRole) == "1"
    assert not model.setData(index, 7.0)  # the delegate pins
    model.set_editable(lambda step: step == "scores")
    assert not model.flags(index) & Qt.ItemFlag.ItemIsEditable


def test_new_numbers_of_the_same_shape_do_not_reset_the_model(model, qtbot):
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignals([model.dataChanged, model.headerDataChanged]),
    ):
        model.set_content(content(np.ones((3, 2)), ("a", "b", "c")), LIGHT)
    assert text(model, 2, 1) == "1"


def test_another_shape_resets_the_model(model, qtbot):
    with qtbot.waitSignal(model.modelReset):
        model.set_content(content(np.ones((2, 2))), LIGHT)
    assert model.rowCount() == 2


def test_hidden_cells_are_muted(qapp):
    model = StepTableModel()
    hidden = np.array([[False, True]])
    model.set_content(content([[1.0, 0.0]], hidden=hidden), LIGHT)
    role = Qt.ItemDataRole.ForegroundRole
    assert text(model, 0, 0, role) is None
    assert text(model, 0, 1, role).name() == LIGHT.muted


def test_a_masked_cell_says_so_to_a_screen_reader(qapp):
    model = StepTableModel()
    hidden = np.array([[False, True]])
    model.set_content(content([[1.0, 0.0]], hidden=hidden), LIGHT)
    role = Qt.ItemDataRole.AccessibleTextRole
    assert text(model, 0, 0, role) == "the, the: 1.0"
    assert text(model, 0, 1, role) == "the, cat: 0.0, masked"


def test_copying_gives_numbers_that_read_back_exactly(table, qtbot):
    model = table.model()
    block = QItemSelection(model.index(0, 0), model.index(1, 1))
    table.setCurrentIndex(model.index(1, 1))
    table.selectionModel().select(
        block, QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    numbers = [[float(field) for field in line.split("\t")] for line in lines]
    assert numbers == [[0.1, 1 / 3], [2e-9, 0.5]]


def test_copying_says_what_was_copied_and_refuses_more_than_a_clipboard_holds(
    table, qtbot, monkeypatch
):
    clipboard, told = QGuiApplication.clipboard(), []
    control = Qt.KeyboardModifier.ControlModifier
    table.copied.connect(told.append)
    table.refused.connect(told.append)
    qtbot.keyClick(table, Qt.Key.Key_A, control)
    qtbot.keyClick(table, Qt.Key.Key_C, control)
    assert told == ["3×2 cells of weights copied"]
    monkeypatch.setattr(table_module, "MOST_COPIED", 5)
    clipboard.setText("kept")
    qtbot.keyClick(table, Qt.Key.Key_C, control)
    assert told[1] == "At most 5 cells can be copied. Got 6 instead."
    assert clipboard.text() == "kept"


def test_copying_without_a_selection_leaves_the_clipboard_alone(table):
    QGuiApplication.clipboard().setText("kept")
    table.choose(None)
    table.copy()
    assert QGuiApplication.clipboard().text() == "kept"


def test_going_to_a_cell_says_so_once_and_being_sent_there_does_not(table, qtbot):
    said = []
    table.cell_chosen.connect(said.append)
    table.choose((1, 0))
    assert said == []
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert said == [(2, 0)]


def test_being_sent_to_the_present_cell_keeps_the_selected_block(table):
    model = table.model()
    table.choose((1, 1))
    block = QItemSelection(model.index(0, 0), model.index(1, 1))
    table.selectionModel().select(
        block, QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    table.choose((1, 1))
    table.show_content(content(np.ones((3, 2))), LIGHT)
    assert len(table.selectionModel().selectedIndexes()) == 4


def test_a_cell_outside_is_passed_over_until_the_shape_has_it(table):
    table.choose((2, 2))
    assert table.currentIndex().column() < 2
    table.show_content(content(np.ones((3, 3))), LIGHT)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, 2)


def test_a_large_table_opens_without_measuring_every_column(qtbot):
    table = StepTable()
    qtbot.addWidget(table)
    tokens = tuple(f"token {number}" for number in range(2000))
    table.show_content(content(np.zeros((2000, 2000)), tokens), LIGHT)
    with qtbot.waitExposed(table):
        table.show()
    number = table.fontMetrics().horizontalAdvance("-1.2345e-300")
    (width,) = {table.columnWidth(column) for column in (0, 999, 1999)}
    assert number <= width < 2 * number


def shown_texts(table):
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_numbers_take_the_formats_of_the_input_tables_by_keys(qtbot, table):
    table.show_content(content([[0.5, 1 / 3]]), LIGHT)
    assert shown_texts(table) == [["0.5000", "0.3333"]]
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(table, Qt.Key.Key_Comma, control)
    qtbot.keyClick(table, Qt.Key.Key_Comma, control)
    assert shown_texts(table) == [["0.50", "0.33"]]
    qtbot.keyClick(table, Qt.Key.Key_Period, control)
    assert shown_texts(table) == [["0.500", "0.333"]]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_numbers_take_the_formats_of_the_input_tables_from_the_menu(qtbot, table):
    table.show_content(content([[1234.5, 1e-7]]), LIGHT)
    place = table.visualRect(table.model().index(0, 0)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, place)
    QApplication.sendEvent(table.viewport(), event)
    menu = table.findChild(QMenu)
    action_of(menu, "step.format.scientific.3").trigger()
    menu.close()
    assert shown_texts(table) == [["1.234e3", "1.000e−7"]]
    assert table.number_format == NumberFormat("scientific", 3)
