"""The circuits of heads, from the weights alone: copying and composition."""

from attnviewer.models.circuits.circuit import Circuit, TokenProjection
from attnviewer.models.circuits.composing import composition, compositions_of_head
from attnviewer.models.circuits.copying import copying_score
from attnviewer.models.circuits.of_head import circuit

__all__ = [
    "Circuit",
    "TokenProjection",
    "circuit",
    "composition",
    "compositions_of_head",
    "copying_score",
]
