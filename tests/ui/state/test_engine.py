import threading
import weakref
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QThreadPool, QTimer
from PySide6.QtWidgets import QApplication

from attnviewer.compute import IncrementalEngine, Spec, run
from attnviewer.compute.engine import storing
from attnviewer.document import Document, Replace, SetCells
from attnviewer.ui.state import building as building_module
from attnviewer.ui.state import engine as engine_module
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.live import Live
from attnviewer.ui.work import worker as worker_module


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


def _projected(tokens):
    random = np.random.default_rng(0)
    shapes = {"X": (tokens, 4)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    matrices = {name: random.normal(size=shape) for name, shape in shapes.items()}
    return Document("n", ["t"] * tokens, matrices, Spec())


def settle(engine, qtbot):
    """Let the engine do all it has to: the next turn, the worker, its answer."""
    with qtbot.waitCallback() as turned:
        # Started last, it fires after the engine's own.
        QTimer.singleShot(0, turned)
    assert all(pool.waitForDone(10_000) for pool in engine.findChildren(QThreadPool))
    QApplication.processEvents()


class HeldSteps:
    """Makes the steps, held back in the worker until they are released."""

    def __init__(self, monkeypatch):
        self.started = threading.Event()
        self.released = threading.Event()
        self.finished = threading.Event()
        self._gui = threading.get_ident()
        monkeypatch.setattr(engine_module, "FRAME_COST", 0)
        monkeypatch.setattr(building_module, "IncrementalEngine", self)

    def __call__(self, *request, **options):
        if threading.get_ident() == self._gui:
            return IncrementalEngine(*request, **options)
        self.started.set()
        assert self.released.wait(10)
        try:
            return IncrementalEngine(*request, **options)
        finally:
            self.finished.set()


@pytest.fixture
def held(monkeypatch):
    held = HeldSteps(monkeypatch)
    yield held
    held.released.set()


def run_out_of_memory(*_, **__):
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


def test_views_follow_however_fast_edits_come_and_those_between_are_left_out(
    engine, document, qtbot, held
):
    seen = []
    engine.computed.connect(seen.append)
    for value in (5.0, 6.0, 7.0, 8.0):
        set_x(document, 0, 0, value)
        engine.flush()
    assert held.started.wait(10)
    held.released.set()
    qtbot.waitUntil(lambda: engine.current.revision == 4)
    assert [computed.revision for computed in seen] == [1, 4]
    assert engine.current.trace["X"][0, 0] == 8.0
    settle(engine, qtbot)
    assert len(seen) == 2


def test_steps_can_be_read_while_the_worker_computes_others(engine, document, held):
    before = engine.current.trace
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held.started.wait(10)
    assert engine.current.trace is before
    assert before["scores"].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    np.testing.assert_array_equal(before.window("scores"), [[1.0, 0.0], [0.0, 1.0]])


def test_catching_up_takes_up_an_edit_at_once_where_it_fits_a_frame(engine, document):
    assert engine.catch_up()
    set_x(document, 0, 0, 7.0)
    assert engine.catch_up()
    assert engine.current.trace["X"][0, 0] == 7.0


def test_catching_up_with_a_long_edit_leaves_it_to_the_worker(
    engine, document, monkeypatch, qtbot
):
    monkeypatch.setattr(engine_module, "FRAME_COST", 0)
    set_x(document, 0, 0, 7.0)
    seen = []
    engine.computed.connect(seen.append)
    assert not engine.catch_up()
    assert not engine.catch_up()
    assert seen == []
    settle(engine, qtbot)
    assert engine.catch_up()
    assert [computed.trace["X"][0, 0] for computed in seen] == [7.0]


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


@pytest.mark.parametrize(
    ("tokens", "matrix", "at_once"),
    [
        (10, "W_Q", True),
        (1500, "W_Q", False),
        (1500, "W_V", True),
        (1500, "X", True),
    ],
)
def test_what_fits_a_frame_is_done_at_once_and_the_rest_in_another_thread(
    qtbot, monkeypatch, tokens, matrix, at_once
):
    document = _projected(tokens)
    engine = Engine(document)
    threads = []

    def noted_steps(*request, **options):
        threads.append(threading.get_ident())
        return IncrementalEngine(*request, **options)

    monkeypatch.setattr(building_module, "IncrementalEngine", noted_steps)
    document.apply(SetCells("edit", matrix, 1, 0, np.array([[0.5]])))
    engine.flush()
    assert (engine.current.revision == 1) == at_once
    settle(engine, qtbot)
    assert engine.current.revision == 1
    assert [thread == threading.get_ident() for thread in threads] == [False] * (
        not at_once
    )
    assert engine.current.trace[matrix][1, 0] == 0.5
    engine.close()


def test_copying_large_weights_does_not_fit_a_frame(monkeypatch):
    document = _projected(2)  # X has 8 numbers, each of three weights 16
    monkeypatch.setattr(engine_module, "FRAME_CELLS", 56)
    assert Engine.fits_a_frame(document)
    monkeypatch.setattr(engine_module, "FRAME_CELLS", 55)
    assert not Engine.fits_a_frame(document)


@pytest.mark.parametrize("frame", [10**6, 0])  # follows edits here, or in the worker
def test_the_inputs_of_a_long_document_are_held_once_while_edits_are_followed(
    document, qtbot, monkeypatch, frame
):
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    monkeypatch.setattr(engine_module, "FRAME_COST", frame)
    copied, copies = Document.inputs, []

    def inputs(document):
        new = copied(document)
        copies.append(weakref.ref(new["X"]))
        return new

    monkeypatch.setattr(Document, "inputs", inputs)
    engine = Engine(document)
    for column, scores in ((1, [[5, 2], [2, 1]]), (0, [[8, 2], [2, 1]])):
        set_x(document, 0, column, 2.0)
        settle(engine, qtbot)
        np.testing.assert_array_equal(engine.current.trace["scores"], scores)
    # Opened from its own matrices; a worker has copies, as edits go on beside it.
    assert len(copies) == (2 if frame == 0 else 0)
    assert not any(copy() is not None for copy in copies)
    engine.close()


def test_closing_waits_for_the_worker(document, qapp, held):
    engine = Engine(document)
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held.started.wait(10)
    release = threading.Timer(0.05, held.released.set)
    release.start()
    engine.close()
    finished = held.finished.is_set()
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
    engine, document, qtbot, held
):
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held.started.wait(10)
    spec = Spec(projected=False)
    other = Document("other", ["y", "z"], {"X": [[2.0, 0.0], [0.0, 2.0]]}, spec)
    seen = []
    engine.set_document(other)
    engine.computed.connect(seen.append)
    set_x(other, 0, 0, 7.0)
    engine.flush()
    assert document.revision == other.revision
    held.released.set()
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
        patch.setattr(building_module, "IncrementalEngine", run_out_of_memory)
        patch.setattr(Live, "follow", run_out_of_memory)
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
        patch.setattr(building_module, "IncrementalEngine", run_out_of_memory)
        set_x(document, 0, 0, 5.0)
        engine.flush()
        # It has failed by now; the answer waits in the queue of events.
        assert all(
            pool.waitForDone(10_000) for pool in engine.findChildren(QThreadPool)
        )
    engine.set_document(Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False)))
    settle(engine, qtbot)
    assert told == []


