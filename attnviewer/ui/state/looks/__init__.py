"""How steps are coloured: chosen per step, shared by all views."""

from attnviewer.ui.state.looks.filters import AtLeast, Largest
from attnviewer.ui.state.looks.look import Look
from attnviewer.ui.state.looks.looks import Looks

__all__ = [
    "AtLeast",
    "Largest",
    "Look",
    "Looks",
]
