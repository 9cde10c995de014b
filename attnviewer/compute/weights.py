"""The attention weights and all from the scores to them, computed block by block."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.row_blocks import blocks, runs
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages import Mix, Stage

if TYPE_CHECKING:
    from attnviewer.compute.windowed import Overview
    from attnviewer.compute.windowed.sketched import Sampled


class Weights(ABC):
    """The steps from the scores to the weights that the values are mixed by.

    Attributes
    ----------
    scores : Scores
        The scores.
    """

    __slots__ = ()

    scores: Scores

    @abstractmethod
    def reach(self, lead: Index, rows: slice) -> slice:
        """Return a range that holds every key which some of the rows may see."""

    @abstractmethod
    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        """Compute some rows of the weights, and keep them where they are stored.

        Returns
        -------
        numerators : ndarray, shape (..., rows, columns)
            The weights of the keys that `reach` returns, or their numerators.
        divisor : ndarray, shape (..., rows, 1), or None
            The divisor of the numerators; None for weights.
        """

    def blocks(self) -> Iterator[tuple[Index, slice]]:
        """Yield the matrices and rows that are computed at a time."""
        return blocks(self.scores.shape)

    def mix(
        self, lead: Index, rows: slice, values: Array, mix: Mix, out: Array
    ) -> Array:
        """Compute some rows of the weights, and the values weighted by them.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head of one matrix; () for all.
        rows : slice
            The rows.
        values : ndarray, shape (..., n_k, d_v)
            The values, for each of the matrices.
        mix : Mix
            The weighted sum.
        out : ndarray, shape (..., rows, d_v)
            Memory that the result may be written into.

        Returns
        -------
        ndarray, shape (..., rows, d_v)
            The weighted values; the weights are kept where they are stored.
        """
        columns = self.reach(lead, rows)
        numerators, divisor = self.weigh(lead, rows)  # (..., rows, columns)
        return mix.sums(numerators, values[..., columns, :], divisor, out)

    def shape(self, step: str) -> Shape:
        """Return the shape of one of the steps."""
        return self.scores.shape

    def own_overview(
        self, matrix: "Sampled", step: str, lead: Index, most: int, *, read: bool
    ) -> "Overview | None":
        """Return an overview of a step that is made without its rows.

        Parameters
        ----------
        matrix : Sampled
            One head of the step.
        step : str
            The step.
        lead : tuple of int
            Batch item and head.
        most : int
            As in `Overview`.
        read : bool
            Whether it is exact; otherwise it begins as a sketch.

        Returns
        -------
        Overview or None
            None where rows are read for it.
        """
        return None

    @abstractmethod
    def read(self, step: str, part: Part) -> Array:
        """Return a part of one of the steps, shape (..., rows, columns)."""


class WeightsByStage(Weights):
    """Weights computed stage by stage, whatever the stages, by their `forward`.

    Parameters
    ----------
    scores : Scores
        The scores.
    pipeline : Pipeline
        All stages.
    values : mapping of str to ndarray
        The steps before the scores; read at each block.
    kept : ndarray, shape (..., n_q, n_k), or None
        Where the last step is stored; None where it is computed when read.
    """

    def __init__(
        self,
        scores: Scores,
        pipeline: Pipeline,
        values: Mapping[str, Array],
        kept: Array | None,
    ) -> None:
        self.scores = scores
        self.kept = kept
        self._stages = {stage.name: stage for stage in pipeline.weighing}
        self._last = pipeline.mix.inputs[0]
        self._values = values

    def reach(self, lead: Index, rows: slice) -> slice:
        return slice(0, self.scores.shape[-1])

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        weights = self._rows(self._last, lead, rows, {})  # (..., rows, n_k)
        if self.kept is not None:
            Part(lead, rows).of(self.kept)[...] = weights
        return weights, None

    def read(self, step: str, part: Part) -> Array:
        if step == self._last and self.kept is not None:
            return part.of(self.kept).copy()
        if step not in self._stages:
            return self.scores.window(step, part)
        if not isinstance(part.rows, slice):
            each = [part._replace(rows=run) for run in runs(part.rows)]
            return np.concatenate([self.read(step, run) for run in each], axis=-2)
        rows = self._rows(step, part.lead, part.rows, {})  # (..., rows, n_k)
        return rows[..., part.columns]

    def _rows(
        self, step: str, lead: Index, rows: slice, known: dict[str, Array]
    ) -> Array:
        """Return some rows of a step, shape (..., rows, n_k).

        Parameters
        ----------
        step : str
            The step.
        lead : tuple of int
            Batch item and head of one matrix; () for all.
        rows : slice
            The rows.
        known : dict of str to ndarray
            The same rows of steps that have been computed; more are added.
        """
        if step not in known:
            if step in self._stages:
                stage = self._stages[step]
                inputs = [
                    self._input(stage, number, lead, rows, known)
                    for number in range(len(stage.inputs))
                ]
                of_rows = stage.from_row(rows.start or 0)
                known[step] = of_rows.forward(Part(lead), *inputs)
            else:
                known[step] = self.scores.window(step, Part(lead, rows))
        return known[step]

    def _input(
        self,
        stage: Stage,
        number: int,
        lead: Index,
        rows: slice,
        known: dict[str, Array],
    ) -> Array:
        """Return what a stage gets to compute some rows: the same, or all, of an input.

        Of steps that are not stored, the rows stand for those of all matrices.
        """
        name = stage.inputs[number]
        if name in self._values:
            whole = self._values[name]
            return (
                whole[..., rows, :] if stage.takes_row(number, whole.shape) else whole
            )
        block = self._rows(name, lead, rows, known)  # (..., rows, n_k)
        return np.broadcast_to(block, (*self.scores.shape[:-2], *block.shape[-2:]))
