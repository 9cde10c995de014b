"""Background work: whatever happens to a job, nobody waits for ever."""

import weakref

import pytest
from PySide6.QtCore import QThreadPool

from attnviewer.ui.work.debounced_worker import DebouncedWorker
from attnviewer.ui.work.worker import NO_MEMORY, Stopped, Worker


class FailingJob:
    def __init__(self, error):
        self.stopped = False
        self._error = error

    def run(self):
        raise self._error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), NO_MEMORY),
        (ValueError("The reason."), "The reason."),
    ],
)
def test_a_job_that_fails_is_told_of_and_ends(qtbot, error, message):
    worker = Worker()
    job = FailingJob(error)
    with qtbot.waitSignal(worker.failed) as failed:
        worker.start(job)
    assert failed.args == [job, message]
    assert worker.jobs == []
    worker.close()


def test_a_mistake_in_a_job_is_raised_as_well(qtbot):
    worker = Worker()
    with (
        qtbot.capture_exceptions() as raised,
        qtbot.waitSignal(worker.failed) as failed,
    ):
        worker.start(FailingJob(ZeroDivisionError("by nought")))
        worker.finish()
    assert failed.args[1] == "ZeroDivisionError: by nought"
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]
    assert worker.jobs == []
    worker.close()


class FreedJob:
    def __init__(self, error=None):
        self.stopped = False
        self._error = error

    def run(self):
        if self._error is not None:
            raise self._error()


@pytest.mark.parametrize("error", [None, ValueError, Stopped])
def test_a_job_that_has_ended_is_let_go_by_whatever_ran_it(qtbot, monkeypatch, error):
    # PySide sometimes keeps a runnable given to a pool alive.
    started, start = [], QThreadPool.start
    monkeypatch.setattr(
        QThreadPool, "start", lambda pool, run: (started.append(run), start(pool, run))
    )
    worker = Worker()
    job = FreedJob(error)
    known = weakref.ref(job)
    worker.start(job)
    worker.finish()
    worker.stop(job)
    job = None
    assert len(started) == 1
    assert known() is None
    worker.close()


def test_a_job_that_was_given_up_before_it_began_is_let_go_as_well(qtbot, monkeypatch):
    started = []
    monkeypatch.setattr(QThreadPool, "start", lambda _pool, run: started.append(run))
    worker = Worker()
    job = FreedJob()
    known = weakref.ref(job)
    worker.start(job)
    worker.stop(job)
    started[0].run()
    job = None
    assert known() is None
    worker.close()


def test_work_is_due_once_after_several_requests_and_never_once_they_are_withdrawn(
    qtbot,
) -> None:
    worker, due = DebouncedWorker(pause=60_000), []
    worker.due.connect(lambda: due.append(True))
    for _ in range(2):
        worker.request()
    assert worker.busy
    worker.finish()
    assert due == [True]
    for withdraw in (worker.withdraw, worker.stop_all, worker.close):
        worker.request()
        withdraw()
        assert not worker.busy
        worker.finish()
    assert due == [True]
