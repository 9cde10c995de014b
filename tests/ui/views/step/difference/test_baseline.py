"""The pinned state and that before the last edit, computed at once or in a worker."""

import threading

import numpy as np
import pytest

from attnviewer.compute import Pin, Spec
from attnviewer.document import Document, Replace, SetCells, Snapshot
from attnviewer.document.pins import add_pins
from attnviewer.ui.state import baseline as baseline_module
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.worker import NO_MEMORY


@pytest.fixture
def bench(qapp):
    x = [[1.0, 0.0], [0.0, 1.0]]
    document = Document("Two", "ab", {"X": x}, Spec(projected=False, scale=1.0))
    bench = Workbench(document)
    yield bench
    bench.close()


def set_x(bench, value, gesture=None):
    edit = SetCells(f"Set to {value}", "X", 0, 0, np.array([[value]]))
    bench.edits.submit(edit, gesture=gesture)


def scores(reference):
    return reference.trace["scores"].tolist()


def test_a_pinned_state_stays_what_it_was(bench):
    bench.baseline.pin()
    set_x(bench, 3.0)
    bench.engine.flush()
    reference = bench.baseline.reference()
    assert scores(reference) == [[1.0, 0.0], [0.0, 1.0]]
    assert reference.title.startswith("Two, set at ")
    assert bench.baseline.pinned_at in reference.title
    bench.baseline.pin()
    assert scores(bench.baseline.reference()) == [[9.0, 0.0], [0.0, 1.0]]


def test_an_earlier_baseline_can_be_returned_to(bench):
    bench.baseline.pin()
    set_x(bench, 3.0)
    bench.baseline.pin()
    first, second = *bench.baseline.earlier, bench.baseline.pinned
    assert first.title != second.title
    bench.baseline.return_to(first)
    assert bench.baseline.pinned.title == first.title
    assert scores(bench.baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]
    assert [each.title for each in bench.baseline.earlier] == [second.title]
    bench.baseline.unpin()
    assert [each.title for each in bench.baseline.earlier] == [second.title]
    for _ in range(20):
        bench.baseline.pin()
    titles = {each.title for each in bench.baseline.earlier}
    assert len(titles) == len(bench.baseline.earlier) == 8


def test_the_state_before_a_scrub_is_computed_once(bench, monkeypatch):
    taken = []
    before = Snapshot.before

    def count(*arguments):
        taken.append(arguments)
        return before(*arguments)

    monkeypatch.setattr(Snapshot, "before", count)
    gesture = object()
    for value in (2.0, 3.0, 4.0):
        set_x(bench, value, gesture)
        reference = bench.baseline.last_edit()
        assert scores(reference)[0][0] == 1.0
        assert reference.title == f"before “Set to {value}”"
    assert len(taken) == 1
    set_x(bench, 5.0)
    assert scores(bench.baseline.last_edit())[0][0] == 16.0
    assert len(taken) == 2


def test_the_state_before_tokens_came_has_its_own_tokens(bench):
    x = np.ones((3, 2))
    bench.edits.submit(Replace("Add", tokens=tuple("abc"), matrices={"X": x}))
    side = bench.baseline.last_edit().side
    assert side.labels.queries == ("a", "b")
    assert side.trace.shape("scores") == (2, 2)
    bench.edits.undo()
    assert bench.baseline.last_edit() is None
    assert bench.baseline.title("last_edit") == ""


def test_another_document_has_its_own_last_edit_and_keeps_the_pinned(bench):
    bench.baseline.pin()
    set_x(bench, 3.0)
    bench.open(Document("Other", "c", {"X": [[1.0]]}, Spec(projected=False)))
    assert bench.baseline.last_edit() is None
    assert bench.baseline.reference().title.startswith("Two, set at")
    bench.reopen(bench.set_aside[0])
    assert bench.baseline.last_edit().title == "before “Set to 3.0”"


def test_unpinning_goes_back_to_the_last_edit(bench):
    bench.baseline.pin()
    assert bench.baseline.choice == "baseline"
    bench.baseline.unpin()
    assert (bench.baseline.choice, bench.baseline.pinned) == ("last_edit", None)
    bench.baseline.choose("baseline")
    assert bench.baseline.reference() is None


def pin_score(bench, **pin):
    """Pin the score of a and b, which is 0, to 2."""
    pins = [Pin("scores", 0, 1, 2.0, **pin)]
    bench.edits.submit(add_pins(bench.document, pins, "Pin"))
    bench.engine.flush()


def test_the_state_without_pins_follows_every_edit(bench):
    baseline = bench.baseline
    baseline.choose("without_pins")
    assert (baseline.title("without_pins"), baseline.reference()) == ("", None)
    pin_score(bench)
    reference = baseline.reference()
    assert reference.title == baseline.title("without_pins") == "without pins"
    assert scores(reference) == [[1.0, 0.0], [0.0, 1.0]]
    assert baseline.reference() is reference  # computed once
    gesture = object()
    for value in (3.0, 4.0):  # a scrub is one step of undo
        set_x(bench, value, gesture)
        bench.engine.flush()
        assert bench.engine.current.trace["scores"].tolist() == [
            [value**2, 2.0],
            [0.0, 1.0],
        ]
        assert scores(baseline.reference()) == [[value**2, 0.0], [0.0, 1.0]]
    bench.edits.undo()
    assert scores(baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]
    bench.edits.undo()
    assert (baseline.title("without_pins"), baseline.reference()) == ("", None)
    bench.edits.redo()
    assert scores(baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]


