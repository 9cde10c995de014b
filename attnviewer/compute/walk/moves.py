"""What a walk consists of."""

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
"""What a phase computes: the vector of one token, such as its query, the row of a step
on the way to the weights, a part of the normaliser's rule, the weights, or the weighted
sum of the values. Parts are the row's maximum, its place, a threshold, exponentials,
other terms of the keys, or a sum."""
OF_ROW: frozenset[Kind] = frozenset({"maximum", "winner", "threshold", "sum"})
"""The parts that are one number for the whole row."""
TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
"""By how much loop and matrix form may differ: a share of numbers above 1."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Moves that do the same for one key or column after another, or for the row.

    Parameters
    ----------
    kind : str
        What they compute.
    step : str
        The step that it belongs to.
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
    place : int or None
        The key that it is about, or the column of the token's vector; None for the
        whole row.
    cell : Cell
        The cell of the trace that it leads to.
    symbols : str
        The rule in the field's symbols, such as ``Qᵢ · Kⱼ``; "" where the phase says
        it all.
    steps : tuple of expressions
        The number with the numbers it is made of, each simpler than the one
        before; none where there is nothing to compute, as for a masked key.
    note : str
        What the numbers alone do not say.
    loop : ndarray
        What the loop has by now: the numbers of the phase up to this one, or the sum
        of the values so far.
    matrix : ndarray
        The same numbers in the matrix form; for the values the whole sum.
    finished : bool
        Whether the numbers of the loop are final; those of a sum that is still
        growing are not.
    """

    phase: Phase
    place: int | None
    cell: Cell
    symbols: str
    steps: tuple[Expression, ...]
    note: str
    loop: Array
    matrix: Array
    finished: bool = True
