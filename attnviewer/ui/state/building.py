"""Computing all steps of a document from scratch, as a job for a worker."""

from dataclasses import dataclass

from attnviewer.compute import IncrementalEngine, stores_weights
from attnviewer.document import Document, Snapshot
from attnviewer.ui.state.live import Live, Precision
from attnviewer.ui.work.worker import Stopped

_STEPS_SHARE, _OUTPUT_SHARE = 0.5, 0.6
"""Shares of the work that are done once the weights and the output are there."""


@dataclass(slots=True, eq=False)
class Build:
    """Computes all steps of a document from scratch.

    Parameters
    ----------
    document : Document
        The document they belong to; it is not read.
    snapshot : Snapshot
        The inputs they are computed from.
    revision : int
        The document's revision.
    precision : str or None
        The floating-point type; None if the number of tokens decides.
    heads : frozenset of int, optional
        Visible heads, whose overviews are made as well.
    edited_at : float or None
        The time of the edit that caused it.

    Attributes
    ----------
    share : float
        The share that is done.
    stopped : bool
        Set to cancel it.
    live : Live or None
        The result.
    """

    document: Document
    snapshot: Snapshot
    revision: int
    precision: Precision | None = None
    heads: frozenset[int] = frozenset()
    edited_at: float | None = None
    share: float = 0.0
    stopped: bool = False
    live: Live | None = None

    @classmethod
    def of(cls, document: Document, precision: Precision | None) -> "Build":
        """Return a job for a document in its current state."""
        snapshot = Snapshot.of(document)
        return cls(document, snapshot, document.revision, precision)

    @classmethod
    def of_unedited(cls, document: Document, precision: Precision | None) -> "Build":
        """Return a job for a document that is not edited until it is done.

        Of a long one nothing is copied. If it is edited nevertheless, `is_of` tells.
        """
        if stores_weights(document.spec, document.inputs_in_place()):
            return cls.of(document, precision)
        snapshot = Snapshot.in_place(document)
        return cls(document, snapshot, document.revision, precision)

    def is_of(self, document: Document) -> bool:
        """Return whether it is for the current state of a document."""
        return self.document is document and self.revision == document.revision

    def run(self) -> Live:
        """Compute everything.

        Raises
        ------
        MemoryError
            If there is too little of it.
        ValueError
            If a number is too large for the type.
        Stopped
            If it was cancelled.
        """
        steps = self._steps()
        self._report(_STEPS_SHARE)
        self._look_over(steps)
        self.live = Live(steps, self.snapshot, self.revision)
        return self.live

    def _look_over(self, steps: IncrementalEngine) -> None:
        trace = steps.trace()
        matrices = [(s, h) for s in trace for h in self.heads if h < trace.spec.n_heads]
        for number, (step, head) in enumerate(matrices):
            self._report(_OUTPUT_SHARE + (1 - _OUTPUT_SHARE) * number / len(matrices))
            steps.thumbnail(step, head)
            if trace.stages[step].signed:
                trace.limits(step)  # which makes its own overviews

    def _steps(self) -> IncrementalEngine:
        try:
            return self._in_type(self.precision)
        except ValueError:
            if self.precision is not None:
                raise
            return self._in_type("float64")  # after an overflow in single precision

    def _in_type(self, precision: Precision | None) -> IncrementalEngine:
        spec, inputs = self.snapshot.spec, self.snapshot.inputs
        report = self._report_steps
        return IncrementalEngine(spec, inputs, precision, report, in_place=True)

    def _report_steps(self, share: float) -> None:
        self._report(_STEPS_SHARE * share)

    def _report(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped
