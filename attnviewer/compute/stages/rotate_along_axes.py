"""Queries or keys rotated by their positions along several axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import ALL, Array, Index, Selection, Shape, positions
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Expression, Number, Product
from attnviewer.compute.functions import Cosine, Sine
from attnviewer.compute.positions import Rotary, RotaryAxes, pair_columns
from attnviewer.compute.stages.base import Axis, Steps, number
from attnviewer.compute.stages.offsets import PerItem
from attnviewer.compute.stages.rotate import Rotate


class RotateAlongAxes(Rotate):
    """rotated Q = each pair of columns rotated by the position along its own axis.

    Row `offset` + i of ``position_ids`` has the positions of row i.

    Parameters
    ----------
    source, offset, rows, per_head
        See `Rotate`.
    scheme : Rotary
        A scheme with axes.

    References
    ----------
    Wang et al. 2024, "Qwen2-VL", section 2.1; Heo et al. 2024, "Rotary Position
    Embedding for Vision Transformer", section 3.1.
    """

    stacks = False

    def __init__(
        self,
        source: str,
        scheme: Rotary,
        offset: PerItem,
        *,
        rows: Axis,
        per_head: bool,
    ) -> None:
        super().__init__(source, scheme, offset, rows=rows, per_head=per_head)
        self.inputs = (source, "position_ids")
        self.formula = (
            f"{source}, pairs of columns rotated by their position along an axis"
        )
        self.operation = f"RoPE, {self.axes_of_positions.n_axes} axes"

    @property
    def axes_of_positions(self) -> RotaryAxes:
        """The axes that the pairs are divided among."""
        assert self.scheme.axes is not None
        return self.scheme.axes

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        source, ids = dirty
        if ids is None:
            return super().reach([source], shape)
        if self.offset != 0:
            return EVERYTHING  # rows of position_ids are those of the keys
        return super().reach([source, Dirty(rows=ids.rows)], shape)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        (on_source,) = super().backward(inputs, output, gradient)
        return on_source, self._on_positions(inputs[1], output, gradient)

    def _on_positions(self, ids: Array, output: Array, gradient: Array) -> Array:
        axes, width = self.axes_of_positions, self._width(output.shape)
        first, second = pair_columns(width, interleaved=self.scheme.interleaved)
        # A pair that rotates moves at right angles to itself.
        slopes = gradient[..., second] * output[..., first]
        slopes = slopes - gradient[..., first] * output[..., second]  # (..., n, pairs)
        slopes = slopes * self._frequencies()
        along = slopes @ np.eye(axes.n_axes)[axes.axis_of_pair]  # (..., n, axes)
        if self.per_head and along.ndim > 2:
            along = along.sum(axis=-3)
        at = self._at(ALL, output.shape[-2])  # (n,) or (batch, n)
        on_ids = np.zeros((*along.shape[:-2], *ids.shape[-2:]), ids.dtype)
        for item in np.ndindex(*along.shape[:-2]):
            on_ids[item][at[item[: at.ndim - 1]]] += along[item]
        summed: Array = on_ids.reshape(-1, *ids.shape).sum(axis=0)
        return summed

    def _frequencies(self) -> Array:
        if self.scheme.frequencies is not None:
            return np.array(self.scheme.frequencies)
        return self.axes_of_positions.frequencies(self.scheme.base)

    def _at(self, rows: Selection, count: int) -> NDArray[np.intp]:
        """Return the rows of position_ids for rows of the step."""
        offset = np.asarray(self.offset)[..., np.newaxis]  # (1,) or (batch, 1)
        at: NDArray[np.intp] = positions(rows, count) + offset
        return at

    def _differs(self, inputs: Sequence[Array]) -> bool:
        return super()._differs(inputs) or inputs[1].ndim > 2

    def _positions(
        self, inputs: Sequence[Array], rows: Selection, count: int
    ) -> NDArray[Any]:
        ids, at = inputs[1], self._at(rows, count)
        if ids.ndim == 2:
            taken = ids[at]  # (..., rows, axes)
        else:
            lead = (*ids.shape[:-2], at.shape[-1], 1)
            rows_of = np.broadcast_to(at[..., np.newaxis], lead)
            taken = np.take_along_axis(ids, rows_of, axis=-2)
        if self.per_head and taken.ndim > 2:
            return taken[..., np.newaxis, :, :]  # (batch, 1, rows, axes)
        return taken

    def _turning(
        self, steps: Steps, index: Index, pair: int, turned: int
    ) -> tuple[list[tuple[Expression, Expression]], str]:
        axis = int(self.axes_of_positions.axis_of_pair[pair])
        lead = index[: len(steps.shape("position_ids")) - 2]
        place = number(steps, "position_ids", (*lead, self._place(index), axis))
        frequency = float(self._frequencies()[pair])
        angle = Product(place, Number(frequency))
        cos: Expression = Cosine(angle)
        sin: Expression = Sine(angle)
        short = np.cos(place.value * frequency), np.sin(place.value * frequency)
        factor = self.scheme.attention_factor
        if factor != 1:
            cos, sin = Product(Number(factor), cos), Product(Number(factor), sin)
        numbers = [Number(float(value * factor)) for value in short]
        note = f" that is rotated by the position along axis {axis}"
        return [(cos, sin), (numbers[0], numbers[1])], note