def test_a_document_too_large_for_memory_leaves_the_engine_with_the_old_one(
    engine, document, monkeypatch
):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False))
    with monkeypatch.context() as patch:
        patch.setattr(building_module, "IncrementalEngine", run_out_of_memory)
        with pytest.raises(MemoryError):
            engine.set_document(other)
    assert len(other.changed) == 0
    set_x(document, 0, 0, 3.0)
    engine.flush()
    assert engine.current.trace["X"][0, 0] == 3.0


_CELLS = st.tuples(
    st.sampled_from(["X", "W_Q", "W_K", "W_V"]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.floats(-4, 4, width=16),
)


@settings(max_examples=40)
@given(st.lists(st.lists(_CELLS, min_size=1, max_size=3), max_size=6), st.data())
def test_after_any_edits_every_step_is_what_a_run_from_scratch_has(
    qapp, turns, data
) -> None:
    document = _projected(6)
    engine = Engine(document)
    try:
        for turn in turns:
            before = {name: np.array(s) for name, s in engine.current.trace.items()}
            for matrix, row, column, value in turn:
                cell = np.array([[value]])
                document.apply(SetCells("edit", matrix, row, column, cell))
            if data.draw(st.integers(0, 4)) == 0:
                tokens = document.tokens[:-1]
                matrices = {"X": document.matrix("X")[:-1].copy()}
                if len(tokens) >= 4:
                    document.apply(Replace("less", tokens=tokens, matrices=matrices))
            engine.flush()
            computed = engine.current
            fresh = run(document.spec, document.inputs())
            assert computed.revision == document.revision
            assert list(computed.trace) == list(fresh)
            for name, step in fresh.items():
                np.testing.assert_allclose(computed.trace[name], step, atol=1e-10)
                want = np.array(fresh.window(name))
                picture = computed.overview(name).fitted(*want.shape)
                np.testing.assert_allclose(picture.values, want, atol=1e-10)
                if computed.changed is not None and name not in computed.changed:
                    np.testing.assert_array_equal(computed.trace[name], before[name])
    finally:
        engine.close()


def test_what_a_cell_has_changed_is_told(engine, document):
    set_x(document, 1, 0, 3.0)
    engine.flush()
    changed = engine.current.changed
    assert [block.rows.tolist() for block in changed["X"]] == [[1]]
    assert set(changed) == {"X", "scores", "weights", "output"}
    document.apply(Replace("rename", tokens=("x", "y")))
    engine.flush()
    assert engine.current.changed is None


def test_a_single_precision_computation_can_be_chosen_and_left_again(engine, document):
    seen = []
    engine.computed.connect(seen.append)
    engine.choose_precision("float32")
    assert engine.current.trace["X"].dtype == np.float32
    set_x(document, 0, 0, 0.1)
    engine.flush()
    assert engine.current.trace["X"][0, 0] == np.float32(0.1)
    engine.choose_precision(None)
    assert engine.current.trace["X"][0, 0] == 0.1
    engine.choose_precision(None)
    assert [computed.trace["X"].dtype.itemsize for computed in seen] == [4, 4, 8]


def test_numbers_too_large_for_the_chosen_type_are_told(engine, document):
    told = []
    engine.failed.connect(told.append)
    set_x(document, 0, 0, 1e200)
    engine.flush()
    engine.choose_precision("float32")
    assert told == [
        "The 'X' matrix must hold numbers in the range of float32. "
        "Got 1e+200 at [0, 0] instead."
    ]
    assert engine.current.trace["X"].dtype == np.float64
    set_x(document, 0, 0, 1.0)
    engine.flush()
    assert engine.current.trace["X"].dtype == np.float32


def test_many_tokens_with_numbers_too_large_for_single_precision_are_exact(qapp):
    x = np.eye(1100, 1)
    x[0, 0] = 1e100
    engine = Engine(Document("n", ["t"] * 1100, {"X": x}, Spec(projected=False)))
    assert engine.current.trace["X"].dtype == np.float64
    engine.close()


def test_what_was_given_up_is_computed_when_it_is_wanted(engine, document, qtbot, held):
    seen, given_up = [], []
    engine.computed.connect(seen.append)
    engine.cancelled.connect(lambda: given_up.append(True))
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held.started.wait(10)
    engine.cancel()
    assert given_up == [True]
    held.released.set()
    settle(engine, qtbot)
    assert seen == []
    assert engine.current.trace["X"][0, 0] == 1.0
    engine.cancel()
    assert given_up == [True]
    with qtbot.waitSignal(engine.computed):
        engine.recompute()
    assert engine.current.trace["X"][0, 0] == 5.0


def test_an_edit_after_a_cancelled_one_brings_both(engine, document, qtbot, held):
    set_x(document, 0, 0, 5.0)
    engine.flush()
    assert held.started.wait(10)
    engine.cancel()
    held.released.set()
    set_x(document, 1, 1, 6.0)
    with qtbot.waitSignal(engine.computed):
        engine.flush()
    assert engine.current.trace["X"].tolist() == [[5.0, 0.0], [0.0, 6.0]]


def test_a_worker_that_was_given_up_stops_at_the_next_block_of_rows(qtbot, monkeypatch):
    document = _projected(2500)
    engine = Engine(document)
    shares, stopped = [], threading.Event()
    tell = building_module.Build._report

    def told(build, share):
        shares.append(share)
        build.stopped = build.stopped or len(shares) == 1
        try:
            tell(build, share)
        except building_module.Stopped:
            stopped.set()
            raise

    monkeypatch.setattr(building_module.Build, "_report", told)
    document.apply(SetCells("edit", "W_Q", 0, 0, np.array([[0.5]])))
    engine.flush()
    assert stopped.wait(10)
    settle(engine, qtbot)
    assert len(shares) == 1
    assert engine.current.revision == 0
    engine.close()


def test_how_far_long_work_is_is_told_until_it_is_done(
    engine, document, qtbot, held, monkeypatch
):
    monkeypatch.setattr(worker_module, "PATIENCE", 0.0)
    set_x(document, 0, 0, 5.0)
    rested = []
    engine.worker.rested.connect(lambda: rested.append(True))
    with qtbot.waitSignal(engine.worker.progressed) as news:
        engine.flush()
    (build,) = news.args
    assert 0 <= build.share < 1
    assert rested == []
    with qtbot.waitSignal(engine.computed):
        held.released.set()
    assert rested == [True]


def test_another_document_is_prepared_while_the_present_one_is_used(
    engine, document, qtbot, held
):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False, scale=1.0))
    engine.prepare(other)
    assert held.started.wait(10)
    assert engine.current.trace["X"][0, 0] == 1.0
    with qtbot.waitSignal(engine.prepared) as ready:
        held.released.set()
    assert ready.args == [other]
    seen = []
    engine.computed.connect(seen.append)
    held.started.clear()
    engine.set_document(other)
    assert [computed.labels.queries for computed in seen] == [("z",)]
    assert not held.started.is_set()
    set_x(other, 0, 0, 4.0)
    with qtbot.waitSignal(engine.computed):
        engine.flush()
    assert engine.current.trace["X"].tolist() == [[4.0]]


