"""The pictures that an architecture reads: size, patches, channels."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.numbers import check_numbers
from attnviewer.models.vision.picture import Picture, shown_pixels

MOST_TOKENS = 16384
"""Maximum number of patches of a picture."""


@dataclass(frozen=True, slots=True)
class PictureInput:
    """The pictures of a vision transformer.

    Parameters
    ----------
    size, patch : tuple of (int, int)
        Height and width of the pictures and of a patch, in pixels.
    channels : int
        Channels of a picture.
    special : mapping of str to str
        The tokens before the patches, and the part that holds the embedding of each.
    shapes : mapping of str to tuple of int
        The shapes of the tensors of the embeddings.
    resizable : bool
        Whether pictures of other sizes are read, with interpolated positions.
    antialiased : bool
        Whether the filter that interpolates them is widened for smaller pictures.
    registers : int
        Tokens without a position between these and the patches: registers (Darcet et
        al. 2023, "Vision Transformers Need Registers").
    """

    size: tuple[int, int]
    patch: tuple[int, int]
    channels: int
    special: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]]
    resizable: bool = False
    antialiased: bool = False
    registers: int = 0

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches of a picture of that size."""
        return self.size[0] // self.patch[0], self.size[1] // self.patch[1]

    @property
    def leading(self) -> tuple[str, ...]:
        """The labels of the tokens before the patches."""
        return (*self.special, *(f"[REG{k}]" for k in range(self.registers)))

    @property
    def n_positions(self) -> int:
        """The number of learned positions."""
        rows, columns = self.grid
        return len(self.special) + rows * columns

    def picture(self, pixel_values: Array) -> Picture:
        """Return pixel values as a picture of this model.

        Parameters
        ----------
        pixel_values : ndarray, shape (channels, height, width)
            As transformers' image processors return them.

        Raises
        ------
        ValueError
            If the shape does not fit, or a number is not finite.
        """
        height, width = self.size
        tall, wide = self.patch
        shape = pixel_values.shape
        if self.resizable and len(shape) == 3:
            fits = shape[0] == self.channels and shape[1] >= tall and shape[2] >= wide
            asked = f"({self.channels}, height, width), at least a patch of {tall} × "
            asked += f"{wide} pixels"
        else:
            fits = shape == (self.channels, height, width)
            asked = f"({self.channels}, {height}, {width})"
        if not fits:
            raise ValueError(
                f"The pixel values must have the shape {asked}. Got {shape} instead."
            )
        rows, columns = shape[1] // tall, shape[2] // wide
        if rows * columns > MOST_TOKENS:
            raise ValueError(
                f"The image must have at most {MOST_TOKENS} patches of {tall} × "
                f"{wide} pixels. Got {rows} × {columns} instead."
            )
        with np.errstate(over="ignore"):
            pixels = np.ascontiguousarray(pixel_values, np.float32)
        check_numbers("pixel values", pixels)
        return Picture(pixels, self.patch, shown_pixels(pixels))
