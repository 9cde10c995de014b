"""Interventions on the open model: what is chosen, what was read, what came out."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.patching.choices import PatchingChoices
from attnviewer.ui.state.patching.effects import (
    Effect,
    EffectJob,
    PatchedHeadJob,
    correlation,
)
from attnviewer.ui.state.patching.reading import Reading, ReadingJob
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.debounced_worker import DebouncedWorker
from attnviewer.ui.work.worker import Job, Worker

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace


class Patching(QObject):
    """Computes the effects of switching heads off, or of patching activations.

    What is typed is read after a pause while that is wanted; effects are computed when
    the user asks for them, and stay until others come or another model.

    Parameters
    ----------
    workbench : Workbench
        The open document and its model.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    worker : Worker
        Computes effects.
    changed : Signal
        The choices, the reading or the effects have changed.
    opened : Signal
        A `PatchedHeadJob` whose document is to be opened.
    """

    changed = Signal()
    opened = Signal(object)

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._model = workbench, workbench.model
        self.worker, self.reader = Worker(self), DebouncedWorker(self)
        self.worker.done.connect(self._on_computed)
        self.worker.failed.connect(self._on_failed)
        self.reader.due.connect(self._read)
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_failed)
        self._choices = PatchingChoices()
        self._wanted = self._starts = False
        self._reading: Reading | None = None
        self._measured: Effect | None = None
        self._estimate: Effect | None = None
        self._trouble = ""
        self._run: ModelTrace | None = None
        for signal in (self._model.changed, self._model.completed):
            signal.connect(self.follow)

    @property
    def choices(self) -> PatchingChoices:
        """The choices."""
        return self._choices

    @property
    def has_model(self) -> bool:
        """Whether a model is open."""
        return self._model.experiment is not None

    @property
    def reading(self) -> Reading | None:
        """The typed texts as the model reads them; an earlier state until `read`."""
        return self._reading

    @property
    def read(self) -> bool:
        """Whether the reading is that of the present choices and sentence."""
        return self._reading is not None and self._is_of(self._reading)

    @property
    def effect(self) -> Effect | None:
        """The effects; None before they are computed."""
        return self._measured

    @property
    def estimate(self) -> Effect | None:
        """Their estimate by gradients; None where none is wanted."""
        return self._estimate if self._choices.estimated else None

    @property
    def correlation(self) -> float | None:
        """The correlation of both; NaN where one is constant, None without both."""
        measured, estimate = self.effect, self.estimate
        if measured is None or estimate is None:
            return None
        if measured.reading is not estimate.reading:
            return None
        return correlation(measured.grid, estimate.grid)

    @property
    def limit(self) -> float:
        """The largest of all numbers by magnitude, up to which colours go."""
        shown = [each.grid.values for each in (self.effect, self.estimate) if each]
        return max((float(np.abs(values).max()) for values in shown), default=0.0)

    @property
    def outdated(self) -> bool:
        """Whether the effects are those of other choices, or of another sentence."""
        shown = self.effect or self.estimate
        return shown is not None and not self._is_of(shown.reading)

    @property
    def computing(self) -> EffectJob | None:
        """The job that computes effects."""
        jobs = [job for job in self.worker.jobs if isinstance(job, EffectJob)]
        return jobs[0] if jobs else None

    @property
    def trouble(self) -> str:
        """The reason why the last computation failed; "" if it did not."""
        return self._trouble

    def choose(self, **changes: Any) -> None:
        """Choose something else, by the names of `PatchingChoices`."""
        choices = replace(self._choices, **changes)
        if choices == self._choices:
            return
        self._choices, self._trouble, self._starts = choices, "", False
        self._follow_choices()
        measured = self._measured
        if choices.estimated and self._estimate is None and measured is not None:
            self._start_estimate(measured.reading)
        self.changed.emit()

    def set_wanted(self, wanted: bool) -> None:
        """Have what is typed read, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.follow()

    @Slot()
    def follow(self) -> None:
        """Follow the open model and its sentence."""
        experiment, reading = self._model.experiment, self._reading
        run = None if experiment is None else experiment.run
        if run is not self._run:  # what failed is not about the new one
            self._run, self._trouble = run, ""
        if reading is not None and (
            run is None or reading.clean.model is not run.model
        ):
            self.cancel()
            self._measured = self._estimate = self._reading = None
        self._follow_choices()
        self.changed.emit()

    @Slot()
    def start(self) -> None:
        """Compute the effects, once what is typed has been read."""
        self._trouble = ""
        self._starts = True
        if self.read:
            self._start()
        else:
            self._follow_choices()
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """Cancel the computation; what was computed before stays."""
        self._starts = False
        self.worker.stop_all()
        self.changed.emit()

    def open_cell(self, effect: Effect, cell: Position) -> None:
        """Open the head of a cell, or its layer, with its intervention as pins."""
        for job in self.reader.jobs:
            if isinstance(job, PatchedHeadJob):
                self.reader.stop(job)
        link = self._workbench.link
        alone = link is not None and link.head is not None
        self.reader.start(PatchedHeadJob(effect, cell, alone=alone))

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, EffectJob)
        left = job.seconds_left
        if job.estimated or left is None:
            return self.tr("computing the effects…")
        text = self.tr("computing the effects… {done} of {total}, {seconds} s left")
        seconds = max(1, round(left))
        return text.format(done=job.done, total=job.total, seconds=seconds)

    def finish(self) -> None:
        """Wait for what is being read and computed."""
        self.reader.finish()
        self.worker.finish()

    def close(self) -> None:
        """Cancel everything and wait for the threads."""
        self.reader.close()
        self.worker.close()

    def _is_of(self, reading: Reading) -> bool:
        """Return whether a reading is of the present choices and sentence."""
        experiment = self._model.experiment
        # The estimate is not read.
        choices = replace(reading.choices, estimated=self._choices.estimated)
        return (
            experiment is not None
            and reading.clean is experiment.run
            and choices == self._choices
        )

    def _follow_choices(self) -> None:
        """Have what is typed read unless it is known; what is outdated is dropped."""
        for job in self.reader.jobs:
            if isinstance(job, ReadingJob):
                self.reader.stop(job)
        # Layers that are still to be computed are computed by the model's own worker.
        known = self._model.outcome is not None
        if self._wanted and known and not self.read:
            self.reader.request()
        else:
            self.reader.withdraw()

    @Slot()
    def _read(self) -> None:
        experiment = self._model.experiment
        assert experiment is not None
        run, patches = experiment.run, experiment.patches
        self.reader.start(ReadingJob(run, patches, self._choices, self._reading))

    @Slot(object)
    def _on_read(self, job: ReadingJob | PatchedHeadJob) -> None:
        if isinstance(job, PatchedHeadJob):
            self.opened.emit(job)
            return
        self._reading = job.reading
        if self._starts:
            self._start()
        self.changed.emit()

    def _start(self) -> None:
        self._starts = False
        reading = self._reading
        if reading is None or not reading.complete:
            return
        self.worker.stop_all()
        if self._choices.estimated:
            self._start_estimate(reading)
        self.worker.start(EffectJob(reading))

    def _start_estimate(self, reading: Reading) -> None:
        """Estimate the effects; only those of patches have an estimate."""
        if reading.choices.way == "patch":
            self.worker.start(EffectJob(reading, estimated=True))

    @Slot(object)
    def _on_computed(self, job: EffectJob) -> None:
        if job.estimated:
            self._estimate = job.effect
        else:
            self._measured = job.effect
            estimate = self._estimate
            if estimate is not None and estimate.reading is not job.reading:
                self._estimate = None
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, _job: Job, reason: str) -> None:
        self._trouble = reason
        self.changed.emit()
