"""All numbers of the head report, of all heads over one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute import Array, HeadLocation
from attnviewer.ui.state.head_report import HeadReport

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads

IN_EACH_RUN = "local"
"""A column that no run lacks, and that is computed with most others."""


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


def sentence_report(
    report: HeadReport, heads: "ModelHeads | None"
) -> SentenceReport | None:
    """Return what the head report knows of heads; None if there is nothing yet.

    Parameters
    ----------
    report : HeadReport
        Computes the numbers, for all panels.
    heads : ModelHeads or None
        The heads.
    """
    from attnviewer.models.detectors import DETECTORS

    known = {name: report.values(name, heads) for name in DETECTORS}
    first = known[IN_EACH_RUN]
    if first is None or heads is None:
        return None
    missing: Array = np.full(len(first), np.nan)
    values = [missing if column is None else column for column in known.values()]
    lacking = {
        name: report.state_of(name) for name, column in known.items() if column is None
    }
    return SentenceReport(
        tuple(known), np.stack(values, axis=1), heads.n_heads, lacking
    )
