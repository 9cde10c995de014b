import threading
from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QThreadPool, QTimer
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec, run
from attnviewer.document import Document, Replace, SetCells
from attnviewer.ui import engine as engine_module
from attnviewer.ui.engine import Engine


@pytest.fixture
def document():
    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    return Document("two", ["a", "b"], {"X": x}, Spec(projected=False, scale=1.0))


@pytest.fixture
def engine(document, qapp):
    engine = Engine(document)
    yield engine
    engine.close()


def set_x(document, row, column, value):
    edit = SetCells("edit", "X", row, column, np.array([[value]]))
    return document.apply(edit)


def settle(engine, qtbot):
    """Let the engine do all it has to: the next turn, the worker, its answer."""
    with qtbot.waitCallback() as turned:
        # Started last, it fires after the engine's own.
        QTimer.singleShot(0, turned)
    assert engine.findChild(QThreadPool).waitForDone(10_000)
    QApplication.processEvents()


class HeldRun:
    """The computation, held back in the worker until it is released."""

    def __init__(self, monkeypatch):
        self.started = threading.Event()
        self.released = threading.Event()
        self.finished = threading.Event()
        self._gui = threading.get_ident()
        monkeypatch.setattr(engine_module, "FRAME_COST", 0)
        monkeypatch.setattr(engine_module, "run", self)

    def __call__(self, spec, inputs):
        if threading.get_ident() == self._gui:
            return run(spec, inputs)
        self.started.set()
        assert self.released.wait(10)
        trace = run(spec, inputs)
        self.finished.set()
        return trace


@pytest.fixture
def held_run(monkeypatch):
    held = HeldRun(monkeypatch)
    yield held
    held.released.set()


def run_out_of_memory(spec, inputs):
    raise MemoryError


def test_the_first_trace_is_there_at_once(engine):
    assert engine.current.trace["scores"].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert engine.current.edited_at is None


def test_edits_of_one_turn_of_the_event_loop_are_computed_once(engine, document, qtbot):
    seen = []
    engine.computed.connect(seen.append)
    with qtbot.waitSignal(engine.computed):
        for value in (2.0, 3.0, 4.0):
            set_x(document, 0, 0, value)
    assert [computed.revision for computed in seen] == [3]
    assert seen[0].trace["scores"][0, 0] == 16.0


def test_a_trace_does_not_change_when_the_document_does(engine, document):
    before = engine.current.trace
    set_x(document, 0, 0, 9.0)
    assert before["X"][0, 0] == 1.0


def test_what_takes_longer_than_a_frame_is_computed_off_the_gui_thread(
    engine, document, qtbot, monkeypatch
):
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert engine.current.trace["X"][0, 0] == 1.0, "flush must not wait for the worker"
    qtbot.waitUntil(lambda: engine.current.trace["X"][0, 0] == 5.0)


def test_an_answer_that_an_edit_has_overtaken_is_dropped(
    engine, document, qtbot, monkeypatch
):
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    seen = []
    engine.computed.connect(seen.append)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    set_x(document, 0, 0, 6.0)
    engine.flush()
    qtbot.waitUntil(lambda: engine.current.revision == 2)
    assert [computed.revision for computed in seen] == [2]


def test_an_export_gets_the_newest_trace_even_while_a_worker_runs(
    engine, document, monkeypatch, qtbot
):
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    set_x(document, 0, 0, 7.0)
    engine.flush()
    seen = []
    engine.computed.connect(seen.append)
    assert engine.up_to_date().trace["X"][0, 0] == 7.0
    settle(engine, qtbot)
    assert len(seen) == 1, "the worker's late answer must not be published again"


def test_another_document_is_computed_and_the_old_one_no_longer_heard(
    engine, document, qtbot
):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False, scale=1.0))
    engine.set_document(other)
    assert engine.current.labels.queries == ("z",)
    assert len(document.changed) == 0
    set_x(document, 0, 0, 5.0)
    settle(engine, qtbot)
    assert engine.current.trace["X"].tolist() == [[2.0]]


def test_new_tokens_come_with_the_next_trace(engine, document):
    document.apply(Replace("rename", tokens=("x", "y")))
    engine.flush()
    assert engine.current.labels.queries == ("x", "y")


def test_a_closed_engine_listens_no_more(document, qapp):
    engine = Engine(document)
    engine.close()
    assert len(document.changed) == 0


