"""How the numbers of a step become colours."""

from dataclasses import dataclass
from typing import Literal

from attnviewer.compute import Pooling
from attnviewer.ui.state.looks.filters import Filter

Policy = Literal["automatic", "unit", "extremes", "symmetric", "percentile", "typed"]
Limits = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """The person's choices for one step.

    Parameters
    ----------
    colors : str or None
        Name of a colour map; None for the step's own.
    policy : str
        Where the ends of the colours lie: ``automatic`` for 0 and 1 of a step that
        cannot be negative and symmetric for others, ``unit`` for 0 and 1,
        ``extremes`` for the smallest and the largest number, ``symmetric`` around
        zero, ``percentile`` or ``typed``.
    percentile : float
        How many percent of the numbers lie beyond each end with that policy.
    typed : tuple of two float
        The ends with that policy.
    log : bool
        Whether colours follow the logarithm: of the number where none is negative,
        else of its distance from zero.
    across_steps : bool
        Whether the steps from the scores to the masked scores share limits.
    per_head : bool
        Whether each head has limits of its own.
    kept : tuple of two float or None
        The ends that stay while the numbers change; None for those of the policy.
    pooling : str
        What a block of cells that share a pixel shows: ``extreme``, the number
        furthest from zero, or ``mean``.
    filter : AtLeast, Largest or None
        Which cells are not dimmed; None for all.
    """

    colors: str | None = None
    policy: Policy = "automatic"
    percentile: float = 2.0
    typed: Limits = (0.0, 1.0)
    log: bool = False
    across_steps: bool = False
    per_head: bool = False
    kept: Limits | None = None
    pooling: Pooling = "extreme"
    filter: Filter | None = None


AUTOMATIC = Look()
