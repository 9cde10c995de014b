"""Plays training runs on the open document, so that every view follows."""

from copy import copy
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.document import Change, Document, SetCells
from attnviewer.ui.state.training.choices import TrainingChoices
from attnviewer.ui.state.training.jobs import (
    ExportJob,
    GoJob,
    Library,
    RunState,
    StartJob,
)
from attnviewer.ui.state.training.run import Run
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.worker import Job, Worker

SLICE_SECONDS, LONGEST_SLICE = 0.012, 0.05
"""For how long steps are taken before they are shown: longer where views are slow."""
SHARE = 0.5
"""Of the time in which the views followed."""
LAG_SECONDS = 0.25
"""A delay of playback above which it no longer tries to catch up."""
ADVICE_SECONDS = 0.4
"""The interval at which warnings are computed while a run plays."""


class Trainer(QObject):
    """The training run of the open document, and what plays it.

    A worker takes the steps. What it has reached is written into the document, once
    every view has followed what was written before; all that is written in a row is
    one step of undo. Each document keeps its run while it is open or set aside.

    Attributes
    ----------
    worker : Worker
        Takes the steps; reports the progress of long ones.
    changed : Signal
        The run, the step that is shown, or whether it plays has changed.
    refused : Signal
        Why a run cannot begin or go on.
    exported, unexported : Signal
        The file that a run was written to, or why it was not.
    """

    changed = Signal()
    refused = Signal(str)
    exported = Signal(object)
    unexported = Signal(str)

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._document = workbench.document
        self._runs: dict[Document, Run] = {}
        self._job: StartJob | GoJob | None = None
        self._target: int | None = None
        self._playing = self._jumping = self._showing = False
        self._rate: float | None = None
        self._begun_at, self._begun_from = 0.0, 0
        self._advised_at = self._kept_at = 0.0
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._take_steps)
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        engine = workbench.engine
        engine.computed.connect(self._go_on)
        engine.failed.connect(self.pause)
        engine.cancelled.connect(self.pause)
        workbench.opened.connect(self._on_opened)
        self._document.changed.connect(self._on_changed)

    @property
    def run(self) -> Run | None:
        """The run of the open document; None if there is none."""
        return self._runs.get(self._document)

    @property
    def playing(self) -> bool:
        """Whether the run plays."""
        return self._playing

    @property
    def starting(self) -> bool:
        """Whether a run is being prepared."""
        return isinstance(self._job, StartJob)

    def continues(self, choices: TrainingChoices) -> bool:
        """Return whether playing goes on with the run instead of a new one."""
        run = self.run
        return run is not None and run.index is not None and run.choices == choices

    def play(self, choices: TrainingChoices, rate: float | None) -> None:
        """Play the run, or a new one where anything but the first was chosen.

        A run at its end is played once more from its beginning.

        Parameters
        ----------
        choices : TrainingChoices
            What is trained, and how.
        rate : float or None
            How many steps a second; None for as many as there can be.
        """
        self._rate = rate
        self._playing = True
        if not self.continues(choices):
            self._start(choices, choices.steps)
            return
        run = self.run
        assert run is not None
        if run.ended:
            self._begin(GoJob(run.training, run.steps, 0, 0.0, True, False))
        self._jumping = False
        self._set_off(run.steps)

    def set_rate(self, rate: float | None) -> None:
        """Change the pace; see `play`."""
        self._rate = rate
        self._keep_pace_from_here()

    def restart(self, choices: TrainingChoices) -> None:
        """Begin a new run from the present numbers, without playing it."""
        self.pause()
        self._start(choices, 0)

    def step(self, choices: TrainingChoices) -> None:
        """Take one step."""
        self.pause()
        run = self.run
        if run is None or not self.continues(choices):
            self._start(choices, 1)
        elif run.index is not None:
            self.go(run.index + 1)

    @Slot()
    def pause(self) -> None:
        """Stop at the step that is shown."""
        played, self._playing, self._target = self._playing, False, None
        self._clock.stop()
        if self._job is not None:
            self.worker.stop(self._job)
            self._job = None
        if played:
            self._look()
        self.changed.emit()

    def go(self, index: int) -> None:
        """Go to a step of the run; those before it that are missing are taken."""
        run = self.run
        if run is None or run.index is None:
            return
        self._playing = False
        self._jumping, self._rate = True, None
        self._set_off(max(0, min(index, run.steps)))

    def export(self, path: Path, library: Library, *, notebook: bool) -> None:
        """Write the run as a program, in the worker; see `Training.script`."""
        run = self.run
        if run is not None:
            self.worker.start(ExportJob(run.training, path, library, notebook))

    def progress(self, job: Job) -> str:
        """Return the progress of a job that takes long."""
        if isinstance(job, GoJob):
            return self.tr("training, step {step}…").format(step=job.index + 1)
        if isinstance(job, ExportJob):
            return self.tr("writing the training run…")
        return self.tr("preparing the training…")

    def cancel(self) -> None:
        """Cancel the worker's jobs."""
        self._drop_job()
        self.worker.stop_all()

    def close(self) -> None:
        """Stop, and wait for the worker."""
        self._playing, self._target, self._job = False, None, None
        self._clock.stop()
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        self.worker.close()
        self._runs.clear()

    def _start(self, choices: TrainingChoices, target: int) -> None:
        self._clock.stop()
        self._target, self._jumping = target, False
        # A copy, as edits may come while the worker reads it.
        self._begin(StartJob(copy(self._document), choices))
        self.changed.emit()

    def _begin(self, job: StartJob | GoJob) -> None:
        if self._job is not None:
            self.worker.stop(self._job)
        self._job = job
        self.worker.start(job)

    def _set_off(self, target: int) -> None:
        self._target = target
        self._keep_pace_from_here()
        self._go_on()
        self.changed.emit()

    def _keep_pace_from_here(self) -> None:
        run = self.run
        self._begun_at = perf_counter()
        self._begun_from = 0 if run is None or run.index is None else run.index

    @Slot()
    def _go_on(self) -> None:
        """Take the next steps, or stop, once every view shows the last ones."""
        run, engine = self.run, self._workbench.engine
        idle = self._target is None or self._job is not None or run is None
        if idle or engine.is_waiting or engine.is_behind:
            return
        assert run is not None
        assert self._target is not None
        if run.index is None or run.index == self._target:
            self._rest()
            return
        due = 0.0
        if self._rate is not None:
            next_one = self._begun_at + (run.index + 1 - self._begun_from) / self._rate
            due = max(0.0, next_one - perf_counter())
        self._clock.start(round(1e3 * due))

    @Slot()
    def _take_steps(self) -> None:
        run, target, now = self.run, self._target, perf_counter()
        if run is None or run.index is None or target is None:
            return
        until = target
        if self._rate is not None:
            owed = self._begun_from + int((now - self._begun_at) * self._rate)
            if owed - run.index > max(1.0, self._rate * LAG_SECONDS):
                self._keep_pace_from_here()
            until = min(target, max(owed, run.index + 1))
        advise = now - self._advised_at > ADVICE_SECONDS
        if advise:
            self._advised_at = now
        followed = SHARE * (now - self._kept_at)
        seconds = max(SLICE_SECONDS, min(LONGEST_SLICE, followed))
        jumps = self._jumping
        self._begin(GoJob(run.training, run.index, until, seconds, jumps, advise))

    def _look(self) -> None:
        """Compute the warnings at the step that is shown."""
        run = self.run
        if run is not None and run.index is not None:
            at = run.index
            self._begin(GoJob(run.training, at, at, 0.0, jumps=True, advise=True))

    def _rest(self) -> None:
        self._playing, self._target = False, None
        self.changed.emit()

    @Slot(object)
    def _on_done(self, job: Job) -> None:
        if isinstance(job, ExportJob):
            self.exported.emit(job.path)
            return
        if job is not self._job:
            return
        self._job = None
        if isinstance(job, StartJob):
            assert job.training is not None
            assert job.state is not None
            self._runs[self._document] = Run(job.choices, job.training, job.state)
            self._keep_pace_from_here()
        elif isinstance(job, GoJob):
            self._show(job)
            if job.jumps:
                self._keep_pace_from_here()
        self._go_on()
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: Job, reason: str) -> None:
        if isinstance(job, ExportJob):
            self.unexported.emit(reason)
        elif job is self._job:
            self._job = None
            self._rest()
            self.refused.emit(reason)

    def _show(self, job: GoJob) -> None:
        run, state = self.run, job.state
        assert run is not None
        assert state is not None
        if state.index != run.index:
            self._keep(run, state)
        run.show(state)
        if state.stopped and state.index == state.done < (self._target or 0):
            self._rest()

    def _keep(self, run: Run, state: RunState) -> None:
        """Write a state into the document; all in a row are one step of undo."""
        edits = [
            SetCells(state.label, name, 0, 0, array)
            for name, array in state.matrices.items()
        ]
        edits[0] = replace(edits[0], training=state.record)
        self._kept_at = perf_counter()
        self._showing = True
        try:
            self._workbench.edits.submit_together(edits, gesture=run.gesture)
        finally:
            self._showing = False

    def _on_changed(self, _change: Change) -> None:
        """Leave the run where something else has changed the document."""
        run = self.run
        if self._showing:
            return
        if run is None or self.starting:
            self._drop_job()
            return
        if run.follow(self._document):  # a title, or notes, would make no difference
            self._drop_job()
            self._look()
            self.changed.emit()

    def _drop_job(self) -> None:
        """Pause without computing warnings."""
        self._playing = False
        self.pause()

    @Slot()
    def _on_opened(self) -> None:
        self._drop_job()
        self._document.changed.disconnect(self._on_changed, missing_ok=True)
        workbench = self._workbench
        self._document = document = workbench.document
        document.changed.connect(self._on_changed)
        kept = {*workbench.set_aside, document}
        self._runs = {each: run for each, run in self._runs.items() if each in kept}
        run = self.run
        if run is not None:
            run.follow(document)
        self.changed.emit()
