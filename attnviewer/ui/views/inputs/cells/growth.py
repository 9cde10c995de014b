"""What has to grow so that a block which is pasted fits."""

from dataclasses import dataclass

from attnviewer.document import Dimensions


@dataclass(frozen=True, slots=True)
class Growth:
    """Other dimensions, and how they are offered.

    Parameters
    ----------
    dimensions : Dimensions
        The dimensions with which the block fits.
    title : str
        What the button says.
    effect : str
        What else becomes larger, in a sentence; empty if nothing does.
    """

    dimensions: Dimensions
    title: str
    effect: str
