"""Goal-seek: the smallest change of inputs that makes numbers what they should be.

``seek`` takes a document, targets and what may change, and proposes an edit. SciPy is
loaded when it searches, and only then.
"""

from attnviewer.goal_seek.current import number_of, sources_of
from attnviewer.goal_seek.proposal import Proposal, SideEffect
from attnviewer.goal_seek.seeking import seek
from attnviewer.goal_seek.targets import RowTarget, Target

__all__ = [
    "Proposal",
    "RowTarget",
    "SideEffect",
    "Target",
    "number_of",
    "seek",
    "sources_of",
]