def test_the_time_of_a_turns_first_edit_counts(engine, document):
    before = perf_counter()
    set_x(document, 0, 0, 2.0)
    between = perf_counter()
    set_x(document, 0, 0, 3.0)
    engine.flush()
    assert before <= engine.current.edited_at <= between
    set_x(document, 0, 0, 4.0)
    engine.flush()
    assert engine.current.edited_at > between


@pytest.mark.parametrize(("tokens", "in_the_gui"), [(10, True), (1000, False)])
def test_small_work_is_done_at_once_and_large_work_in_another_thread(
    qtbot, monkeypatch, tokens, in_the_gui
):
    threads = []

    def noted_run(spec, inputs):
        threads.append(threading.get_ident())
        return run(spec, inputs)

    spec = Spec(projected=False)
    document = Document("n", ["t"] * tokens, {"X": np.eye(tokens, 2)}, spec)
    engine = Engine(document)
    monkeypatch.setattr(engine_module, "run", noted_run)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    settle(engine, qtbot)
    assert engine.current.revision == 1
    assert [thread == threading.get_ident() for thread in threads] == [in_the_gui]
    engine.close()


def test_closing_waits_for_the_worker(document, qapp, held_run):
    engine = Engine(document)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held_run.started.wait(10)
    release = threading.Timer(0.05, held_run.released.set)
    release.start()
    engine.close()
    finished = held_run.finished.is_set()
    release.join()
    assert finished


def test_an_edit_before_another_document_is_opened_is_not_computed_for_it(
    engine, document, qtbot
):
    set_x(document, 0, 0, 5.0)
    seen = []
    engine.computed.connect(seen.append)
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False))
    engine.set_document(other)
    settle(engine, qtbot)
    assert [computed.labels.queries for computed in seen] == [("z",)]
    assert seen[0].edited_at is None


def test_a_late_answer_for_one_document_is_never_shown_for_another(
    engine, document, qtbot, held_run
):
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held_run.started.wait(10)
    spec = Spec(projected=False)
    other = Document("other", ["y", "z"], {"X": [[2.0, 0.0], [0.0, 2.0]]}, spec)
    seen = []
    engine.set_document(other)
    engine.computed.connect(seen.append)
    set_x(other, 0, 0, 7.0)
    engine.flush()
    assert document.revision == other.revision
    held_run.released.set()
    settle(engine, qtbot)
    assert [computed.labels.queries for computed in seen] == [("y", "z")]
    assert engine.current.trace["X"].tolist() == [[7.0, 0.0], [0.0, 2.0]]


@pytest.mark.parametrize("frame_cost", [0, 10**12])
def test_what_memory_is_too_small_for_is_told_and_the_next_edit_is_computed(
    engine, document, qtbot, monkeypatch, frame_cost
):
    monkeypatch.setattr(engine_module, "FRAME_COST", frame_cost)
    told = []
    engine.failed.connect(told.append)
    with monkeypatch.context() as patch:
        patch.setattr(engine_module, "run", run_out_of_memory)
        set_x(document, 0, 0, 5.0)
        engine.flush()
        settle(engine, qtbot)
    assert len(told) == 1
    assert "memory" in told[0]
    assert engine.current.revision == 0
    set_x(document, 0, 0, 6.0)
    engine.flush()
    settle(engine, qtbot)
    assert engine.current.trace["X"][0, 0] == 6.0
    assert len(told) == 1


def test_a_late_failure_of_one_document_is_not_told_of_another(
    engine, document, qtbot, monkeypatch
):
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    told = []
    engine.failed.connect(told.append)
    with monkeypatch.context() as patch:
        patch.setattr(engine_module, "run", run_out_of_memory)
        set_x(document, 0, 0, 5.0)
        engine.flush()
        # It has failed by now; the answer waits in the queue of events.
        assert engine.findChild(QThreadPool).waitForDone(10_000)
    engine.set_document(Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False)))
    settle(engine, qtbot)
    assert told == []


def test_a_document_too_large_for_memory_leaves_the_engine_with_the_old_one(
    engine, document, monkeypatch
):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False))
    with monkeypatch.context() as patch:
        patch.setattr(engine_module, "run", run_out_of_memory)
        with pytest.raises(MemoryError):
            engine.set_document(other)
    assert len(other.changed) == 0
    set_x(document, 0, 0, 3.0)
    engine.flush()
    assert engine.current.trace["X"][0, 0] == 3.0
