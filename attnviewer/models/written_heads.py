"""The outputs of the heads of all layers, side by side."""

import numpy as np

from attnviewer.compute import Array, BoolArray, HeadLocation, Windowed
from attnviewer.compute.arrays import ALL
from attnviewer.models.heads import ModelHeads
from attnviewer.models.residual.written import moved_lengths
from attnviewer.models.trace import ModelTrace


class WrittenHeads(ModelHeads):
    """‖A_ij v_j W_O‖ of every head of every layer of a run, a `HeadSource`.

    Of each head it keeps the lengths ‖v_j W_O‖ alone. See `written` for the source.

    Parameters
    ----------
    run : ModelTrace
        The run.
    """

    def __init__(self, run: ModelTrace) -> None:
        super().__init__(run)
        self._lengths: dict[HeadLocation, Array] = {}

    def compute(self, layer: int) -> None:
        """Compute what `matrix` needs of a layer."""
        super().compute(layer)
        for head in range(self.n_heads):
            location = HeadLocation(layer, head)
            if location not in self._lengths:
                self._lengths[location] = moved_lengths(self._run, layer, head)

    def matrix(self, location: HeadLocation) -> Windowed:
        """Return what a head writes at each query for each key."""
        weights = super().matrix(location)
        return _Scaled(weights, self._lengths[location])

    def largest(self, layer: int) -> float:
        """Return the largest number of a layer."""
        locations = (HeadLocation(layer, head) for head in range(self.n_heads))
        return max(float(self.matrix(at).window().max()) for at in locations)


class _Scaled:
    """The absolute numbers of a matrix, with each column times a factor."""

    def __init__(self, matrix: Windowed, factors: Array) -> None:
        self._matrix, self._factors = matrix, factors

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._matrix.shape

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        """Return some of the numbers, shape (rows, columns)."""
        values = self._matrix.window(rows, columns)
        scaled: Array = np.abs(values) * self._factors[columns]
        return scaled

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        """Return which cells a mask hides, (rows, columns); None without a mask."""
        return self._matrix.hidden(rows, columns)
