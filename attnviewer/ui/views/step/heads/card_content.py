"""The content of the card of a head."""

from collections.abc import Callable
from dataclasses import dataclass

from attnviewer.compute import HeadLocation
from attnviewer.ui.paint.step_content import StepContent

Note = Callable[[HeadLocation], str]
"""Returns further remarks on a head."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """The content of a card.

    Parameters
    ----------
    location : HeadLocation or None
        The head; None for several heads combined.
    title : str
        What it is called.
    note : str
        A further remark; "" for nothing.
    content : StepContent
        Its matrix.
    ablated : bool
        Whether its title is struck out.
    numbers : object
        Stands for the numbers and their colours: a card of equal ones has the same
        picture.
    """

    location: HeadLocation | None
    title: str
    note: str
    content: StepContent
    ablated: bool = False
    numbers: object = None

    @property
    def picture_key(self) -> tuple[object, ...]:
        """All that a picture of it depends on, but for the theme."""
        return self.title, self.note, self.ablated, self.numbers
