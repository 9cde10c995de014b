"""All numbers of the head report, of all heads over one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute import Array, HeadLocation
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of a head among all heads by a number, the largest first.

    Parameters
    ----------
    first, last : int
        The places, counted from one, of the heads with this number.
    count : int
        How many heads have the number.
    """

    first: int
    last: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class SentenceReport:
    """Numbers of all heads over a sentence.

    Parameters
    ----------
    columns : tuple of str
        Their names, see `DETECTORS`.
    values : ndarray of float64, shape (heads, columns)
        The numbers, layer by layer.
    n_heads : int
        How many heads a layer has.
    lacking : mapping of str to str
        Why a column has no numbers.
    """

    columns: tuple[str, ...]
    values: Array
    n_heads: int
    lacking: Mapping[str, str]

    def value(self, head: HeadLocation, column: str) -> float:
        """Return a number of a head; NaN if there is none."""
        return float(self._column(column)[self._row(head)])

    def rank(self, head: HeadLocation, column: str) -> Rank | None:
        """Return the rank of a head; None without a number."""
        values = self._column(column)
        own = values[self._row(head)]
        if np.isnan(own):
            return None
        larger, same = int((values > own).sum()), int((values == own).sum())
        return Rank(larger + 1, larger + same, int((~np.isnan(values)).sum()))

    def most(self, column: str) -> float:
        """Return the largest absolute number of all heads; 0 if there is none."""
        values = np.abs(self._column(column))
        return float(np.max(values, initial=0.0, where=~np.isnan(values)))

    def _column(self, column: str) -> Array:
        return self.values[:, self.columns.index(column)]

    def _row(self, head: HeadLocation) -> int:
        assert head.layer is not None
        return head.layer * self.n_heads + head.head


class ReportJob:
    """Computes a report, as a job for a worker.

    Parameters
    ----------
    run : ModelTrace
        The run.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    layer : int
        The layer being computed.
    report : SentenceReport or None
        The result.
    """

    def __init__(self, run: "ModelTrace") -> None:
        self.over = run
        self.stopped = False
        self.layer = 0
        self.report: SentenceReport | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number of the model is not finite.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models import head_table
        from attnviewer.models.detectors import DETECTORS

        table = head_table(self.over, detectors=DETECTORS)
        rows = []
        for row in table:
            if self.stopped:
                raise Stopped
            self.layer = row.layer
            rows.append(tuple(row)[2:])
        self.report = SentenceReport(
            table.columns[2:],
            np.array(rows, np.float64),
            self.over.model.n_heads,
            table.reasons,
        )
