"""Rows of the residual stream while they are being summed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.models.residual.component import Component
from attnviewer.models.residual.components import Components
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.replaced_rows import ReplacedRows


class RowSum:
    """The rows of m tokens as a sum to which components are added one after another.

    Parameters
    ----------
    tokens : ndarray of int, shape (m,)
        The positions of the tokens.
    width : int
        The width of a row.
    """

    def __init__(self, tokens: NDArray[np.intp], width: int) -> None:
        self._tokens = tokens
        self._shape = len(tokens), width
        self._names: list[Component] = []
        self._values: list[Array] = []

    def add(self, components: Sequence[Component], values: Array) -> None:
        """Add k components, of shape (k, m, width) or what is broadcast to it."""
        every = np.broadcast_to(values, (len(components), *self._shape))
        self._names += components
        self._values.append(every.astype(np.float64))

    def add_sum(self, other: "RowSum") -> None:
        """Add the components of another sum, which become part of this one."""
        self._names += other._names
        self._values += other._values

    def norm(self, norm: FrozenNorm | None, bias: Component) -> None:
        """Apply a norm with a frozen scale to each component; without one, none.

        Its bias, if it has one, becomes a component of its own.
        """
        if norm is None:
            return
        # One array: a call for each of many small ones would take longer.
        self._values = [np.concatenate(self._values)]
        norm.scale(self._values[0])
        if norm.bias is not None:
            self.add([bias], norm.bias)

    def project(self, weight: Array, bias: Array | None, component: Component) -> None:
        """Multiply each component by a weight; a bias becomes a component.

        Parameters
        ----------
        weight : ndarray, shape (width, new width)
        bias : ndarray, shape (new width,), or None
        component : Component
            What the bias is.
        """
        self._values = [values @ weight.astype(np.float64) for values in self._values]
        self._shape = self._shape[0], weight.shape[1]
        if bias is not None:
            self.add([component], bias)

    def replace(self, replaced: ReplacedRows, component: Component) -> None:
        """Replace rows: their components become 0, and one more has the new rows."""
        for values in self._values:
            values[:, replaced.at] = 0
        self.add([component], replaced.values)

    def total(self) -> Array:
        """Return the rows, shape (m, width)."""
        total: Array = sum(values.sum(axis=0) for values in self._values)
        return total

    def components(self) -> Components:
        """Return all components so far."""
        values = np.concatenate(self._values)  # (c, m, width)
        return Components(tuple(self._names), values, tuple(self._tokens.tolist()))
