"""The step is the room: everything the product does, it does per stage."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, TypeAlias

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Formula

Axis: TypeAlias = Literal["tokens", "queries", "keys", "features"]
"""What the rows or columns of a step stand for; all but features bear token names."""


class Stage(ABC):
    """One step of an attention computation. It holds no numbers.

    Parameters
    ----------
    name : str
        The step's name, unique in a pipeline.
    inputs : tuple of str
        Names of the steps it is computed from.
    formula : str
        How it follows from them, such as ``Q Kᵀ``.
    operation : str
        The same, short, for the arrow that leads to it.
    axes : tuple of two axes
        What rows and columns stand for.
    signed : bool
        Whether its numbers may be negative.
    """

    def __init__(
        self,
        name: str,
        inputs: tuple[str, ...],
        formula: str,
        operation: str,
        axes: tuple[Axis, Axis],
        *,
        signed: bool = True,
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.formula = formula
        self.operation = operation
        self.axes = axes
        self.signed = signed

    @abstractmethod
    def forward(self, *inputs: Array) -> Array:
        """Compute the step from its inputs, given in the order of `inputs`."""

    @abstractmethod
    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        """Write the cell at `index` out with its own numbers.

        Parameters
        ----------
        inputs : sequence of ndarray
            The arrays that `forward` was given.
        output : ndarray
            The array that it returned.
        index : tuple of int
            ``(row, column)``, or ``(head, row, column)`` with heads.
        limit : int
            How many terms a sum may have before the smaller ones are summed up.
        """
