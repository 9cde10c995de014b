"""The residual stream as a sum of components."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import table_html
from attnviewer.models.residual.component import Component


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

    def _repr_html_(self) -> str:
        lengths = np.linalg.norm(self.values, axis=-1)  # (c, m)
        names = [str(component) for component in self.components]
        columns = [f"token {position}" for position in self.positions]
        table = table_html(lengths, names, columns)
        return f"<div><b>Lengths of components</b>{table}</div>"
