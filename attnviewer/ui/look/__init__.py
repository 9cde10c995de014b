"""How steps are coloured: chosen per step, the same in every view."""

from attnviewer.ui.look.filters import AtLeast, Largest
from attnviewer.ui.look.look import Look
from attnviewer.ui.look.looks import Looks

__all__ = [
    "AtLeast",
    "Largest",
    "Look",
    "Looks",
]