def test_of_documents_to_prepare_the_newest_wins(engine, qtbot, held):
    first, second = (
        Document(title, ["z"], {"X": [[2.0]]}, Spec(projected=False))
        for title in ("first", "second")
    )
    ready = []
    engine.prepared.connect(ready.append)
    engine.prepare(first)
    engine.prepare(second)
    held.released.set()
    qtbot.waitUntil(lambda: ready == [second])
    settle(engine, qtbot)
    assert ready == [second]


def test_preparing_a_document_can_be_given_up(engine, qtbot, held):
    other = Document("one", ["z"], {"X": [[2.0]]}, Spec(projected=False))
    told = []
    engine.unprepared.connect(lambda *news: told.append(news))
    engine.prepared.connect(told.append)
    engine.prepare(other)
    assert held.started.wait(10)
    engine.cancel()
    held.released.set()
    settle(engine, qtbot)
    assert told == [(other, "")]


@pytest.mark.parametrize(("score", "in_place"), [("dot", True), ("cosine", False)])
def test_a_weight_of_1024_queries_is_edited_in_place_where_an_update_does(
    score, in_place, qapp, qtbot
):
    random = np.random.default_rng(0)
    shapes = {"X": (1024, 64)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (64, 64))
    matrices = {n: random.normal(size=shape) / 8 for n, shape in shapes.items()}
    document = Document("long", ["t"] * 1024, matrices, Spec(score=score))
    engine = Engine(document)
    try:
        document.apply(SetCells("edit", "W_Q", 0, 0, np.array([[1.0]])))
        engine.flush()
        assert engine.is_behind is not in_place
        settle(engine, qtbot)
        assert engine.current.trace["W_Q"][0, 0] == 1.0
    finally:
        engine.close()
