"""Rotary embedding along two or three axes: which pairs turn by which position."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arguments import flag, whole_number
from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.positions.frequencies import base_frequencies


@dataclass(frozen=True, slots=True)
class RotaryAxes:
    """The pairs of columns of a head divided among the axes of its positions.

    Each token then has a position along every axis, a row of the input
    ``position_ids``, shape (n, axes): time, height and width in M-RoPE, row and column
    in vision encoders. With equal positions on all axes the rotation is the plain one.

    Parameters
    ----------
    sections : tuple of int
        How many pairs turn by the position along each axis; `mrope_section` in
        configurations of models.
    interleaved : bool
        Whether the axes take pairs in turn (Qwen3-VL), the first axis also those that
        the others leave, instead of neighbouring pairs (Qwen2-VL).
    own_frequencies : bool
        Whether the frequencies of each axis start anew: those of as many columns as
        turn by it (2-D RoPE of vision encoders). Otherwise they are those of all
        rotated columns, from pair to pair.

    Raises
    ------
    TypeError, ValueError
        If there are not at least two axes with a pair each, or the pairs cannot be
        taken in turn.

    References
    ----------
    Wang et al. 2024, "Qwen2-VL", section 2.1 (M-RoPE); Heo et al. 2024, "Rotary
    Position Embedding for Vision Transformer", section 3.1 (axial frequencies).
    """

    sections: tuple[int, ...]
    interleaved: bool = False
    own_frequencies: bool = False

    def __post_init__(self) -> None:
        try:
            given = tuple(self.sections)
        except TypeError:
            given = ()
        if len(given) < 2:
            raise ValueError(
                "The 'sections' must hold a number of pairs for each of at least two "
                f"axes. Got {self.sections} instead."
            )
        sections = tuple(whole_number("sections", count, 1) for count in given)
        object.__setattr__(self, "sections", sections)
        object.__setattr__(self, "interleaved", flag("interleaved", self.interleaved))
        own = flag("own_frequencies", self.own_frequencies)
        object.__setattr__(self, "own_frequencies", own)
        for axis, count in enumerate(sections[1:], 1):
            last = axis + self.n_axes * (count - 1)
            if self.interleaved and last >= self.n_pairs:
                raise ValueError(
                    "The 'sections' must leave room for all axes where they take pairs "
                    f"in turn. Got {count} pairs of axis {axis} in {sections} instead."
                )

    @property
    def n_axes(self) -> int:
        """The number of positions of a token."""
        return len(self.sections)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of columns that turn."""
        return sum(self.sections)

    @property
    def axis_of_pair(self) -> NDArray[np.intp]:
        """The axis by whose position each pair turns, shape (pairs,)."""
        if not self.interleaved:
            return np.repeat(np.arange(self.n_axes), self.sections)
        axes = np.zeros(self.n_pairs, dtype=np.intp)
        for axis, count in enumerate(self.sections[1:], 1):
            axes[axis :: self.n_axes][:count] = axis
        return axes

    def by_pair(self, positions: Array) -> Array:
        """Return the position that each pair turns by.

        Parameters
        ----------
        positions : ndarray, shape (..., n, axes)
            Along each axis.

        Returns
        -------
        ndarray, shape (..., n, pairs)

        Raises
        ------
        ValueError
            If there is not one for each axis.
        """
        self.check_width(positions.shape)
        own: Array = positions[..., self.axis_of_pair]
        return own

    def check_width(self, shape: Shape) -> None:
        """Check that positions of a shape end with one for each axis.

        Raises
        ------
        ValueError
            If they do not.
        """
        if shape[-1:] != (self.n_axes,):
            raise ValueError(
                f"The 'positions' parameter must have {self.n_axes} columns, one for "
                f"each axis. Got shape {shape} instead."
            )

    def frequencies(self, base: float) -> Array:
        """Return the angles that pairs rotate by per position, shape (pairs,).

        Parameters
        ----------
        base : float
            Of the frequencies, see `base_frequencies`.

        Raises
        ------
        TypeError, ValueError
            If the base is not positive.
        """
        if not self.own_frequencies:
            return base_frequencies(2 * self.n_pairs, base)
        own = np.empty(self.n_pairs)
        for axis, count in enumerate(self.sections):
            own[self.axis_of_pair == axis] = base_frequencies(2 * count, base)
        return own


def check_axes(axes: RotaryAxes, rotary_dim: int) -> None:
    """Check that the axes have the pairs of the rotated columns.

    Raises
    ------
    ValueError
        If they have not.
    """
    if 2 * axes.n_pairs != rotary_dim:
        raise ValueError(
            f"The 'sections' must sum to {rotary_dim // 2}, the pairs of the "
            f"{rotary_dim} rotated columns. Got {axes.sections} instead."
        )
