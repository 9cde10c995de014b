"""Work that takes long: the window stays usable, says how far it is, and can stop."""

import threading
from time import sleep

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from attnviewer.compute import IncrementalEngine, Spec
from attnviewer.document import Document, SetCells
from attnviewer.io import load
from attnviewer.ui.state import building as building_module
from attnviewer.ui.state import engine as engine_module
from attnviewer.ui.window.app import create_window
from attnviewer.ui.work import worker as worker_module


class Gate:
    """Lets a worker compute only when it is opened; the GUI thread always."""

    def __init__(self, monkeypatch):
        self.reached = threading.Event()
        self._open = threading.Event()
        self._gui = threading.get_ident()
        monkeypatch.setattr(building_module, "IncrementalEngine", self._steps)

    def open(self):
        self._open.set()

    def shut(self):
        self._open.clear()

    def _steps(self, spec, inputs, precision, tell, **options):
        if threading.get_ident() != self._gui:
            tell(0.25)
            self.reached.set()
            assert self._open.wait(10)
        return IncrementalEngine(spec, inputs, precision, tell, **options)


class Elsewhere:
    """Other work, which is its own job and ends when it is cancelled."""

    def __init__(self):
        self.worker, self.stopped = worker_module.Worker(), False

    def run(self):
        while not self.stopped:
            sleep(0.001)

    def progress(self, _job):
        return "reading…"

    def cancel(self):
        self.worker.stop(self)


@pytest.fixture
def elsewhere(qapp):
    elsewhere = Elsewhere()
    yield elsewhere
    elsewhere.worker.close()


@pytest.fixture
def gate(monkeypatch):
    gate = Gate(monkeypatch)
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    monkeypatch.setattr(engine_module, "PATIENT_COST", 0)
    monkeypatch.setattr(worker_module, "PATIENCE", 0.0)
    yield gate
    gate.open()


def edit(window, value):
    window.workbench.edits.submit(SetCells("edit", "X", 0, 0, np.array([[value]])))
    window.workbench.engine.flush()


def other_document():
    x = np.array([[2.0, 0.0], [0.0, 1.0]])
    return Document("The other", ["y", "z"], {"X": x}, Spec(projected=False))


def test_a_picture_that_waits_for_an_edit_stays_and_says_how_far_it_is(
    window, gate, qtbot
):
    step = window.step_view
    step.set_view("heatmap")
    qtbot.waitUntil(lambda: step.page is step.heatmap)
    mark, before = step.behind, step.heatmap.grab().toImage()
    edit(window, 7.0)
    qtbot.waitUntil(window.work.isVisible)
    qtbot.waitUntil(mark.isVisible)
    assert mark.text().startswith("computing…")
    corner = step.page.mapTo(step, step.page.rect().bottomRight())
    assert 0 < corner.x() - mark.geometry().right() < 20
    assert 0 < corner.y() - mark.geometry().bottom() < 20
    assert step.heatmap.grab().toImage() == before
    qtbot.waitUntil(lambda: mark.text() == "computing… 12 %")
    assert window.work.text.text() == "computing… 12 %"
    step.set_view("table")
    assert mark.isVisible()
    step.set_view("heatmap")
    gate.open()
    qtbot.waitUntil(lambda: not mark.isVisible())
    qtbot.waitUntil(lambda: not window.work.isVisible())
    assert step.heatmap.grab().toImage() != before
    assert window.workbench.engine.current.trace["X"][0, 0] == 7.0
    assert window.notice.text == ""


def test_the_mouse_cancels_and_leaves_the_keys_and_no_mark_until_the_next_edit(
    window, gate, elsewhere, qtbot
):
    table = window.inputs.table("X")
    table.setFocus()
    edit(window, 7.0)
    qtbot.waitUntil(window.step_view.behind.isVisible)
    qtbot.waitUntil(window.work.isVisible)
    window.work.follow(elsewhere)
    with qtbot.waitSignal(elsewhere.worker.progressed):
        elsewhere.worker.start(elsewhere)
    assert window.work.text.text().startswith("computing…")
    QTest.mouseClick(window.work.cancel, Qt.MouseButton.LeftButton)
    assert window.notice.text
    assert not elsewhere.stopped
    qtbot.waitUntil(window.work.isVisible)
    assert window.work.text.text() == "reading…"
    window.workbench.engine.worker.rested.emit()
    assert window.work.isVisible()
    QTest.mouseClick(window.work.cancel, Qt.MouseButton.LeftButton)
    assert elsewhere.stopped
    gate.open()
    assert not window.step_view.behind.isVisible()
    assert not window.work.isVisible()
    assert window.focusWidget() is table
    edit(window, 8.0)
    qtbot.waitUntil(lambda: window.workbench.engine.current.trace["X"][0, 0] == 8.0)
    assert window.notice.text == ""


