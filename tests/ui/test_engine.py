import numpy as np
import pytest

from attnviewer.compute import Spec
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
    monkeypatch.setattr(engine_module, "FRAME_OPERATIONS", 0)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert engine.current.trace["X"][0, 0] == 1.0, "flush must not wait for the worker"
    qtbot.waitUntil(lambda: engine.current.trace["X"][0, 0] == 5.0)


def test_an_answer_that_an_edit_has_overtaken_is_dropped(
    engine, document, qtbot, monkeypatch
):
    monkeypatch.setattr(engine_module, "FRAME_OPERATIONS", 0)
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
    monkeypatch.setattr(engine_module, "FRAME_OPERATIONS", 0)
    set_x(document, 0, 0, 7.0)
    engine.flush()
    seen = []
    engine.computed.connect(seen.append)
    assert engine.up_to_date().trace["X"][0, 0] == 7.0
    qtbot.wait(50)
    assert len(seen) == 1, "the worker's late answer must not be published again"


def test_another_document_is_computed_and_the_old_one_no_longer_heard(
    engine, document, qtbot
):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False, scale=1.0))
    engine.set_document(other)
    assert engine.current.tokens == ("z",)
    assert len(document.changed) == 0
    set_x(document, 0, 0, 5.0)
    qtbot.wait(20)
    assert engine.current.trace["X"].tolist() == [[2.0]]


def test_new_tokens_come_with_the_next_trace(engine, document):
    document.apply(Replace("rename", tokens=("x", "y")))
    engine.flush()
    assert engine.current.tokens == ("x", "y")


def test_a_closed_engine_listens_no_more(document, qapp):
    engine = Engine(document)
    engine.close()
    assert len(document.changed) == 0
