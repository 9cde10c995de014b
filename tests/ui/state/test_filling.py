"""The overview of the open step is completed in the background."""

import threading

import numpy as np
import pytest

from attnviewer.compute import Overview, Spec, StepHead, run
from attnviewer.compute.engine import storing
from attnviewer.document import Document, SetCells
from attnviewer.ui.state import filling
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.worker import NO_MEMORY, Stopped

N = 1100


@pytest.fixture
def document() -> Document:
    x = np.random.default_rng(0).normal(size=(N, 2))
    return Document("long", ["t"] * N, {"X": x}, Spec(projected=False, causal=True))


@pytest.fixture
def bench(qapp, document, monkeypatch):
    """A workbench whose attention is not stored."""
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    monkeypatch.setattr(filling, "_CALM", 1)
    bench = Workbench(document)
    yield bench
    bench.close()


@pytest.fixture
def held(monkeypatch):
    """Hold the reading back until it is released."""
    released, begun = threading.Event(), threading.Event()
    proceed = filling.Filling._proceed

    def wait(self) -> None:
        begun.set()
        while not released.is_set() and not self.stopped:
            released.wait(0.005)
        proceed(self)

    monkeypatch.setattr(filling.Filling, "_proceed", wait)
    wait.begun, wait.released = begun, released
    return wait


def _overview(bench) -> Overview:
    return bench.engine.current.overview(bench.selection.step)


def _is_exact(bench) -> bool:
    stored = run(bench.document.spec, {"X": bench.document.matrix("X")})
    want = Overview(StepHead(stored, bench.selection.step)).pooled((1, 1))
    found = _overview(bench).pooled((1, 1))
    return np.allclose(found.values, want.values, rtol=1e-4, atol=1e-6)


def _edit(bench, row: int = 700, value: float = 3.0) -> None:
    bench.document.apply(SetCells("edit", "X", row, 0, np.array([[value]])))


def test_for_a_saved_picture_the_open_step_is_exact_at_once(bench) -> None:
    _overview(bench)
    bench.filler.finish()
    assert _overview(bench).share == 1
    assert _is_exact(bench)


def test_small_pictures_need_no_large_overview_of_a_step_that_is_not_open(
    bench,
) -> None:
    computed = bench.engine.current
    of_card, of_page = computed.thumbnail("scores"), _overview(bench)
    assert of_card.extremes.highs.size <= 256**2 < of_page.extremes.highs.size
    assert computed.thumbnail(bench.selection.step) is of_page
    _edit(bench)
    scores = StepHead(
        run(bench.document.spec, {"X": bench.document.matrix("X")}), "scores"
    )
    lows, highs = scores.window().min(), scores.window().max()
    limits = bench.engine.current.thumbnail("scores").limits()
    assert lows - 1e-6 <= limits[0] <= limits[1] <= highs + 1e-6
    of_page = computed.overview("scores")
    assert bench.engine.current.thumbnail("scores") is of_page


def test_the_open_step_and_every_other_one_that_is_opened_becomes_exact(
    bench, qtbot
) -> None:
    assert _overview(bench).share < 1
    with qtbot.waitSignal(bench.filler.filled):
        pass
    assert _overview(bench).share == 1
    assert _is_exact(bench)
    bench.selection.choose_step("scores")
    assert _overview(bench).share < 1
    with qtbot.waitSignal(bench.filler.filled):
        pass
    assert _is_exact(bench)


def test_an_edit_stops_the_reading_and_it_goes_on_with_the_new_numbers(
    bench, held, qtbot
) -> None:
    qtbot.waitUntil(held.begun.is_set)
    _edit(bench)
    bench.engine.flush()
    assert not bench.filler.worker.jobs
    held.released.set()
    qtbot.waitUntil(lambda: _overview(bench).share == 1)
    assert _is_exact(bench)


def test_after_cancel_nothing_is_read_until_the_next_edit(bench, held, qtbot) -> None:
    qtbot.waitUntil(held.begun.is_set)
    bench.filler.cancel()
    held.released.set()
    bench.filler.follow()
    qtbot.wait(50)
    assert not bench.filler.worker.jobs
    assert _overview(bench).share < 1
    _edit(bench)
    qtbot.waitUntil(lambda: _overview(bench).share == 1)
    assert _is_exact(bench)


def test_a_lack_of_memory_is_told_and_nothing_is_read_until_the_next_edit(
    request, monkeypatch, qtbot
) -> None:
    def proceed(self) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(filling.Filling, "_proceed", proceed)
        bench = request.getfixturevalue("bench")  # which reads at once
        with qtbot.waitSignal(bench.filler.failed) as told:
            pass
    assert told.args == [NO_MEMORY]
    with qtbot.assertNotEmitted(bench.filler.filled, wait=50):
        bench.filler._ticks.setInterval(1)
        bench.filler.follow()
    assert _overview(bench).share < 1
    _edit(bench)
    qtbot.waitUntil(lambda: _overview(bench).share == 1)


def test_an_edit_waits_for_a_reading_that_was_cancelled_and_has_not_ended(
    bench, monkeypatch, qtbot
) -> None:
    begun, released = threading.Event(), threading.Event()

    def proceed(self) -> None:
        begun.set()
        released.wait()
        raise Stopped

    monkeypatch.setattr(filling.Filling, "_proceed", proceed)
    qtbot.waitUntil(begun.is_set)
    bench.filler.cancel()
    threading.Timer(0.05, released.set).start()
    _edit(bench)
    bench.engine.flush()
    assert released.is_set()


def test_another_step_is_read_in_place_of_the_first(bench, held, qtbot) -> None:
    qtbot.waitUntil(held.begun.is_set)
    first, (job,) = _overview(bench), bench.filler.worker.jobs
    bench.selection.choose_step("masked")
    qtbot.waitUntil(lambda: job.stopped)
    held.released.set()
    qtbot.waitUntil(lambda: _overview(bench).share == 1)
    assert first.share < 1
    assert _is_exact(bench)


def test_another_document_ends_the_reading(bench, held, qtbot) -> None:
    qtbot.waitUntil(held.begun.is_set)
    bench.open(Document("small", ["a"], {"X": [[1.0]]}, Spec(projected=False)))
    qtbot.waitUntil(lambda: not bench.filler.worker.jobs)


def test_stored_attention_is_not_read_again(qapp, document, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(filling, "_CALM", 1)
    bench = Workbench(document)
    assert _overview(bench).share == 1
    qtbot.wait(20)
    assert not bench.filler.worker.jobs
    bench.close()
