"""Sentences are added, stepped through, compared in a head, copied and saved."""

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolButton

from attnviewer.io import FileError
from attnviewer.ui.features.sentences import SentencesFeature
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.state.sentences import sentences as state
from attnviewer.ui.state.sentences.job import LONGEST
from attnviewer.ui.state.sentences.reading import sentences_in, sentences_of
from attnviewer.ui.views.sentences import SentencesPanel
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

CTRL = Qt.KeyboardModifier.ControlModifier
TYPED, PASTED = "the cat sat on the mat", "a mat and the cat\n\n  the cat slept \n"
LINES = ["a mat and the cat", "the cat slept"]


@pytest.fixture
def open_panel(window, open_model):
    """Return what opens a model and the panel."""

    def open_(path):
        open_model(path)
        window.findChild(QAction, "action.dock.sentences").trigger()
        return window.findChild(SentencesPanel)

    return open_


def settle(window):
    QApplication.processEvents()
    window.feature(SentencesFeature).sentences.worker.finish()
    QApplication.processEvents()


def listed(panel, column=0):
    rows = panel.table.model()
    return [rows.index(row, column).data() for row in range(rows.rowCount())]


def add(panel, text):
    panel.line.setFocus()
    QTest.keyClicks(panel.line, text)
    QTest.keyClick(panel.line, Qt.Key.Key_Return)


def induction(run, layer, head):
    """Share of the attention on what followed the query's token before, by hand."""
    weights = run.attention(layer)["weights"][head].astype(float)
    ids, n = run.ids, len(run.ids)
    after = [
        weights[i, j] for i in range(n) for j in range(1, i + 1) if ids[j - 1] == ids[i]
    ]
    return sum(after) / weights.sum()


def test_sentences_are_listed_with_a_number_of_the_head_and_opened_by_keys(
    window, open_panel, llama, qtbot
) -> None:
    panel = open_panel(llama)
    bench, model = window.workbench, window.workbench.model
    bench.selection.choose_head(2)
    add(panel, TYPED)
    QGuiApplication.clipboard().setText(PASTED)
    QTest.keyClick(panel.line, Qt.Key.Key_V, CTRL)
    assert listed(panel) == [TYPED, *LINES]
    panel.column.setCurrentIndex(panel.column.findData("induction"))
    panel.column.activated.emit(panel.column.currentIndex())
    settle(window)
    layer = model.location.layer
    run = model.experiment.run.model.run
    expected = induction(run(TYPED), layer, 2)
    assert expected > 0.01
    assert float(listed(panel, 1)[0]) == pytest.approx(expected, abs=5e-4)
    # No word of the others occurs twice.
    assert listed(panel, 1)[1:] == ["—", "—"]
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.table.model().index(0, 0))
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: model.text == LINES[0])
    qtbot.waitUntil(lambda: model.heads is not None)
    QTest.mouseClick(
        panel.findChild(QToolButton, "sentences.next"), Qt.MouseButton.LeftButton
    )
    qtbot.waitUntil(lambda: model.text == LINES[1])
    assert panel.table.currentIndex().row() == 2
    panel.line.setFocus()
    visited = []
    while QApplication.focusWidget() is not panel.table:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        visited.append(QApplication.focusWidget().objectName())
        assert len(visited) < 10
    assert visited[-3:] == [
        panel.column.objectName(),
        "sentences.order",
        "sentences.list",
    ]
    # Another head's numbers are those of its own layer.
    model.show(ModelLocation(1 - layer))
    qtbot.waitUntil(lambda: model.location.layer == 1 - layer)
    qtbot.waitUntil(lambda: model.heads is not None)
    settle(window)
    head = bench.selection.head
    assert float(listed(panel, 1)[0]) == pytest.approx(
        induction(run(TYPED), 1 - layer, head), abs=5e-4
    )


