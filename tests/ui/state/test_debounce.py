"""All views follow an edit: what they paint is right, and painted once."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.state import debounce as debounce_module
from attnviewer.ui.state.debounce import Debounce
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.views.explain.tree import DerivationTree
from attnviewer.ui.views.step.heatmap import row_facts as statistics_module
from attnviewer.ui.widgets.labels import plain_box
from tests.documents import four_words

MATRICES = "X", "W_Q", "W_K", "W_V"


def twelve_words(rng) -> Document:
    shapes = {"X": (12, 6), **dict.fromkeys(MATRICES[1:], (6, 6))}
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    words = [f"word {number}" for number in range(12)]
    return Document("Twelve words", words, matrices, Spec(causal=True))


def edit(window, matrix, row, column, value):
    cells = SetCells("edit", matrix, row, column, np.array([[value]]))
    window.workbench.edits.submit(cells)


def settle(window):
    """Wait until no view has anything left to do."""
    for _ in range(20):
        QApplication.processEvents()


class Paints(QObject):
    """Counts how often each widget is painted, and in how many updates of a window."""

    def __init__(self):
        super().__init__()
        self.counted = Counter()
        self.updates = 0
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.counted[watched] += 1
        self.updates += event.type() == QEvent.Type.UpdateRequest
        return False


@pytest.fixture
def open_window(window):
    """Open a document in a window that shows the heatmap and does not flash."""

    def show(document):
        window.workbench.open(document)
        window.resize(1400, 900)
        window.inputs.look.set_flashing(False)
        window.step_view.set_view("heatmap")
        settle(window)
        return window

    return show


def pictures(window, matrix):
    """Return what is painted of heatmap, strip, table and explanation."""
    window.activateWindow()
    window.step_view.heatmap.setFocus()
    settle(window)
    explain = window.findChild(QLabel, "explain.formula").parentWidget()
    widgets = (
        window.step_view.heatmap,
        window.findChild(QObject, "flow"),
        window.inputs.table(matrix),
        explain,
    )
    return [widget.grab().toImage() for widget in widgets]


def test_after_edits_views_look_as_if_painted_for_the_first_time(open_window):
    rng = np.random.default_rng(5)
    window = open_window(twelve_words(rng))
    workbench = window.workbench
    for step, matrix in (("weights", "W_Q"), ("scaled", "X"), ("V", "W_V")):
        workbench.open_step(step, (3, 2))
        for _ in range(3):
            name = str(rng.choice(MATRICES))
            rows, columns = workbench.document.matrix(name).shape
            place = int(rng.integers(rows)), int(rng.integers(columns))
            edit(window, name, *place, float(rng.normal(scale=3)))
            settle(window)
        followed = pictures(window, matrix)
        document = workbench.document
        matrices = {name: document.matrix(name).copy() for name in MATRICES}
        fresh = Document("Twelve words", document.tokens, matrices, document.spec)
        workbench.open(fresh, stay=True)
        assert pictures(window, matrix) == followed


def check_each_view_is_painted_once_for_an_edit(open_window):
    window = open_window(four_words())
    window.workbench.selection.choose_cell("weights", (0, 2))
    settle(window)
    paints = Paints()
    edit(window, "W_Q", 0, 2, 3.0)
    settle(window)
    heatmap = window.step_view.heatmap
    views = (
        heatmap.viewport(),
        window.findChild(QLabel, "explain.formula"),
        window.findChild(QLabel, "explain.row"),
        window.findChild(QObject, "flow.weights"),
        window.findChild(QObject, "flow.output"),
    )
    assert [paints.counted[view] for view in views] == [1] * len(views)
    for untouched in (heatmap.bar, window.findChild(QObject, "flow.V")):
        assert paints.counted[untouched] == 0


def check_a_new_speed_in_the_status_bar_repaints_nothing_beside_it(open_window):
    window = open_window(four_words())
    status = window.findChild(StatusBar)
    status.show_speed(0.0123)
    settle(window)
    wide, paints = status.speed.width(), Paints()
    status.show_speed(0.0045)
    settle(window)
    assert status.speed.width() == wide >= status.speed.sizeHint().width()
    assert paints.counted[status.speed] == 1
    assert paints.counted[status.precision] == 0
    status.show_speed(None)
    settle(window)
    assert status.speed.width() < wide


def check_rows_of_an_explanation_have_room_for_their_lines_after_each_edit(open_window):
    window = open_window(four_words())
    window.workbench.open_step("scores", (0, 1))
    tree = window.findChild(DerivationTree)
    for value in (3.2, 3.4, -123456.789, 3.2):
        edit(window, "W_Q", 0, 2, value)
        settle(window)
        height = tree.height()
        tree.restyle()
        settle(window)
        assert tree.height() == height


def check_table_and_picture_are_painted_together_before_words(open_window, view):
    window = open_window(four_words())
    window.step_view.set_view(view)
    window.workbench.selection.choose_cell("weights", (0, 2))
    settle(window)
    order = []
    explained = window.findChild(QLabel, "explain.formula")
    step, text = window.step_view, explained.text()
    window.activateWindow()
    table = window.inputs.table("W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 2))
    QTest.keyClick(table, Qt.Key.Key_3)
    settle(window)
    paints = Paints()

    def on_painted():
        order.append((explained.text() == text, paints.updates))

    step.painted.connect(on_painted)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(window)
    step.painted.disconnect(on_painted)
    assert order[0] == (True, 1)
    assert paints.counted[table.viewport()] == 1
    assert explained.text() != text


def check_the_statistics_of_all_rows_in_sight_are_computed_at_once(
    open_window, monkeypatch
):
    window = open_window(twelve_words(np.random.default_rng(1)))
    window.workbench.open_step("weights")
    settle(window)
    computed = []
    whole = statistics_module.RowSpread.of

    def counting(values):
        computed.append(len(values))
        return whole(values)

    monkeypatch.setattr(statistics_module, "RowSpread", SimpleNamespace(of=counting))
    edit(window, "W_Q", 0, 2, -4.0)
    settle(window)
    assert computed == [12]


def test_an_edit_paints_each_view_once_in_order_and_in_its_room(
    open_window, monkeypatch
):
    check_each_view_is_painted_once_for_an_edit(open_window)
    check_a_new_speed_in_the_status_bar_repaints_nothing_beside_it(open_window)
    check_rows_of_an_explanation_have_room_for_their_lines_after_each_edit(open_window)
    check_table_and_picture_are_painted_together_before_words(open_window, "how")
    check_table_and_picture_are_painted_together_before_words(open_window, "heatmap")
    check_the_statistics_of_all_rows_in_sight_are_computed_at_once(
        open_window, monkeypatch
    )


def test_a_box_is_measured_once_for_each_text_and_width(qtbot, monkeypatch):
    measured = []
    whole = QLabel.heightForWidth

    def counting(label, width):
        measured.append(width)
        return whole(label, width)

    monkeypatch.setattr(QLabel, "heightForWidth", counting)
    box = plain_box("box")
    qtbot.addWidget(box)
    box.setText("some words that need several lines in a narrow box")
    heights = [box.heightForWidth(width) for width in (80, 300, 80, 300, 80)]
    assert heights[0] == heights[2] > heights[1]
    assert measured == [80, 300]
    box.setText("some words that need several lines in a narrow box")
    assert box.heightForWidth(80) == heights[0]
    assert measured == [80, 300]
    box.setText("few words")
    assert box.heightForWidth(80) < heights[0]


def test_a_box_is_as_high_at_each_width_as_a_label_of_qt(qtbot):
    text = "words of several lengths, and a long_one_without_a_place_to_break " * 3
    box, label = plain_box("box"), QLabel(text)
    for widget in (box, label):
        qtbot.addWidget(widget)
    label.setWordWrap(True)
    label.setMargin(box.margin())
    box.setText(text)
    for width in range(420, 60, -1):
        assert box.heightForWidth(width) == label.heightForWidth(width)


@pytest.fixture
def document_and_engine():
    document = four_words()
    engine = Engine(document)
    yield document, engine
    engine.close()


def type_into(document, value):
    document.apply(SetCells("Type", "W_Q", 0, 0, np.array([[value]])))


def test_what_a_newer_edit_replaces_is_left_out(document_and_engine):
    document, engine = document_and_engine
    debounce, order = Debounce(engine), []
    debounce.due.connect(lambda: order.append("followed"))

    def on_computed(computed):
        order.append(computed.trace["W_Q"][0, 0])
        debounce.start()
        if len(order) == 1:
            type_into(document, 8.0)

    engine.computed.connect(on_computed)
    type_into(document, 7.0)
    for _ in range(10):
        QApplication.processEvents()
    assert order == [7.0, 8.0, "followed"]


def test_input_that_came_during_the_paint_is_looked_for_first(document_and_engine):
    document, engine = document_and_engine
    debounce, order = Debounce(engine), []
    debounce.due.connect(lambda: order.append("followed"))

    def on_computed(computed):
        order.append(computed.trace["W_Q"][0, 0])
        debounce.start()
        if len(order) == 1:
            QTimer.singleShot(0, lambda: type_into(document, 8.0))

    engine.computed.connect(on_computed)
    type_into(document, 7.0)
    for _ in range(10):
        QApplication.processEvents()
    assert order == [7.0, 8.0, "followed"]


def test_a_view_follows_in_the_end_even_though_edits_keep_coming(
    document_and_engine, monkeypatch
):
    document, engine = document_and_engine
    monkeypatch.setattr(debounce_module, "LONGEST_WAIT", 0.0)
    debounce, followed = Debounce(engine), []
    debounce.due.connect(lambda: followed.append(document.matrix("W_Q")[0, 0]))
    engine.computed.connect(lambda _: type_into(document, 8.0))
    type_into(document, 7.0)
    debounce.start()
    for _ in range(10):
        QApplication.processEvents()
    assert followed
