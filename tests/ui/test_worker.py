"""Work beside the window: whatever becomes of a job, nobody waits for ever."""

import pytest

from attnviewer.ui.worker import NO_MEMORY, Worker


class FailingJob:
    def __init__(self, error):
        self.stopped = False
        self._error = error

    def run(self):
        raise self._error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), NO_MEMORY),
        (ValueError("The reason."), "The reason."),
    ],
)
def test_a_job_that_fails_is_told_of_and_ends(qtbot, error, told):
    worker = Worker()
    job = FailingJob(error)
    with qtbot.waitSignal(worker.failed) as failed:
        worker.start(job)
    assert failed.args == [job, told]
    assert worker.jobs == []
    worker.close()


def test_a_mistake_in_a_job_is_raised_as_well(qtbot):
    worker = Worker()
    with qtbot.capture_exceptions() as raised, qtbot.waitSignal(worker.failed) as told:
        worker.start(FailingJob(ZeroDivisionError("by nought")))
        worker.finish()
    assert told.args[1] == "ZeroDivisionError: by nought"
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]
    assert worker.jobs == []
    worker.close()
