"""Opening files in the background: progress, and the possible outcomes."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from attnviewer.document import SetCells
from attnviewer.io import read_session, save_session
from attnviewer.ui.import_.reading import ArraysReading
from attnviewer.ui.work import worker as worker_module
from tests.documents import four_words, state_of
from tests.ui.gates import gated
from tests.ui.lessons.conftest import LESSON


class SlowFile:
    """An origin whose reading blocks until it is released."""

    def __init__(self, path):
        self.path, self.paths = path, (path,)
        self.reached = threading.Event()
        self.go = threading.Event()

    def read(self):
        self.reached.set()
        assert self.go.wait(10)
        return read_session(self.path)


@pytest.fixture
def slow(tmp_path):
    """Return a factory of slow files, which are released after the test."""
    made = []

    def make(name):
        document = four_words()
        document.apply(SetCells("named", "X", 0, 0, np.array([[float(len(name))]])))
        save_session(document, tmp_path / name)
        made.append(SlowFile(tmp_path / name))
        return made[-1]

    yield make
    for file in made:
        file.go.set()


def first_number(window):
    return window.document.matrix("X")[0, 0]


def test_a_file_that_takes_a_while_is_named_and_given_up_and_edits_go_on_meanwhile(
    window, qtbot, slow, monkeypatch
):
    file, old = slow("a.attn"), window.document
    window.opener.open_origin(file)
    assert file.reached.wait(10)
    window.workbench.edits.submit(SetCells("edit", "X", 0, 0, np.array([[3.0]])))
    assert window.document is old
    file.go.set()
    qtbot.waitUntil(lambda: window.document is not old)
    assert first_number(window) == len("a.attn")
    assert window.workbench.set_aside == [old]
    assert "kept" in window.notice.text

    monkeypatch.setattr(worker_module, "PATIENCE", 0.0)
    file, old = slow("käse 🧀 & co.attn"), window.document
    window.opener.open_origin(file)
    qtbot.waitUntil(window.work.isVisible)
    assert window.work.text.text() == "reading “käse 🧀 & co.attn”…"
    window.work.cancel.setFocus()
    QTest.keyClick(window.work.cancel, Qt.Key.Key_Space)
    assert not window.work.isVisible()
    assert window.notice.text == "“käse 🧀 & co.attn” was not opened."
    file.go.set()
    window.opener.reader.worker.finish()
    assert window.document is old


def test_what_is_chosen_last_is_opened_and_a_window_closes_while_a_file_is_read(
    window, qtbot, slow, tmp_path, monkeypatch
):
    one, other = slow("a.attn"), slow("another.attn")
    window.opener.open_origin(one)
    assert one.reached.wait(10)
    window.opener.open_origin(other)
    one.go.set()
    other.go.set()
    qtbot.waitUntil(lambda: first_number(window) == len("another.attn"))
    assert window.workbench.set_aside == []

    file = slow("a.attn")
    window.opener.open_origin(file)
    assert file.reached.wait(10)
    window.opener.open_example("two-heads")
    chosen = window.document
    file.go.set()
    window.opener.reader.worker.finish()
    assert window.document is chosen

    lesson = tmp_path / "by-hand.md"
    lesson.write_text(LESSON, encoding="utf-8")
    file = slow("a.attn")
    window.opener.open_origin(file)
    assert file.reached.wait(10)
    window.opener.open(str(lesson))
    chosen = window.document
    assert chosen.title == "Scores by hand"
    file.go.set()
    window.opener.reader.worker.finish()
    assert window.document is chosen

    (tmp_path / "numbers.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    with gated(monkeypatch, ArraysReading, "run") as gate:
        gate.clear()
        window.opener.open(str(tmp_path / "numbers.csv"))
        window.opener.open_example("two-heads")
        gate.set()
        window.importer._worker.finish()
    assert window.importer.dialog is None
    assert window.document.title != chosen.title

    file = slow("a.attn")
    window.opener.open_origin(file)
    assert file.reached.wait(10)
    file.go.set()
    window.close()
    assert not window.isVisible()


def test_a_refused_file_is_named_with_its_reason_and_a_refused_text_keeps_its_document(
    window, qtbot, tmp_path, monkeypatch
):
    good, bad = tmp_path / "good.attn", tmp_path / "bad.attn"
    save_session(four_words(), good)
    bad.write_bytes(b"no archive")
    old = window.document
    window.opener.open(str(bad))
    qtbot.waitUntil(lambda: window.notice.text != "")
    assert window.notice.text.startswith(f"{bad}: The file is damaged")
    assert window.document is old
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(good), ""))
    QTest.mouseClick(
        window.notice.findChild(QPushButton, "notice.offer.0"),
        Qt.MouseButton.LeftButton,
    )
    qtbot.waitUntil(lambda: window.document is not old)
    assert state_of(window.document) == state_of(four_words())

    save_session(four_words(), tmp_path / "a.attn")
    table, old = window.inputs.table("X"), window.document
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "x")
    window.opener.open(str(tmp_path / "a.attn"))
    qtbot.waitUntil(lambda: "text that is not valid" in window.notice.text)
    assert window.document is old
