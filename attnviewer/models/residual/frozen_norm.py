"""Norms with a frozen scale, which are linear."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.architecture import Architecture
from attnviewer.models.blocks import Parts


class FrozenNorm(NamedTuple):
    """A layer norm or RMS norm whose scale is that of the rows that it was made for.

    Each part x_a of a row x = Σ x_a becomes (x_a − mean(x_a)) · weight / σ(x), or
    x_a · weight / rms(x); with the bias, these sum to the norm of x.

    Parameters
    ----------
    inverse : ndarray, shape (m, 1)
        1 / σ or 1 / rms of each row, ε included.
    weight : ndarray, shape (d_model,)
        The norm's weights.
    bias : ndarray, shape (d_model,), or None
        Its bias; an RMS norm has none.
    centred : bool
        Whether the mean is subtracted.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section
    "Handling Layer Normalization".
    """

    inverse: Array
    weight: Array
    bias: Array | None
    centred: bool

    @classmethod
    def of(
        cls, rows: Array, norm: str, parts: Parts, architecture: Architecture
    ) -> "FrozenNorm | None":
        """Return a norm with the scale of rows; None if the family does not have it.

        Parameters
        ----------
        rows : ndarray, shape (m, d_model)
            The rows before the norm.
        norm : str
            Which of the norms.
        parts : mapping of str to ndarray
            The weights, of a layer or shared by all.
        architecture : Architecture
            What kind of norm it is.
        """
        weight = parts.get(f"{norm}.weight")
        if weight is None:
            return None
        centred = architecture.norm == "layer"
        x = rows.astype(np.float64)  # (m, d_model)
        if centred:
            x -= x.mean(axis=-1, keepdims=True)
        squares = np.square(x).mean(axis=-1, keepdims=True)  # (m, 1)
        if not centred:
            weight = weight + np.float32(architecture.weight_offset)
        inverse = 1 / np.sqrt(squares + architecture.epsilon)  # (m, 1)
        return cls(inverse, weight, parts.get(f"{norm}.bias"), centred)

    def at(self, rows: slice) -> "FrozenNorm":
        """Return the norm of some of the rows."""
        return self._replace(inverse=self.inverse[rows])

    def scale(self, parts: Array) -> None:
        """Overwrite parts of the rows by those after the norm, without its bias.

        Parameters
        ----------
        parts : ndarray of float64, shape (..., m, d_model)
            The parts before it.
        """
        if self.centred:
            parts -= parts.mean(axis=-1, keepdims=True)
        parts *= self.inverse
        parts *= self.weight
