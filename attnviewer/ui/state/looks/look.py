"""The mapping of the numbers of a step to colours."""

from dataclasses import dataclass
from typing import Literal

from attnviewer.compute import Pooling
from attnviewer.compute.statistics import Limits
from attnviewer.ui.state.looks.filters import Filter

Policy = Literal["automatic", "unit", "extremes", "symmetric", "percentile", "typed"]


@dataclass(frozen=True, slots=True)
class Look:
    """The user's colour choices for one step.

    Parameters
    ----------
    colors : str or None
        Name of a colour map; None for the step's own.
    policy : str
        The colour limits: ``automatic`` for 0 and 1 if the step cannot be negative and
        symmetric otherwise, ``unit`` for 0 and 1, ``extremes`` for the smallest and the
        largest number, ``symmetric`` around zero, ``percentile`` or ``typed``.
    percentile : float
        The percentage of the numbers beyond each limit with that policy.
    typed : tuple of two float
        The limits with that policy.
    log : bool or None
        Whether the scale is logarithmic; symlog if numbers may be negative. None: it is
        only for large steps without negative numbers, see `with_scaling`.
    across_steps : bool
        Whether the steps from the scores to the masked scores share limits.
    per_head : bool
        Whether each head has its own limits.
    kept : tuple of two float or None
        Limits that are held while the numbers change; None for those of the policy.
    pooling : str
        How cells that share a pixel are pooled: ``extreme``, the number furthest from
        zero, or ``mean``.
    filter : AtLeast, Largest or None
        The cells that are not dimmed; None for all.
    """

    colors: str | None = None
    policy: Policy = "automatic"
    percentile: float = 2.0
    typed: Limits = (0.0, 1.0)
    log: bool | None = None
    across_steps: bool = False
    per_head: bool = False
    kept: Limits | None = None
    pooling: Pooling = "extreme"
    filter: Filter | None = None


AUTOMATIC = Look()
