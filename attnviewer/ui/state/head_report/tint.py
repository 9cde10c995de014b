"""By how much heads are tinted: their difference to another checkpoint."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import HeadLocation, HeadSource, head_locations
from attnviewer.ui.state.head_report.columns import Column
from attnviewer.ui.state.head_report.report import HeadReport

Shares = dict[HeadLocation, float]
"""The difference of each head as a share of the largest."""


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """The difference that heads are tinted by.

    Parameters
    ----------
    column : Column
        The difference.
    shares : dict of HeadLocation to float
        That of each head, from 0 to 1.
    largest : float
        The difference that has the share 1.
    """

    column: Column
    shares: Shares
    largest: float

    def share(self, location: HeadLocation | None) -> float:
        """Return that of a card's head; 0 for one of several heads."""
        return 0.0 if location is None else self.shares[location]


def tint_of(report: HeadReport, statistic: str, heads: HeadSource) -> Tint | None:
    """Return by what heads are tinted; None while nothing is compared, or not known.

    Parameters
    ----------
    report : HeadReport
        What is known of the model's heads.
    statistic : str
        The number that is shown about them.
    heads : HeadSource
        The heads.
    """
    column = report.tint(statistic)
    values = None if column is None else report.values(column.name, heads)
    if column is None or values is None:
        return None
    values = np.nan_to_num(values)  # relative to weights that are 0
    largest = float(values.max())
    shares = values / largest if largest else values
    return Tint(
        column, dict(zip(head_locations(heads), shares.tolist(), strict=True)), largest
    )
