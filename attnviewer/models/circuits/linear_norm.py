"""Norms without the scale that depends on the text, as linear maps."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.architecture import Architecture
from attnviewer.models.blocks import Parts


class LinearNorm(NamedTuple):
    """The linear part N of a norm: a row x becomes x N.

    Of a layer norm x N = (x − mean(x)) · gain, of an RMS norm x N = x · gain. What is
    left out are the scale 1 / σ of each token and the bias.

    Parameters
    ----------
    gain : ndarray of float64, shape (d_model,) or (1,)
        The norm's weights; 1 for a norm that the family does not have.
    centred : bool
        Whether the mean is subtracted.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section
    "Handling Layer Normalization".
    """

    gain: Array
    centred: bool

    @classmethod
    def of(cls, norm: str, parts: Parts, architecture: Architecture) -> "LinearNorm":
        """Return the linear part of a norm; the identity if there is no such norm.

        Parameters
        ----------
        norm : str
            Which of the norms.
        parts : mapping of str to ndarray
            The weights, of a layer or shared by all.
        architecture : Architecture
            What kind of norm it is.
        """
        weight = parts.get(f"{norm}.weight")
        if weight is None:
            return cls(np.ones(1), False)
        gain = weight.astype(np.float64) + architecture.weight_offset  # (d_model,)
        return cls(gain, architecture.norm == "layer")

    def apply(self, rows: Array) -> Array:
        """Return rows after the norm, X N, shape (n, d_model)."""
        if self.centred:
            rows = rows - rows.mean(axis=-1, keepdims=True)
        scaled: Array = rows * self.gain  # (n, d_model)
        return scaled

    def fold(self, weight: Array) -> Array:
        """Return weights that read rows before the norm, N W, shape (d_model, k)."""
        folded: Array = self.gain[:, np.newaxis] * weight  # (d_model, k)
        return folded - folded.mean(axis=0) if self.centred else folded
