"""How the numbers of a step become colours."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """The person's choices for one step.

    Parameters
    ----------
    colors : str or None
        Name of pyqtgraph's colour map; None for the step's own.
    """

    colors: str | None = None


AUTOMATIC = Look()
