"""The score of the selected cell, split over what earlier parts of the model wrote."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.debounced_worker import DebouncedWorker

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.residual.score_parts import ScoreParts


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """The score that is to be split.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer, head, query, key : int
        As in `score_parts`.
    """

    run: "ModelTrace"
    layer: int
    head: int
    query: int
    key: int


class ScoreJob:
    """Splits a score, as a job for a worker.

    Attributes
    ----------
    stopped : bool
        Set to cancel it before it starts.
    parts : ScoreParts or None
        The result.
    """

    def __init__(self, request: ScoreRequest) -> None:
        self.request = request
        self.stopped = False
        self.parts: ScoreParts | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number is not finite.
        """
        request = self.request
        self.parts = request.run.score_parts(
            request.layer, request.head, request.query, request.key
        )


class ScoreSplit(QObject):
    """Splits the score of the selected cell after a pause, while that is wanted.

    Parameters
    ----------
    workbench : Workbench
        The document, its model and the selection.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The cell, the parts or the reason why there are none have changed.
    """

    changed = Signal()

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self.worker = DebouncedWorker(self)
        self.worker.due.connect(self._start)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._wanted = False
        self._newest = False
        self._request: ScoreRequest | None = None
        self._parts: ScoreParts | None = None
        self._trouble = ""
        selection = workbench.selection
        for signal in (
            workbench.opened,
            workbench.model.changed,
            workbench.engine.computed,
            selection.cell_changed,
            selection.head_changed,
        ):
            signal.connect(self.follow)

    @property
    def applies(self) -> bool:
        """Whether the selected cell is a score, or a weight, of a model's head."""
        bench = self._workbench
        computed, selection = bench.engine.current, bench.selection
        return (
            (bench.document.checkpoint is not None or bench.link is not None)
            and selection.cell is not None
            and not computed.withheld
            and computed.trace.stages[selection.step].axes == ("queries", "keys")
        )

    @property
    def parts(self) -> "ScoreParts | None":
        """The newest split; that of an earlier cell while `computing`."""
        return self._parts

    @property
    def computing(self) -> bool:
        """Whether the split of the selected cell is still to come."""
        return not self._newest

    @property
    def trouble(self) -> str:
        """The reason why there is no split; "" if there is one or will be."""
        return self._trouble

    def set_wanted(self, wanted: bool) -> None:
        """Have splits computed, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.follow()

    @Slot()
    def follow(self) -> None:
        """Cancel what is outdated, and split the score of the selected cell."""
        if self.worker.jobs:
            self._request = None
        self.worker.stop_all()
        self._newest = False
        if self._wanted and self.applies:
            self.worker.request()
        self.changed.emit()

    def finish(self) -> None:
        """Wait for the split of the selected cell."""
        self.worker.finish()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    @Slot()
    def _start(self) -> None:
        before, self._request = self._request, self._requested()
        if self._request is None:
            self._take(None, self._reason())
        elif self._request == before:
            self._take(self._parts, self._trouble)
        else:
            self.worker.start(ScoreJob(self._request))

    def _requested(self) -> ScoreRequest | None:
        """Return the score of the selected cell; None if it is not the model's own."""
        bench, link = self._workbench, self._workbench.link
        if link is None or not self.applies:
            return None
        from attnviewer.models.kept_edits import keeps_scores

        head = bench.head_location(bench.selection.head).head
        if not keeps_scores(bench.document, head):
            return None
        assert bench.selection.cell is not None
        return ScoreRequest(link.run, link.layer, head, *bench.selection.cell)

    def _reason(self) -> str:
        if self._workbench.link is None:
            return self.tr("The split needs the model: open the one this head is from.")
        return self.tr(
            "The split needs the model's own numbers: undo the edits or open the head "
            "again."
        )

    def _take(self, parts: "ScoreParts | None", trouble: str) -> None:
        self._parts, self._trouble, self._newest = parts, trouble, True
        self.changed.emit()

    @Slot(object)
    def _on_done(self, job: ScoreJob) -> None:
        self._take(job.parts, "")

    @Slot(object, str)
    def _on_failed(self, _job: ScoreJob, reason: str) -> None:
        self._take(None, reason)
