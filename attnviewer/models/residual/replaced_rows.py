"""Rows of the residual stream that are replaced in a run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.arrays import BoolArray
from attnviewer.models.activations import Kind, Site
from attnviewer.models.outputs import Outputs


class ReplacedRows(NamedTuple):
    """The rows that replace an activation at some of m tokens.

    Parameters
    ----------
    at : ndarray of bool, shape (m,)
        The tokens whose rows are replaced.
    values : ndarray, shape (m, d_model)
        The new rows, and zeros at other tokens.
    """

    at: BoolArray
    values: Array

    @classmethod
    def of(
        cls, run: Outputs, kind: Kind, layer: int, tokens: NDArray[np.intp]
    ) -> "ReplacedRows | None":
        """Return what replaces an activation; None if no token's is replaced.

        Parameters
        ----------
        run : ModelTrace
            The run.
        kind : str
            ``stream``, ``after_attention`` or ``feed_forward``.
        layer : int
            The layer.
        tokens : ndarray of int, shape (m,)
            The positions of the tokens.
        """
        replacement = run.replaced.get(Site(kind, layer))
        if replacement is None:
            return None
        at = np.isin(tokens, replacement.positions)  # (m,)
        values = replacement.values[tokens]  # (m, d_model)
        return cls(at, np.where(at[:, np.newaxis], values, 0))


def with_replaced_rows(
    rows: Array, run: Outputs, kind: Kind, layer: int, tokens: NDArray[np.intp]
) -> Array:
    """Return the rows of an activation with those that the run replaces.

    Parameters
    ----------
    rows : ndarray, shape (m, d_model)
        The rows of the tokens; the others are those of `ReplacedRows.of`.
    """
    replaced = ReplacedRows.of(run, kind, layer, tokens)
    if replaced is None:
        return rows
    return np.where(replaced.at[:, np.newaxis], replaced.values, rows)
