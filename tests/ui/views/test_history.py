"""The list of edits, walked through with keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView, QWidget

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.ui.views.history import HistoryPanel


def one_cell(title: str) -> Document:
    return Document(title, ["a"], {"X": [[1.0]]}, Spec(projected=False))


@pytest.fixture
def history(qtbot, make_edits):
    window = QWidget()
    qtbot.addWidget(window)
    edits = make_edits(one_cell("Opened"), window)
    for value in (2.0, 3.0, 4.0):
        edits.submit(SetCells(f"Set to {value}", "X", 0, 0, np.array([[value]])))
    panel = HistoryPanel(edits, window)
    with qtbot.waitExposed(window):
        window.show()
    yield edits, panel.findChild(QListView, "history.list")
    window.close()


def rows(view: QListView) -> list[str]:
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_list_begins_with_the_document_and_names_every_edit(history):
    _, view = history
    assert rows(view) == ["Opened", "Set to 2.0", "Set to 3.0", "Set to 4.0"]


def test_a_click_goes_to_the_state_after_an_edit(history):
    edits, view = history
    for row, value in ((1, 2.0), (3, 4.0), (0, 1.0)):
        place = view.visualRect(view.model().index(row, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert edits.document.matrix("X")[0, 0] == value
    assert edits.isClean()


def test_arrow_keys_walk_through_the_edits(history):
    edits, view = history
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert edits.document.matrix("X")[0, 0] == 3.0
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert edits.document.matrix("X")[0, 0] == 1.0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert edits.document.matrix("X")[0, 0] == 4.0


def test_the_list_is_that_of_the_open_document(history):
    edits, view = history
    first = edits.document
    edits.set_document(one_cell("Another"))
    assert rows(view) == ["Another"]
    edits.set_document(first)
    assert rows(view)[0] == "Opened"


def test_the_heading_counts_the_edits_and_says_when_there_are_none(history, qtbot):
    edits, view = history
    count = view.parentWidget().findChild(QLabel, "history.count")
    assert count.text() == "3 of 3 edits"
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert count.text() == "2 of 3 edits"
    edits.set_document(one_cell("Another"))
    assert count.text() == "nothing edited yet"
