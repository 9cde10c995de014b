"""Tokens that lie on a grid, such as the patches of a picture."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

PixelArray: TypeAlias = NDArray[np.uint8]
"""The colours of a picture, shape (height, width, 3): red, green and blue."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenGrid:
    """A grid on which the tokens lie, row by row, after some special ones.

    Parameters
    ----------
    rows, columns : int
        The size of the grid.
    n_special : int
        How many tokens come before those of the grid: 1 for ``[CLS]``.
    image : ndarray of uint8, shape (height, width, 3), optional
        The picture beneath the grid.
    """

    rows: int
    columns: int
    n_special: int = 0
    image: PixelArray | None = None

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.n_special < 0:
            raise ValueError(
                "The token grid must have at least one row and one column, and no "
                "fewer than 0 special tokens. "
                f"Got {self.rows} × {self.columns} after {self.n_special} instead."
            )
        image = self.image
        if image is None:
            return
        if image.ndim != 3 or image.shape[2] != 3 or not image.size:
            raise ValueError(
                "The picture of the token grid must have the shape (height, width, 3). "
                f"Got {image.shape} instead."
            )
        if image.dtype != np.uint8:
            raise ValueError(
                "The picture of the token grid must be of uint8. "
                f"Got {image.dtype} instead."
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenGrid):
            return NotImplemented
        own, its = self.image, other.image
        alike = own is its or (
            own is not None and its is not None and np.array_equal(own, its)
        )
        return alike and (self.rows, self.columns, self.n_special) == (
            *(other.rows, other.columns, other.n_special),
        )

    def __hash__(self) -> int:
        return hash((self.rows, self.columns, self.n_special))

    @property
    def n_tokens(self) -> int:
        """The number of tokens, special ones included."""
        return self.n_special + self.rows * self.columns

    def place(self, token: int) -> tuple[int, int] | None:
        """Return the row and column of a token; None for a special one."""
        if token < self.n_special:
            return None
        return divmod(token - self.n_special, self.columns)

    def token(self, row: int, column: int) -> int:
        """Return the token in a row and column."""
        return self.n_special + row * self.columns + column