def test_it_can_be_cancelled_and_taken_up_again_with_the_keys(window, gate, qtbot):
    edit(window, 7.0)
    qtbot.waitUntil(window.work.isVisible)
    window.work.cancel.setFocus()
    QTest.keyClick(window.work.cancel, Qt.Key.Key_Space)
    assert not window.work.isVisible()
    assert "older than the numbers" in window.notice.text
    assert window.status.speed.text() == ""
    assert window.workbench.engine.current.trace["X"][0, 0] != 7.0
    gate.open()
    offer = window.notice.findChild(QPushButton, "notice.offer.0")
    offer.setFocus()
    QTest.keyClick(offer, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.workbench.engine.current.trace["X"][0, 0] == 7.0)
    assert window.notice.text == ""


def test_a_large_document_is_opened_when_it_is_computed_and_the_old_one_used_meanwhile(
    window, gate, qtbot
):
    before, title = window.document, window.document.title
    window.opener.open_document(other_document())
    qtbot.waitUntil(window.work.isVisible)
    window.work.cancel.click()
    assert "The other" in window.notice.text
    gate.open()
    QApplication.processEvents()
    assert window.document is before
    assert not window.work.isVisible()
    window.workbench.engine.worker.finish()
    gate.shut()
    window.opener.open_document(other_document())
    qtbot.waitUntil(window.work.isVisible)
    qtbot.waitUntil(lambda: window.work.text.text().endswith("%"))
    assert window.work.text.text() == "opening “The other”… 12 %"
    assert window.document.title == title
    edited = window.document
    edit(window, 7.0)
    assert edited.matrix("X")[0, 0] == 7.0
    gate.open()
    qtbot.waitUntil(lambda: window.document.title == "The other")
    assert window.workbench.engine.current.labels.queries == ("y", "z")
    assert window.workbench.set_aside == [edited]
    assert "are kept" in window.notice.text
    qtbot.waitUntil(lambda: not window.work.isVisible())
    assert window.inputs.table("X").model().rowCount() >= 2
    # It comes back with its changes.
    window.opener.reopen(edited)
    qtbot.waitUntil(lambda: window.document is edited)
    assert window.workbench.modified
    assert window.workbench.set_aside == []
    assert window.workbench.engine.current.trace["X"][0, 0] == 7.0


def test_what_memory_is_too_small_for_is_not_opened(window, qtbot, monkeypatch):
    before = window.document
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)

    def run_out(*_, **__):
        raise MemoryError

    monkeypatch.setattr(building_module, "IncrementalEngine", run_out)
    window.opener.open_document(other_document())
    qtbot.waitUntil(lambda: "not enough memory" in window.notice.text)
    assert window.notice.text.startswith("The other")
    assert window.document is before
    assert window.status.speed.text() == ""


def test_a_window_on_a_large_document_is_there_before_it_is_computed(
    qtbot, appearance, gate
):
    window = create_window("example:journey", wait=False)
    qtbot.addWidget(window)
    wanted = load("example:journey").title
    assert window.document.title != wanted
    gate.open()
    qtbot.waitUntil(lambda: window.document.title == wanted)
    window.close()


def test_numbers_beyond_the_precision_of_the_menu_are_not_opened_but_told(window):
    before = window.document
    assert window.status.precision.text() == "float64"
    window.findChild(QAction, "action.precision.float32").trigger()
    assert window.status.precision.text() == "float32"
    huge = Document("Huge", ["a"], {"X": [[1e300]]}, Spec(projected=False))
    window.opener.open_document(huge)
    assert window.notice.text.startswith("Huge: The 'X' matrix must hold numbers in")
    assert window.document is before
    window.findChild(QAction, "action.precision.automatic").trigger()
    assert window.status.precision.text() == "float64"
    window.opener.open_document(huge)
    assert window.document is huge
    assert window.notice.text == ""
