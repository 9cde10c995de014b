"""The dimensions that must grow for a pasted block to fit."""

from dataclasses import dataclass

from attnviewer.document import Dimensions


@dataclass(frozen=True, slots=True)
class Growth:
    """Larger dimensions, and the texts that offer them.

    Parameters
    ----------
    dimensions : Dimensions
        The dimensions with which the block fits.
    title : str
        The text of the button.
    effect : str
        A sentence about what else grows; empty if nothing does.
    """

    dimensions: Dimensions
    title: str
    effect: str
