"""Jobs that compute columns of numbers about all heads of a run."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.ui.state.head_report.columns import EFFECT, OFFSETS
from attnviewer.ui.state.head_report.differences import (
    CHANGES,
    LARGEST_CHANGE,
    MEAN_CHANGE,
)
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import ModelTrace

_tr = translate_in("HeadReport")


class ColumnsJob(ABC):
    """Computes columns, as a job for a worker.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    done : int
        How many heads it has read.
    values : mapping of str to ndarray
        The results by the names of columns, each of shape (heads,), layer by layer.
    """

    def __init__(self, run: "ModelTrace", names: Iterable[str]) -> None:
        self.stopped = False
        self.done = 0
        self.names = frozenset(names)
        self.values: Mapping[str, Array] = {}
        self._run = run

    @property
    def progress(self) -> str:
        """Its task and its progress."""
        model = self._run.model
        count = model.n_layers * model.n_heads
        return self._text().format(head=self.done, count=count)

    @abstractmethod
    def run(self) -> None:
        """Compute, in the worker."""

    @abstractmethod
    def _text(self) -> str:
        """Return the progress message, with places for numbers."""

    def _advance(self) -> None:
        if self.stopped:
            raise Stopped
        self.done += 1


class TableJob(ColumnsJob):
    """Reads columns of the table of heads."""

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number of the model is not finite.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models.detectors import DETECTORS
        from attnviewer.models.head_table import head_table, offset_column

        detectors = [name for name in DETECTORS if name in self.names]
        offsets = [k for k in OFFSETS if offset_column(k) in self.names]
        table = head_table(self._run, detectors=detectors, occurrence_offsets=offsets)
        for _ in table:
            self._advance()
        # With the means over queries, which are in each table.
        self.values = dict(zip(table.columns[2:], table.values.T[2:], strict=True))

    def _text(self) -> str:
        return _tr("reading what heads do: {head} of {count}…")


class EffectJob(ColumnsJob):
    """Switches one head off at a time."""

    def __init__(self, run: "ModelTrace") -> None:
        super().__init__(run, (EFFECT,))

    def run(self) -> None:
        """Compute by how much the metric of the run falls.

        Raises
        ------
        ValueError
            If the model has no metric, or a number is not finite.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models import ablate
        from attnviewer.models.patching.metrics import default_metric

        metric = default_metric(self._run)

        def counted(run: "ModelTrace") -> float:
            if run is not self._run:
                self._advance()
            return metric(run)

        grid = ablate(self._run, metric=counted)
        self.values = {EFFECT: np.ravel(grid.center - grid.values)}  # (heads,)

    def _text(self) -> str:
        return _tr("switching off heads: {head} of {count}…")


class AttentionChangeJob(ColumnsJob):
    """Compares attention with that of another checkpoint over the same sentence.

    Parameters
    ----------
    run, other : ModelTrace
        The runs.
    """

    def __init__(self, run: "ModelTrace", other: "ModelTrace") -> None:
        super().__init__(run, CHANGES)
        self._other = other

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number of a model is not finite.
        Stopped
            If it was cancelled.
        """
        means, largest = [], []
        for layer in range(self._run.model.n_layers):
            pair = (run.attention(layer)["weights"] for run in (self._run, self._other))
            for own, theirs in zip(*pair, strict=True):  # (n_q, n_k)
                self._advance()
                change = np.abs(own - theirs)
                means.append(change.sum(axis=-1).mean() / 2)
                largest.append(change.max())
        self.values = {
            MEAN_CHANGE: np.array(means, float),
            LARGEST_CHANGE: np.array(largest, float),
        }

    def _text(self) -> str:
        return _tr("comparing attention: {head} of {count}…")
