"""The colouring of steps, chosen per step and shared by all views."""

from attnviewer.ui.state.looks.filters import AtLeast, Largest
from attnviewer.ui.state.looks.look import Look
from attnviewer.ui.state.looks.looks import Looks

__all__ = [
    "AtLeast",
    "Largest",
    "Look",
    "Looks",
]
