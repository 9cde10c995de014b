"""The residual stream as a sum of components."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import table_html
from attnviewer.models.residual.component import Component
from attnviewer.models.residual.frozen_norm import FrozenNorm


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """The parts that rows of the residual stream are the sums of.

    Parameters
    ----------
    components : tuple of Component
        What the c parts are.
    values : ndarray of float64, shape (c, m, d_model)
        What each of them is at m tokens.
    positions : tuple of int
        The positions of these tokens in the sentence.
    """

    components: tuple[Component, ...]
    values: Array
    positions: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.components)

    def __getitem__(self, component: Component) -> Array:
        """Return a component at each of the tokens, shape (m, d_model).

        Raises
        ------
        KeyError
            If it is not one of them.
        """
        if component not in self.components:
            raise KeyError(
                "The component must be one of those that are written up to here. "
                f"Got {component} instead."
            )
        own: Array = self.values[self.components.index(component)]
        return own

    @property
    def total(self) -> Array:
        """Their sum, which is the stream at the tokens, shape (m, d_model)."""
        total: Array = self.values.sum(axis=0)
        return total

    @property
    def labels(self) -> tuple[str, ...]:
        """The components in words."""
        return tuple(map(str, self.components))

    def with_parts(
        self, components: Sequence[Component], values: Array
    ) -> "Components":
        """Return these components and more.

        Parameters
        ----------
        components : sequence of Component
            The k others.
        values : ndarray, shape (k, m, d_model)
            What they are at each token, or what is broadcast to it.
        """
        shape = len(components), *self.values.shape[1:]
        more = np.broadcast_to(values, shape)  # (k, m, d_model)
        both = np.concatenate([self.values, more], dtype=np.float64)
        return Components((*self.components, *components), both, self.positions)

    def after_norm(self, norm: FrozenNorm | None, bias: Component) -> "Components":
        """Return the components after a norm with a frozen scale.

        Parameters
        ----------
        norm : FrozenNorm or None
            The norm; without one, they stay.
        bias : Component
            What its bias is called, which is one more component.
        """
        if norm is None:
            return self
        scaled = Components(self.components, norm.scaled(self.values), self.positions)
        if norm.bias is None:
            return scaled
        return scaled.with_parts([bias], norm.bias)

    def _repr_html_(self) -> str:
        lengths = np.linalg.norm(self.values, axis=-1)  # (c, m)
        columns = [f"token {position}" for position in self.positions]
        return f"<div>Lengths of components{table_html(lengths, self.labels, columns)}"
