"""The base of stages: forward, reach, update, backward and explain."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from attnviewer.compute.arrays import ALL, Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import Cell, Number
from attnviewer.compute.formula import Formula
from attnviewer.compute.pins import PinnedCells

Axis: TypeAlias = Literal["tokens", "queries", "keys", "distances", "features"]
"""What the rows or columns of a step stand for; see `NUMBERED`."""

NUMBERED: tuple[Axis, ...] = ("distances", "features")
"""Those without tokens: relative positions, and columns of vectors or weights."""


class Steps(Protocol):
    """The numbers of the steps before it, as an explanation reads them."""

    def shape(self, step: str) -> Shape:
        """Return the shape of a step."""

    def value(self, cell: Cell) -> float:
        """Return the number in a cell."""

    def row(self, step: str, index: Index) -> Array:
        """Return the row at ``(…, row)``, shape (columns,)."""

    def column(self, step: str, index: Index) -> Array:
        """Return the column at ``(…, column)``, shape (rows,)."""

    def computed_value(self, cell: Cell) -> float:
        """Return the number in a cell as it is before its pins."""

    def intended_value(self, cell: Cell) -> float:
        """Return what the right stage makes of a cell of a step with a mistake."""


class Stage(ABC):
    """One step of an attention computation. It holds no numbers.

    Parameters
    ----------
    name : str
        The step's name, unique in a pipeline.
    inputs : tuple of str
        The names of the steps that it is computed from.
    formula : str
        The formula, such as ``Q Kᵀ``.
    operation : str
        A short form, for the arrow that leads to it.
    axes : tuple of two axes
        What rows and columns stand for.
    signed : bool
        Whether its numbers may be negative.
    per_head : bool
        Whether the axis before the rows, if there is one, counts heads.
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
        per_head: bool = True,
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.formula = formula
        self.operation = operation
        self.axes = axes
        self.signed = signed
        self.per_head = per_head

    @abstractmethod
    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        """Compute a part of the step.

        Parameters
        ----------
        part : Part
            The part.
        *inputs : ndarray
            The input steps as a whole, in the order of `inputs`.
        out : ndarray, optional
            Memory of the part's shape that the stage may write the result into.

        Returns
        -------
        ndarray, shape (..., rows, columns)
            The part; it may be a view of an input.
        """

    def update(self, inputs: Sequence[Array], output: Array, reached: Dirty) -> None:
        """Bring `output` up to date where `reach` says that it changes.

        Parameters
        ----------
        inputs : sequence of ndarray
            The current inputs.
        output : ndarray
            The previous step; overwritten.
        reached : Dirty
            What `reach` returned.
        """
        rows = ALL if reached.rows is None else reached.rows
        output[..., rows, :] = self.forward(Part(rows=rows), *inputs)

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty | None:
        """Return where the step changes if its inputs have changed.

        Parameters
        ----------
        dirty : sequence of Dirty or None
            Where each input has changed; None for not at all.
        shape : tuple of int
            The shape of the step.

        Returns
        -------
        Dirty or None
            None where it does not depend on the changes; everything by default.
        """
        return EVERYTHING

    def of_extremes(self, numbers: Array) -> Array | None:
        """Return the extremes of blocks of the step, given those of its first input.

        Parameters
        ----------
        numbers : ndarray
            The lowest, or the highest, numbers of blocks of the input.

        Returns
        -------
        ndarray or None
            Those of the same blocks of the step, exact to the last bit; None where they
            cannot be derived.
        """
        return None

    @abstractmethod
    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        """Return the gradient on each input, given that on the step.

        Parameters
        ----------
        inputs : sequence of ndarray
            The input steps.
        output : ndarray
            The step.
        gradient : ndarray, shape of `output`
            The gradient of some number on the step.

        Returns
        -------
        sequence of ndarray or None
            The gradient on each input; None where there is none, as on a mask.
        """

    @abstractmethod
    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        """Write out the cell at `index` with its own numbers.

        Parameters
        ----------
        steps : Steps
            Where the numbers are read.
        index : tuple of int
            ``(row, column)``, with the head and the batch item before.
        limit : int
            How many terms a sum may have before the smaller ones are combined.
        """

    def from_row(self, row: int) -> "Stage":
        """Return the stage for the rows from one on, which is then the first row.

        By default the same stage, whose rows do not depend on their position.
        """
        return self

    mistake: str = ""
    """The mistake that the step is computed with, in a few words; "" without one.

    With one, it is computed as a whole.
    """

    @property
    def equation(self) -> str:
        """Its name and its formula; with a mistake, what it is not.

        A step that is named by its formula has that alone.
        """
        if self.name == self.formula:
            return self.name
        return f"{self.name}{'' if self.mistake else ' ='} {self.formula}"

    intended: "Stage | None" = None
    """The right stage of a step with a mistake, where it fits the steps before."""

    pins: PinnedCells | None = None
    """The pinned cells of the step; None without any."""

    @property
    def is_of_scores(self) -> bool:
        """Whether it gives scores: numbers of queries and keys before the weights."""
        return self.axes == ("queries", "keys") and self.name != "weights"

    @property
    def unpinned(self) -> "Stage":
        """The stage without its pins."""
        return self

    def shape(self, *inputs: Shape) -> Shape:
        """Return the shape of the step, given those of its inputs.

        By default that of the first.
        """
        return inputs[0]

    kind = ""
    """What kind of operation it is, by which views choose a picture; "" for others."""

    rearranges = False
    """Whether the step holds the numbers of its input in another arrangement."""

    stacks = False
    """Whether `backward` also takes the gradients of several numbers at once, stacked
    along an axis before those of the step."""

    takes_keys = False
    """Whether `backward` also takes some of the keys, which are rows of the second
    input, with the same columns of the step, or of the weights of a weighted sum."""

    reads_rows = False
    """Whether `forward` reads, of the first input, no more than the rows of its part.

    It indexes the input with the part's matrices, or none, and then with
    ``[..., rows, columns]``. Its numbers may have another type than the step's.
    """

    def takes_row(self, number: int, shape: Shape) -> bool:
        """Return whether a row of the step needs only the same row of an input.

        Parameters
        ----------
        number : int
            Which of `inputs`.
        shape : tuple of int
            Its shape.

        Returns
        -------
        bool
            By default False, so that it gets the whole input.
        """
        return False


class Stored(Stage):
    """A stage whose step is computed and stored as a whole."""

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        return EVERYTHING  # never None


class RowWise(Stored):
    """A stage that works on each row by itself, given the row's position."""

    reads_rows = True

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        # Every input has the same rows as the step.
        changed = union(dirty) or EVERYTHING
        if changed.rows is None:
            return Dirty(heads=changed.heads)
        return Dirty(rows=changed.rows[changed.rows < shape[-2]], heads=changed.heads)


def number(steps: Steps, step: str, index: Index) -> Number:
    """Return the number in a cell, with the cell."""
    cell = Cell(step, index)
    return Number(steps.value(cell), cell)


def grouped(name: str) -> str:
    """Return a step's name as written in a formula: ``(X + P)``."""
    return f"({name})" if " " in name else name
