"""How steps are coloured: chosen per step, the same in every view."""

from attnviewer.ui.look.filters import AtLeast, Filter, Largest
from attnviewer.ui.look.look import Limits, Look, Policy
from attnviewer.ui.look.looks import ACROSS, Looks

__all__ = [
    "ACROSS",
    "AtLeast",
    "Filter",
    "Largest",
    "Limits",
    "Look",
    "Looks",
    "Policy",
]
