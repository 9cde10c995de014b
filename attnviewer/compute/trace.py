"""The result of a computation: every step by name."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import (
    any_array,
    check_name,
    check_position,
    real_array,
    whole_number,
)
from attnviewer.compute.arrays import ALL, Array, Index, Part, read_only
from attnviewer.compute.formula import Formula
from attnviewer.compute.gradients import backward
from attnviewer.compute.one_query import CellGradient
from attnviewer.compute.remarks import head_remark
from attnviewer.compute.row_blocks import blocks
from attnviewer.compute.row_reader import RowReader
from attnviewer.compute.row_statistics import RowStatistics, row_statistics
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Stage
from attnviewer.compute.stages.altered import REASON, MistakenGradientError
from attnviewer.compute.stages.offsets import at
from attnviewer.compute.statistics import Limits, finite_limits
from attnviewer.compute.steps import REMEMBERED, stages_by_name
from attnviewer.compute.steps_html import steps_html
from attnviewer.compute.weights import Weights

TERM_LIMIT = 12
"""The most terms of a sum in an explanation before the rest is combined."""


class Trace(RowReader):
    """Every step of one attention computation, inputs first, read-only.

    A mapping of step names to arrays ``(…, rows, columns)``: before the rows the
    heads, where a step has an axis for them, and before those the batch. The steps
    from the scores to the weights are not stored but computed for the window that
    is read.

    Parameters
    ----------
    spec : Spec
        The variant that was computed.
    stages : sequence of Stage
        Its stages in order.
    values : mapping of str to ndarray
        The steps that are stored.
    weights : Weights
        The attention weights, and the scores below them.
    remembered : int
        The most numbers of a step that is cached once it is read.
    limits : callable, optional
        Returns a function for the `limits` of a larger step by its name, or None if it
        no longer exists; such steps are then read.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.compute import Spec, run
    >>> trace = run(Spec(projected=False), {"X": np.eye(2)})
    >>> list(trace)
    ['X', 'scores', 'scaled', 'weights', 'output']
    >>> trace["scores"]
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(
        self,
        spec: Spec,
        stages: Sequence[Stage],
        values: Mapping[str, Array],
        weights: Weights,
        remembered: int = REMEMBERED,
        limits: Callable[[], Callable[[str], Limits | None] | None] | None = None,
    ) -> None:
        super().__init__(stages, values, weights, remembered)
        self.spec = spec
        self._limits_source = limits
        self._limits: dict[str, Limits | None] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a pickle or a deep copy, without `limits`."""
        return {
            **vars(self),
            "stages": tuple(self.stages.values()),
            "_limits_source": None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.stages = stages_by_name(state["stages"])
        self._values = {n: read_only(array) for n, array in state["_values"].items()}

    def _repr_html_(self) -> str:
        return steps_html(self, self.limits)

    def computed(self, step: str) -> Array:
        """Return a step as it is before its pins, of its shape.

        The same as the step where none of its cells are pinned; pins of earlier steps
        act.

        Raises
        ------
        KeyError
            If there is no such step.
        """
        self._check_step(step)
        stage = self.stages[step]
        if stage.pins is None:
            return self[step]
        with np.errstate(all="ignore"):
            inputs = (self[name] for name in stage.inputs)
            return read_only(stage.unpinned.forward(Part(), *inputs))

    def limits(self, step: str) -> Limits | None:
        """Return the smallest and largest finite number of a step, over all heads.

        None if it has none.
        """
        if step not in self._limits:
            self._limits[step] = self._compute_limits(step)
        return self._limits[step]

    def _compute_limits(self, step: str) -> Limits | None:
        if self._limits_source and math.prod(self.shape(step)) > self._remembered:
            limits_of = self._limits_source()
            if limits_of is not None:
                return limits_of(step)
        if self._at_hand(step):
            return finite_limits(self[step])
        parts = [
            finite_limits(self._compute(step, Part(lead, rows)))
            for lead, rows in blocks(self.shape(step))
        ]
        found = [limits for limits in parts if limits is not None]
        if not found:
            return None
        lows, highs = zip(*found, strict=True)
        return min(lows), max(highs)

    def query(
        self, query: int, *, head: int = 0, batch: int | Index = 0
    ) -> dict[str, Array]:
        """Return one query's row of every step that has a row per query.

        The same numbers as in the matrix form, as the loop over one query would
        compute them.

        Parameters
        ----------
        query : int
            The query, counted from zero.
        head : int
            The head, counted from zero.
        batch : int or tuple of int
            The batch item.

        Returns
        -------
        dict of str to ndarray, shape (columns,)
            Every computed step with a row per query, from ``Q`` where there is one
            to ``output``.

        Raises
        ------
        IndexError
            If there is no such query.
        """
        check_position("query", query, self.shape(self.pipeline.scores)[-2])
        rows = slice(query, query + 1)
        return {
            name: self.window(name, rows, head=head, batch=batch)[0]
            for name, stage in self.stages.items()
            if stage.axes[0] == "queries" and stage.inputs
        }

    def explain(self, step: str, index: Index, *, limit: int = TERM_LIMIT) -> Formula:
        """Write out a cell of a step with its own numbers, one level deep.

        Each number names the cell that holds it, which can be explained in turn,
        down to the inputs.

        Parameters
        ----------
        step : str
            The step.
        index : tuple of int
            ``(row, column)``, with the head and the batch item before where the
            step has them.
        limit : int
            How many terms a sum may have before the smaller ones are summed up.

        Raises
        ------
        KeyError
            If there is no such step.
        IndexError
            If it has no such cell.
        TypeError
            If the index holds anything but integers.
        ValueError
            If `limit` is less than 1.
        """
        whole_number("limit", limit, 1)
        index = self._checked_index(step, index)
        with np.errstate(all="ignore"):
            formula = self.stages[step].explain(self, index, limit)
            return formula if formula.in_range else formula.told_out_of_range()

    def _checked_index(self, step: str, index: Index) -> Index:
        shape = self.shape(step)
        if type(index) is not tuple or any(type(entry) is not int for entry in index):
            given = any_array("'index' parameter", index)
            entries = given.reshape(-1).tolist() if given.ndim < 2 else list(given)
            index = tuple(whole_number("index", entry) for entry in entries)
        if len(index) != len(shape) or not all(
            0 <= k < n for k, n in zip(index, shape, strict=True)
        ):
            raise IndexError(
                f"The 'index' must lie inside '{step}' {shape}. Got {index} instead."
            )
        return index

    def gradient(self, step: str, index: Index) -> dict[str, Array]:
        """Return the gradient of one cell of a step on every input.

        The same as `backward` with a single 1, at the cost of one query's row: no
        n × n numbers are computed for it.

        Parameters
        ----------
        step : str
            The step.
        index : tuple of int
            ``(row, column)``, with the head and the batch item before where the
            step has them.

        Returns
        -------
        dict of str to ndarray
            The gradient with respect to every input by its name, of its shape, as in
            `backward`.

        Raises
        ------
        KeyError
            If there is no such step.
        IndexError
            If it has no such cell.
        TypeError
            If the index holds anything but integers.
        ValueError
            If the step is the mask, which has no gradient, or a step is computed with
            a mistake.
        """
        return self.cell_gradient(step, index).compute()

    def cell_gradient(self, step: str, index: Index) -> CellGradient:
        """Return a `gradient` to be computed later, with copies of its numbers.

        To be computed in another thread, or after an edit: the gradient is that of
        the current steps. Its parameters and errors are those of `gradient`.
        """
        index = self._checked_index(step, index)
        if step == "mask":
            raise ValueError(
                "The 'step' must have numbers that can change by little. Got 'mask' "
                "instead."
            )
        self._check_gradients()
        return CellGradient(self, step, index)

    def _check_gradients(self) -> None:
        if self.pipeline.mistakes:
            raise MistakenGradientError(REASON)

    @short_signature
    def backward(self, gradients: Mapping[str, ArrayLike]) -> dict[str, Array]:
        """Return the gradient with respect to every input, given that for some steps.

        Parameters
        ----------
        gradients : mapping of str to array_like
            The gradient of that number with respect to each step it depends on, of
            the step's shape: ``{"output": g}``, or a single 1 in ``{"weights": g}``
            for the gradient of one weight.

        Returns
        -------
        dict of str to ndarray
            The gradient with respect to every input by its name, of its shape. A mask
            has none. At kinks, as piecewise normalisers have them, it is one of the
            usual subgradients.

        Raises
        ------
        ValueError
            If there is no such step, a gradient is not of its shape, or a step is
            computed with a mistake.
        TypeError
            If the gradients are not a mapping, or hold anything but numbers.
        """
        if not isinstance(gradients, Mapping):
            raise TypeError(
                "The 'gradients' parameter must be a mapping of steps to arrays. "
                f"Got {type(gradients).__name__} instead."
            )
        checked: dict[str, Array] = {}
        for step, given in gradients.items():
            check_name("step", step, [name for name in self if name != "mask"])
            gradient = real_array(f"gradient with respect to '{step}'", given)
            if gradient.shape != self.shape(step):
                raise ValueError(
                    f"The gradient with respect to '{step}' must have shape "
                    f"{self.shape(step)}. Got {gradient.shape} instead."
                )
            checked[step] = gradient.astype(self.dtype)
        self._check_gradients()
        with np.errstate(all="ignore"):
            return backward(tuple(self.stages.values()), self, checked)

    def statistics(
        self, rows: slice = ALL, *, head: int = 0, batch: int | Index = 0
    ) -> RowStatistics:
        """Return the statistics of some rows of the weights.

        Parameters
        ----------
        rows : slice
            The queries; all by default.
        head : int
            The head, counted from zero.
        batch : int or tuple of int
            The batch item.

        Raises
        ------
        TypeError, ValueError
            If `rows` is not a slice, or has a step.
        IndexError
            If there is no such head or batch item.
        """
        weights = self.pipeline.weights
        # Keys of another sequence are at no query's own position.
        crosses = self.spec.context
        offset = None if crosses else self.query_offset(head=head, batch=batch)
        return RowStatistics.concatenate(
            [
                row_statistics(
                    self.window(weights, part, head=head, batch=batch),
                    first_query=part.start,
                    query_offset=offset,
                )
                for part in self._in_blocks(rows)
            ]
        )

    def query_offset(self, *, head: int = 0, batch: int | Index = 0) -> int:
        """Return the position of the first query among the keys.

        Raises
        ------
        IndexError
            If there is no such head or batch item.
        """
        lead = self._lead(self.pipeline.weights, head, batch)
        return int(at(self.spec.query_offset, lead))

    def remark(self, *, head: int = 0, batch: int | Index = 0) -> str:
        """Return in words what stands out about a head; "" if nothing does.

        That it is nearly uniform, or nearly one-hot, or attends almost only to the
        first token, to each token itself or to the one before; and where a score is
        +∞.
        """
        visible = self.visible_keys(head=head, batch=batch)  # (n_q,)
        infinite = self.infinite_rows(head=head, batch=batch)  # (n_q,)
        statistics = self.statistics(head=head, batch=batch)
        cross = self.spec.context
        return head_remark(statistics, visible, infinite=infinite, cross=cross)
