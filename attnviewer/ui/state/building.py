"""All steps of a document computed anew, as a job for a worker."""

from dataclasses import dataclass

from attnviewer.compute import IncrementalEngine
from attnviewer.document import Document, Snapshot
from attnviewer.ui.state.live import Live, Precision
from attnviewer.ui.work.worker import Stopped

_STEPS_SHARE, _OUTPUT_SHARE = 0.5, 0.6
"""Share of the work that is done with the weights, and with the output."""


@dataclass(slots=True, eq=False)
class Build:
    """All steps of a document, to be computed anew.

    Parameters
    ----------
    document : Document
        Whose steps they are; it is not read any more.
    snapshot : Snapshot
        What they are computed from.
    revision : int
        The document's revision.
    precision : str or None
        The type; None where the number of tokens decides.
    heads : frozenset of int, optional
        Heads of which overviews are made as well, because they are looked at.
    edited_at : float or None
        When the edit was made that it is for.

    Attributes
    ----------
    share : float
        How much of it is done.
    stopped : bool
        Set to give it up.
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
        """Take a document as it is now."""
        snapshot = Snapshot.of(document)
        return cls(document, snapshot, document.revision, precision)

    def is_of(self, document: Document) -> bool:
        """Return whether it is of a document as it is now."""
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
            If it was given up meanwhile.
        """
        steps = self._steps()
        self._tell(_STEPS_SHARE)
        self._look_over(steps)
        self.live = Live(steps, self.snapshot, self.revision)
        return self.live

    def _look_over(self, steps: IncrementalEngine) -> None:
        trace = steps.trace()
        places = [(s, h) for s in trace for h in self.heads if h < trace.spec.n_heads]
        for number, (step, head) in enumerate(places):
            self._tell(_OUTPUT_SHARE + (1 - _OUTPUT_SHARE) * number / len(places))
            steps.overview(step, head)
            if trace.stages[step].signed:
                trace.limits(step)  # which has overviews of its own

    def _steps(self) -> IncrementalEngine:
        spec, inputs = self.snapshot.spec, self.snapshot.inputs
        try:
            return IncrementalEngine(spec, inputs, self.precision, self._tell_steps)
        except ValueError:
            if self.precision is not None:
                raise
            # Numbers too large for single precision.
            return IncrementalEngine(spec, inputs, "float64", self._tell_steps)

    def _tell_steps(self, share: float) -> None:
        self._tell(_STEPS_SHARE * share)

    def _tell(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped
