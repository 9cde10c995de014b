"""The changes that llama.cpp's converter makes to tensors."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array


@dataclass(frozen=True, slots=True)
class Change:
    """The change that the converter made to a tensor, and `undone` reverts.

    Parameters
    ----------
    transposed : bool
        It swapped rows and columns, as of GPT-2's weights.
    heads : int
        It sorted the rows of each of so many heads from halves, as Llama rotates them,
        to pairs side by side; 0 if it did not.
    offset : float
        It added this number, as to the weights of Gemma's norms.
    """

    transposed: bool = False
    heads: int = 0
    offset: float = 0.0

    def shape(self, stored: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape before the change."""
        return stored[::-1] if self.transposed else stored

    def undone(self, stored: Array) -> Array:
        """Return the numbers before the change.

        Parameters
        ----------
        stored : ndarray, shape (rows,) or (rows, columns)
            Those of the file.

        Raises
        ------
        ValueError
            If the rows cannot be those of so many heads.
        """
        array = stored.T if self.transposed else stored
        if self.heads:
            pairs = array.reshape(self.heads, -1, 2, *array.shape[1:])
            array = pairs.swapaxes(1, 2).reshape(array.shape)  # (h·d, ...)
        return array - np.float32(self.offset) if self.offset else array
