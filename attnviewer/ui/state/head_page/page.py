"""The chosen head of the open model: its numbers here, and those of its weights."""

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import HeadLocation, Rotary
from attnviewer.ui.state.head_page.report import (
    IN_EACH_RUN,
    SentenceReport,
    sentence_report,
)
from attnviewer.ui.state.head_page.weights import (
    Circuits,
    Composed,
    DirectionTokens,
    Part,
    WeightsJob,
    WeightsRequest,
    parts_wanted,
)
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Job, Worker

if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace, Survey

_tr = translate_in("HeadPage")

Name: TypeAlias = Part | Literal["report"]
"""The parts that may be missing for a reason."""


class HeadPage(QObject):
    """Computes the page of the chosen head while it is wanted.

    The report is that of all heads, which other panels read, too; the parts that come
    from the weights follow the chosen head.

    Parameters
    ----------
    workbench : Workbench
        The open model and the selection.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The head, a part, or the reason why there is none has changed.
    """

    changed = Signal()

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._wanted = False
        self._distance = self._direction = self._qk_direction = 0
        self._asked: dict[Part, WeightsRequest] = {}
        self._described: tuple[Model, HeadLocation] | None = None
        self._known: dict[Part, object] = {}
        self._troubles: dict[Part, str] = {}
        model, selection = workbench.model, workbench.selection
        for signal in (
            workbench.opened,
            model.changed,
            model.completed,
            selection.head_changed,
        ):
            signal.connect(self.follow)
        workbench.head_report.changed.connect(self.changed)

    @property
    def head(self) -> HeadLocation | None:
        """The chosen head; None without a model."""
        return self._workbench.chosen_head

    @property
    def run(self) -> "ModelTrace | None":
        """The model's run; None without a model."""
        experiment = self._workbench.model.experiment
        return None if experiment is None or self.head is None else experiment.run

    @property
    def rotary(self) -> bool:
        """Whether the head's queries and keys are rotated by their positions."""
        run, head = self.run, self.head
        if run is None or head is None or head.layer is None:
            return False
        spec = run.model.architecture.attention[head.layer]
        return isinstance(spec.positions, Rotary)

    @property
    def direction(self) -> int:
        """The singular direction of the OV circuit whose tokens are listed."""
        return self._direction

    @property
    def report(self) -> SentenceReport | None:
        """The numbers of all heads over the sentence, as far as they are known."""
        workbench = self._workbench
        return sentence_report(workbench.head_report, workbench.model.heads)

    @property
    def circuits(self) -> Circuits | None:
        """The circuits."""
        return cast("Circuits | None", self._known.get("circuits"))

    @property
    def tokens(self) -> DirectionTokens | None:
        """The tokens of the chosen direction."""
        return cast("DirectionTokens | None", self._known.get("tokens"))

    @property
    def copying(self) -> float | None:
        """The copying score."""
        return cast("float | None", self._known.get("copying"))

    @property
    def compositions(self) -> tuple[Composed, ...] | None:
        """The composition of the head with heads of other layers."""
        return cast("tuple[Composed, ...] | None", self._known.get("compositions"))

    @property
    def survey(self) -> "Survey | None":
        """The survey that examples come from; None if none is open."""
        return self._workbench.head_report.survey

    def trouble(self, part: Name) -> str:
        """Return why there is no report or part; "" if it is to come or there."""
        if part == "report":
            return self._workbench.head_report.trouble(IN_EACH_RUN)
        return self._troubles.get(part, "")

    def set_wanted(self, wanted: bool) -> None:
        """Have everything computed, or no longer."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if wanted:
            self._workbench.head_report.want_detectors(again=True)
        else:
            # What was cancelled may be asked for again later.
            for name in {*map(_name, self.worker.jobs), *self._troubles}:
                self._forget(name)
        self.follow()

    @property
    def qk_direction(self) -> int:
        """The singular direction of the QK circuit that is shown."""
        return self._qk_direction

    def set_qk_direction(self, direction: int) -> None:
        """Choose a singular direction of the QK circuit."""
        self._qk_direction = direction
        self.changed.emit()

    def set_tokens_back(self, count: int) -> None:
        """Choose how far before the query the key of the QK circuit stands."""
        self._distance = -count
        self.follow()

    def set_direction(self, direction: int) -> None:
        """Choose a singular direction of the OV circuit."""
        self._direction = direction
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Start what is wanted, and cancel what no longer is."""
        self._follow_head()
        if self._wanted:
            self._workbench.head_report.want_detectors()
        self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, WeightsJob)
        if job.layer is None:
            return _tr("computing the head's circuits…")
        text = _tr("computing the head's composition with layer {layer}…")
        return text.format(layer=job.layer)

    @Slot()
    def cancel(self) -> None:
        """Cancel at the user's request; the next head or sentence starts again."""
        for job in self.worker.jobs:
            self._troubles[_name(job)] = _tr("The computation was cancelled.")
            self.worker.stop(job)
        self.changed.emit()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    def _follow_head(self) -> None:
        run, head, asked = self.run, self.head, self._asked
        wanted: dict[Part, WeightsRequest] = {}
        if run is not None and head is not None:
            if (run.model, head) != self._described:
                self._described = run.model, head
                self._direction = self._qk_direction = 0
            distance = self._distance if self.rotary else None
            wanted = parts_wanted(run.model, head, distance, self._direction)
        for part in [part for part in asked if asked[part] != wanted.get(part)]:
            self._forget(part)
        for part, request in wanted.items():
            if self._wanted and part not in asked:
                asked[part] = request
                self.worker.start(WeightsJob(request))

    def _forget(self, name: Part) -> None:
        """Drop what is known of a part, or on its way."""
        self._asked.pop(name, None)
        self._known.pop(name, None)
        self._troubles.pop(name, None)
        for job in self.worker.jobs:
            if _name(job) == name:
                self.worker.stop(job)

    @Slot(object)
    def _on_done(self, job: WeightsJob) -> None:
        self._known[job.request.part] = job.result
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: WeightsJob, reason: str) -> None:
        self._troubles[job.request.part] = reason
        self.changed.emit()


def _name(job: Job) -> Part:
    assert isinstance(job, WeightsJob)
    return job.request.part