def test_pins_that_are_switched_off_give_no_state_without_pins(bench):
    pin_score(bench, enabled=False)
    bench.baseline.choose("without_pins")
    assert bench.baseline.title("without_pins") == ""
    assert bench.baseline.reference() is None


def test_another_document_has_its_own_state_without_pins(bench):
    pin_score(bench)
    bench.baseline.choose("without_pins")
    assert scores(bench.baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]
    bench.open(Document("Other", "c", {"X": [[3.0]]}, Spec(projected=False, scale=1.0)))
    assert bench.baseline.reference() is None
    bench.edits.submit(
        add_pins(bench.document, [Pin("scores", 0, 0, 1.0, how="add")], "Pin")
    )
    assert scores(bench.baseline.reference()) == [[9.0]]


def test_the_state_without_pins_has_none_of_any_step(bench):
    pins = [Pin("scores", 0, 1, 2.0), Pin("weights", 1, range(2), 0.5)]
    bench.edits.submit(add_pins(bench.document, pins, "Pin"))
    bench.engine.flush()
    bench.baseline.choose("without_pins")
    before, after = bench.baseline.reference().trace, bench.engine.current.trace
    share = np.e / (np.e + 1)  # what the softmax of 1 and 0 gives to the 1
    plain = [[share, 1 - share], [1 - share, share]]
    assert np.allclose(before["weights"], plain, rtol=1e-15)
    held = [[1 - share, share], [0.5, 0.5]]
    assert np.allclose(after["weights"], held, rtol=1e-15)
    computed = [[1 - share, share], [1 - share, share]]  # from the pinned scores
    assert np.allclose(after.computed("weights"), computed, rtol=1e-15)


class HeldRun:
    """The computation, held back in the worker until it is released."""

    def __init__(self, monkeypatch):
        self.released = threading.Event()
        self.threads = []
        self._compute = Snapshot.compute
        monkeypatch.setattr(baseline_module, "FRAME_COST", 0)
        monkeypatch.setattr(Snapshot, "compute", lambda snapshot: self(snapshot))

    def __call__(self, snapshot):
        assert self.released.wait(10)
        self.threads.append(threading.get_ident())
        return self._compute(snapshot)


@pytest.fixture
def held(monkeypatch):
    held = HeldRun(monkeypatch)
    yield held
    held.released.set()


def test_a_large_state_is_computed_in_a_worker(bench, held, qtbot):
    bench.baseline.pin()
    assert bench.baseline.reference().side is None
    set_x(bench, 3.0)
    with qtbot.waitSignal(bench.baseline.changed):
        held.released.set()
    assert scores(bench.baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]
    assert threading.get_ident() not in held.threads


def test_a_state_that_another_has_taken_the_place_of_is_not_computed(
    bench, held, qtbot
):
    for value in (2.0, 3.0, 4.0):
        set_x(bench, value)
        assert bench.baseline.last_edit().trace is None
    with qtbot.waitSignal(bench.baseline.changed):
        held.released.set()
    bench.baseline.finish()
    assert scores(bench.baseline.last_edit())[0][0] == 9.0
    # The first may have been begun; the second is nobody's any more.
    assert len(held.threads) <= 2


def test_a_large_state_without_pins_is_that_of_the_newest_inputs(bench, held, qtbot):
    pin_score(bench)
    bench.baseline.choose("without_pins")
    for value in (2.0, 3.0, 4.0):
        set_x(bench, value)
        assert bench.baseline.reference().side is None
    with qtbot.waitSignal(bench.baseline.changed):
        held.released.set()
    bench.baseline.finish()
    assert scores(bench.baseline.reference()) == [[16.0, 0.0], [0.0, 1.0]]
    assert len(held.threads) <= 2


def test_one_can_wait_for_what_is_computed(bench, held):
    bench.baseline.pin()
    held.released.set()
    bench.baseline.finish()
    assert scores(bench.baseline.reference()) == [[1.0, 0.0], [0.0, 1.0]]


def run_out_of_memory(*_arguments):
    raise MemoryError


@pytest.mark.parametrize("frame_cost", [0, 10**9])
def test_too_little_memory_to_compute_is_told(bench, monkeypatch, frame_cost):
    monkeypatch.setattr(baseline_module, "FRAME_COST", frame_cost)
    monkeypatch.setattr(Snapshot, "compute", run_out_of_memory)
    bench.baseline.pin()
    bench.baseline.finish()
    reference = bench.baseline.reference()
    assert (reference.side, reference.trouble) == (None, NO_MEMORY)


def test_too_little_memory_to_keep_it_is_told(bench, monkeypatch):
    monkeypatch.setattr(Snapshot, "of", run_out_of_memory)
    bench.baseline.pin()
    assert bench.baseline.reference().trouble == NO_MEMORY
