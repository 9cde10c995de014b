"""The parts of a walk: phases, and moves within them."""

from dataclasses import dataclass
from typing import Literal

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Cell, Expression

Kind = Literal[
    "vector",
    "step",
    "maximum",
    "winner",
    "threshold",
    "exponentials",
    "terms",
    "sum",
    "weights",
    "mix",
]
"""What a phase computes: the vector of a token, such as its query; the row of a step
up to the weights; a part of the normaliser's rule; the weights; or the weighted sum of
the values. Parts are the row's maximum, its position, a threshold, exponentials, other
terms of the keys, or a sum."""
OF_ROW: frozenset[Kind] = frozenset({"maximum", "winner", "threshold", "sum"})
"""The parts that are one number for the whole row."""
TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
"""How far loop and matrix form may differ; relative for numbers above 1."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Moves that repeat a computation for each key or column, or one for the row.

    Parameters
    ----------
    kind : str
        What they compute.
    step : str
        The step that they belong to.
    start, moves : int
        The first move, and how many there are.
    name : str
        The variable of a part of the rule; "" for a step.
    """

    kind: Kind
    step: str
    start: int
    moves: int
    name: str = ""

    @property
    def per_key(self) -> bool:
        """Whether each move is about one key."""
        return self.kind != "vector" and self.kind not in OF_ROW

    @property
    def per_column(self) -> bool:
        """Whether each move is about one column of a token's vector."""
        return self.kind == "vector"


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One number of the walk, or one key's part of the output.

    Parameters
    ----------
    phase : Phase
        What is being computed.
    index : int or None
        The key, or the column of the token's vector; None for the whole row.
    cell : Cell
        The cell of the trace that it computes.
    symbols : str
        The rule in symbols, such as ``Qᵢ · Kⱼ``; "" where the phase shows it.
    steps : tuple of expressions
        The number with the numbers it is made of, each simpler than the one
        before; none where there is nothing to compute, as for a masked key.
    note : str
        What the numbers do not show.
    loop : ndarray
        The numbers of the phase up to this one, or the sum of the values so far.
    matrix : ndarray
        The same numbers in the matrix form; for the values the whole sum.
    finished : bool
        Whether the numbers of the loop are final; those of a sum that is still
        growing are not.
    """

    phase: Phase
    index: int | None
    cell: Cell
    symbols: str
    steps: tuple[Expression, ...]
    note: str
    loop: Array
    matrix: Array
    finished: bool = True
