"""Numbers about all heads of the open model, computed when they are wanted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Array
from attnviewer.ui.state.head_report.columns import EFFECT, Column, Group, columns_of
from attnviewer.ui.state.head_report.differences import (
    CHANGES,
    OVERALL,
    DifferenceColumns,
)
from attnviewer.ui.state.head_report.jobs import (
    AttentionChangeJob,
    ColumnsJob,
    EffectJob,
    TableJob,
)
from attnviewer.ui.state.head_report.surveys import SurveyColumns
from attnviewer.ui.state.model.open_model import OpenModel
from attnviewer.ui.work.worker import Job, Worker

if TYPE_CHECKING:
    from attnviewer.models import Model, Survey, WeightDifferences
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.heads import ModelHeads

OF_MODEL = frozenset(("prefix_matching",))
"""Columns that depend on no sentence, and need a run of their own."""


class HeadReport(QObject):
    """Columns of numbers about the heads of the open model.

    A column is computed in the background when it is first wanted, and kept until the
    model runs over something else.

    Parameters
    ----------
    model : OpenModel
        The model.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    worker : Worker
        Computes columns.
    changed : Signal
        Which columns there are, their numbers, or why there are none.
    """

    changed = Signal()

    def __init__(self, model: OpenModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._heads: ModelHeads | None = None
        self._known: Model | None = None
        self._groups: tuple[Group, ...] = ()
        self._survey: SurveyColumns | None = None
        self._differences: tuple[DifferenceColumns, ...] = ()
        self._values: dict[str, Array] = {}
        self._troubles: dict[str, str] = {}
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        for signal in (model.changed, model.completed):
            signal.connect(self.follow)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The columns, by headings; those before while a sentence is computed."""
        return (*self._groups, *(added.group for added in self._added()))

    @property
    def survey(self) -> "Survey | None":
        """The open survey of the model's heads; None if there is none."""
        return None if self._survey is None else self._survey.survey

    def column(self, name: str) -> Column | None:
        """Return a column, or None if there is none of the name."""
        return next((c for c in self._columns() if c.name == name), None)

    def values(self, name: str, heads: object) -> Array | None:
        """Return the numbers of a column, shape (heads,), layer by layer.

        Parameters
        ----------
        name : str
            The column, or a mean over queries that is computed with columns.
        heads : ModelHeads
            The heads that they are to be about.

        Returns
        -------
        ndarray or None
            None if they are not known of these heads.
        """
        if heads is not self._heads:
            return None
        found = (added.values(name) for added in self._added())
        known = (values for values in found if values is not None)
        return next(known, self._values.get(name))

    def notes(self, name: str) -> Sequence[str]:
        """Return further remarks on each head's number; most have none."""
        return next(filter(None, (added.notes(name) for added in self._added())), ())

    def trouble(self, name: str) -> str:
        """Return why there are no numbers; "" if there are or will be."""
        column = self.column(name)
        reason = "" if column is None else column.reason
        return reason or self._troubles.get(name, "")

    def state_of(self, name: str) -> str:
        """Return why there are no numbers, or that they are on their way; "" else."""
        if self._is_computing(name):
            return self.tr("Computing…")
        return self.trouble(name)

    def show_survey(self, survey: "Survey", model: "Model") -> None:
        """Add the columns of a survey, in place of one before, while a model is open.

        Parameters
        ----------
        survey : Survey
            The survey.
        model : Model
            The open model, which it is of.
        """
        self._survey = SurveyColumns(survey, model)
        self.changed.emit()

    def show_differences(
        self, differences: "Mapping[Model, WeightDifferences]"
    ) -> None:
        """Add the differences to another checkpoint, in place of others.

        Parameters
        ----------
        differences : mapping of Model to WeightDifferences
            The differences of the open model, or of each of its parts; {} for none.
        """
        self._differences = tuple(
            DifferenceColumns(found, model) for model, found in differences.items()
        )
        self.changed.emit()

    def tint(self, name: str) -> Column | None:
        """Return the difference that maps are tinted by while a column is chosen.

        That column, if it is one of them; None while nothing is compared.
        """
        shown = next(self._compared(), None)
        if shown is None:
            return None
        columns = {column.name: column for column in shown.group.columns}
        return columns.get(name, columns[OVERALL])

    def want(self, name: str) -> None:
        """Have a column computed, unless it is known, refused or cancelled."""
        known = self.trouble(name) or self._is_computing(name)
        if known or self._heads is None or self.column(name) is None:
            return
        if self.values(name, self._heads) is not None:
            return
        experiment = self._model.experiment
        assert experiment is not None
        if name in CHANGES and experiment.reference is None:
            return  # it is on its way
        self.worker.start(self._job(name, experiment))
        self.changed.emit()

    def want_again(self, name: str) -> None:
        """Have a column computed, also after it was cancelled."""
        self._troubles.pop(name, None)
        self.want(name)

    def want_detectors(self, *, again: bool = False) -> None:
        """Have all columns computed but for the effect; again also those cancelled."""
        ask = self.want_again if again else self.want
        for column in list(self._columns()):
            if column.name != EFFECT:
                ask(column.name)

    @Slot()
    def follow(self) -> None:
        """Drop what is not about the heads of the model any more."""
        heads = self._model.heads
        if heads is self._heads:
            return
        self.worker.stop_all()
        self._heads, self._troubles = heads, {}
        if heads is None:
            return
        experiment = self._model.experiment
        assert experiment is not None
        before, self._known = self._known, heads.model
        kept = OF_MODEL if heads.model is before else frozenset()
        self._values = {name: self._values[name] for name in kept & set(self._values)}
        if self._survey is not None and self._survey.model is not heads.model:
            self._survey = None
        if not any(self._compared()):
            self._differences = ()
        self._groups = columns_of(experiment.run)
        self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, ColumnsJob)
        return job.progress

    @Slot()
    def cancel(self) -> None:
        """Stop computing; what was cancelled is computed when it is chosen again."""
        jobs = list(self._jobs())
        for job in jobs:
            self.worker.stop(job)
            cancelled = self.tr(
                "Cancelled. It is computed once it is chosen or shown again."
            )
            self._troubles |= dict.fromkeys(job.names, cancelled)
        if jobs:
            self.changed.emit()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    def _is_computing(self, name: str) -> bool:
        return any(name in job.names for job in self._jobs())

    def _added(self) -> Iterator[SurveyColumns | DifferenceColumns]:
        """Yield the columns of files that were opened beside the model."""
        if self._survey is not None:
            yield self._survey
        yield from self._compared()

    def _compared(self) -> Iterator[DifferenceColumns]:
        """Yield the differences of the part of the model that is shown."""
        for columns in self._differences:
            if columns.model is self._known:
                yield columns

    def _columns(self) -> Iterator[Column]:
        for group in self.groups:
            yield from group.columns

    def _jobs(self) -> Iterator[ColumnsJob]:
        for job in self.worker.jobs:
            assert isinstance(job, ColumnsJob)
            yield job

    def _job(self, name: str, experiment: "Experiment") -> ColumnsJob:
        run = experiment.run
        if name in CHANGES:
            assert experiment.reference is not None
            return AttentionChangeJob(run, experiment.reference)
        if name == EFFECT:
            return EffectJob(run)
        if name in OF_MODEL:
            return TableJob(run, OF_MODEL)
        # All others together: they share what is read of a head.
        columns = (column for group in self._groups for column in group.columns)
        others = {column.name for column in columns if not column.reason}
        return TableJob(run, others - OF_MODEL - {EFFECT})

    @Slot(object)
    def _on_done(self, job: ColumnsJob) -> None:
        self._values |= job.values
        for name in job.names:
            self._troubles.pop(name, None)  # from before it was asked for again
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: ColumnsJob, reason: str) -> None:
        self._troubles |= dict.fromkeys(job.names, reason)
        self.changed.emit()
