"""A number as a sum of what components contribute to it."""

from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import DECIMALS, MOST_ROWS, table_html
from attnviewer.compute.number_text import format_number
from attnviewer.models.activations import Site
from attnviewer.models.grid import Grid
from attnviewer.models.grid_svg import grid_picture
from attnviewer.models.residual.component import Component, Kind


class Contribution(NamedTuple):
    """The contribution of a component to a number.

    Parameters
    ----------
    component : Component
        The component.
    value : float
        Its term of the sum, of either sign.
    """

    component: Component
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """A number as a sum over components.

    Parameters
    ----------
    of : str
        What the number is.
    components : tuple of Component
        The c components.
    values : ndarray of float64, shape (c,)
        What each contributes.
    """

    of: str
    components: tuple[Component, ...]
    values: Array

    @property
    def total(self) -> float:
        """The number, which is their sum."""
        return float(self.values.sum())

    @property
    def heads(self) -> Array:
        """The contribution of each head, shape (n_layers, n_heads)."""
        own = self._of("head")
        layers = len({component.layer for component, _ in own})
        values = np.array([value for _, value in own])  # (layers · heads,)
        return values.reshape(layers, len(own) // max(1, layers))

    @property
    def mlps(self) -> Array:
        """The contribution of each layer's MLP, shape (n_layers,)."""
        return np.array([value for _, value in self._of("mlp")])

    @property
    def embedding(self) -> float:
        """The contribution of the embeddings of token, position and type."""
        return float(sum(value for _, value in self._of("token", "position", "type")))

    @property
    def biases(self) -> float:
        """The contribution of the rest: b_O, norms' biases, pins, replaced streams."""
        rest = self.total - self.embedding
        return float(rest - self.heads.sum() - self.mlps.sum())

    @property
    def grid(self) -> Grid:
        """The contributions of heads and MLPs, a row for each layer."""
        heads = self.heads  # (n_layers, n_heads)
        layers, columns = range(len(heads)), range(heads.shape[1])
        return Grid(
            np.column_stack([heads, self.mlps]),
            [f"L{layer}" for layer in layers],
            [*(f"H{head}" for head in columns), "MLP"],
            self.of,
            [
                [
                    *(Site("heads", layer, head) for head in columns),
                    Site("feed_forward", layer),
                ]
                for layer in layers
            ],
            ("layer", "part"),
        )

    def sorted(self, count: int | None = None) -> list[Contribution]:
        """Return the largest contributions by magnitude, largest first."""
        order = np.argsort(-np.abs(self.values), kind="stable")[:count]  # (count,)
        return [Contribution(self.components[k], float(self.values[k])) for k in order]

    def _of(self, *kinds: Kind) -> list[Contribution]:
        pairs = zip(self.components, self.values.tolist(), strict=True)
        return [Contribution(c, value) for c, value in pairs if c.kind in kinds]

    def __repr__(self) -> str:
        count, total = len(self.components), format_number(self.total, DECIMALS)
        return f"<Contributions of {count} components: {self.of} = {total}>"

    def _repr_html_(self) -> str:
        largest = self.sorted(MOST_ROWS)
        names = [str(component) for component, _ in largest]
        values = np.array([[value] for _, value in largest])  # (rows, 1)
        shape = len(self.values), 1
        table = table_html(values, names, ("contribution",), shape=shape)
        grid = self.grid
        if not grid.values.size:  # of a score in the first layer
            return titled_html(self.of, self.total, table)
        picture = grid_picture(grid.values, grid.row_labels, grid.column_labels)
        return titled_html(self.of, self.total, f"<div>{picture}</div>{table}")


def titled_html(of: str, number: float, table: str) -> str:
    """Return a number with its name above a table of its terms, as HTML."""
    value = format_number(number, DECIMALS)
    return f"<div><b>{escape(of)}</b> = {value}{table}</div>"
