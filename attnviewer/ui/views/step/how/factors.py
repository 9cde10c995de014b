"""The matrices of a product: its factors and the result."""

from dataclasses import dataclass

from attnviewer.compute import Array
from attnviewer.compute.stages import Comparison
from attnviewer.ui.views.step.how.subject import Operand


@dataclass(frozen=True, slots=True, eq=False)
class Cross:
    """The matrices of a product.

    Parameters
    ----------
    left, above, result : Operand
        The matrices.
    transposed : bool
        Whether the one above is drawn with its rows as columns.
    row, column : int
        The drawn row and column of the selected cell.
    caption : str
        What a cell of the result is.
    title_above : str
        The name of the matrix above, as it is drawn.
    chosen : bool
        Whether a cell is selected.
    bias : Operand or None
        A row that is added to each row.
    comparison : Comparison or None
        What the result is instead of a product, or of which one.
    weights : tuple of Operand
        The other inputs of a comparison, each with one number per term.
    omitted : int
        How many terms of the selected cell's sum are not drawn.
    rest : float
        Their sum.
    """

    left: Operand
    above: Operand
    result: Operand
    transposed: bool
    row: int
    column: int
    caption: str
    title_above: str
    chosen: bool = True
    bias: Operand | None = None
    comparison: Comparison | None = None
    weights: tuple[Operand, ...] = ()
    omitted: int = 0
    rest: float = 0.0

    @property
    def size(self) -> tuple[int, int, int]:
        """Rows and columns of the result, and terms of a sum."""
        down, across = self.result.values.shape
        return down, across, self.left.values.shape[1]

    @property
    def rows_above(self) -> int:
        """Rows of cells above the result."""
        return self.size[2] + (self.bias is not None)

    @property
    def names_above(self) -> tuple[str, ...]:
        """The labels of the columns above the result."""
        return self.above.row_labels if self.transposed else self.above.column_labels

    @property
    def factors(self) -> tuple[Array, ...]:
        """The factors of each term of the selected cell, shape (terms,) each."""
        left, above = self.left.values[self.row], self.above.values
        column = above[self.column] if self.transposed else above[:, self.column]
        if self.comparison is None:
            return left, column
        weights = (weight.values[0] for weight in self.weights)
        return self.comparison.factors(left, column, *weights)