def test_sentences_are_read_from_a_file_sorted_refused_copied_and_saved(
    window, open_panel, gpt2, monkeypatch, tmp_path, appearance
) -> None:
    panel = open_panel(gpt2)
    with monkeypatch.context() as patch:
        check_bounds(window, panel, patch, tmp_path)
    panel.findChild(QAction, "action.sentences.clear").trigger()
    check_table(window, panel, monkeypatch, tmp_path, appearance)


def check_table(window, panel, monkeypatch, tmp_path, appearance) -> None:
    long, longer = "7 " * 16 + "7", "7" * (LONGEST + 1)
    panel.add(["1 2 3", long, "4 5 6 7", longer, "8 9", "=1+1"])
    settle(window)
    shown = listed(panel, 1)
    assert [row for row in range(6) if shown[row] == "refused"] == [1, 3, 5]
    said = panel.findChild(QLabel, "sentences.note")
    assert said.text() == "Entropy of L0 H0 in each sentence; 3 refused"
    model, text = window.workbench.model, window.workbench.model.text
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.table.model().index(2, 0))
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    assert said.text() == "Refused: It has 10,001 characters; at most 10,000 are read."
    QTest.keyClick(panel.table, Qt.Key.Key_Home, CTRL)
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    assert said.text().startswith("Refused: The sentence must have at most")
    assert model.wished_text in (text, "1 2 3")

    panel.order.setCurrentIndex(1)
    panel.order.activated.emit(1)
    numbers = [float(number) for number in listed(panel, 1)[:3]]
    assert numbers == sorted(numbers, reverse=True)
    assert listed(panel, 1)[3:] == ["refused"] * 3
    QTest.keyClick(panel.table, Qt.Key.Key_C, CTRL)
    copied = [row.split("\t") for row in QGuiApplication.clipboard().text().split("\n")]
    assert copied[0] == ["sentence", "tokens", "Entropy", "refused"]
    assert [row[0] for row in copied[1:4]] == listed(panel)[:3]
    assert [float(row[2]) for row in copied[1:4]] == pytest.approx(numbers, abs=5e-4)

    path = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    panel.findChild(QAction, "action.sentences.save").trigger()
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 7
    assert "'=1+1" in [row[0] for row in rows]  # no formula in a spreadsheet
    assert rows[4][3].startswith(("The sentence must", "It has 10,001"))

    appearance.set_text_size(150)
    for _ in range(3):
        QApplication.processEvents()
    assert [what for what in misfits(window) if "sentences" in what] == []
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    assert len(listed(panel)) == 5
    panel.findChild(QAction, "action.sentences.clear").trigger()
    assert listed(panel) == []
    assert panel.findChild(QLabel, "sentences.none").isVisible()


def check_bounds(window, panel, monkeypatch, tmp_path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes("\ufeffthe cat\r\n\r\n a mat \nthe cat\n".encode())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    panel.findChild(QAction, "action.sentences.file").trigger()
    assert listed(panel) == ["the cat", "a mat"]
    path.write_bytes(b"caf\xe9")
    panel.findChild(QAction, "action.sentences.file").trigger()
    assert window.notice.text.endswith("It is not a text in UTF-8.")
    monkeypatch.setattr(state, "MOST", 3)
    panel.add(["one", "two"])
    assert listed(panel) == ["the cat", "a mat", "one"]
    assert panel.findChild(QLabel, "sentences.note").text() == (
        "The list holds at most 3 sentences: 1 were not added."
    )
    remove = panel.findChild(QAction, "action.sentences.remove")
    assert not remove.isEnabled()
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.table.model().index(0, 0))
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    settle(window)
    assert panel.findChild(QLabel, "sentences.note").text().startswith("Refused: ")
    assert remove.isEnabled()
    remove.trigger()
    assert listed(panel) == ["the cat", "one"]
    sentences = window.feature(SentencesFeature).sentences
    sentences.cancel()
    assert not sentences.computing


def test_lines_become_sentences(tmp_path) -> None:
    assert sentences_in("a\n \n b \r\na") == ["a", "b"]
    with pytest.raises(FileError, match="There is no such file"):
        sentences_of(tmp_path / "none.txt")
