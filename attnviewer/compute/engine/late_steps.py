"""The steps after the weights, computed once one of them is read."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.engine.incremental_attention import IncrementalAttention
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages import Mix
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.weights import Weights
from attnviewer.compute.windowed import Overview
from attnviewer.compute.windowed.sketched import Sampled


class LateSteps(Weights):
    """The steps from the scores on, with those after the weights.

    A picture of the weights need not wait for these.

    Parameters
    ----------
    weights : Weights
        The weights, and all from the scores to them.
    shapes : mapping of str to tuple of int
        The shapes of the steps after them.
    compute : callable
        Computes these.
    """

    def __init__(
        self,
        weights: Weights,
        shapes: Mapping[str, Shape],
        compute: Callable[[], Mapping[str, Array]],
    ) -> None:
        self.scores = weights.scores
        self._weights, self._shapes, self._compute = weights, shapes, compute
        self._computed: Mapping[str, Array] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return _with_steps, (self._weights, self._shapes, self._all())

    def reach(self, lead: Index, rows: slice) -> slice:
        return self._weights.reach(lead, rows)

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        return self._weights.weigh(lead, rows)

    def blocks(self) -> Iterator[tuple[Index, slice]]:
        return self._weights.blocks()

    def mix(
        self, lead: Index, rows: slice, values: Array, mix: Mix, out: Array
    ) -> Array:
        return self._weights.mix(lead, rows, values, mix, out)

    def shape(self, step: str) -> Shape:
        return self._shapes[step] if step in self._shapes else self._weights.shape(step)

    def own_overview(
        self, matrix: Sampled, step: str, lead: Index, most: int, *, read: bool
    ) -> Overview | None:
        if step in self._shapes:
            return None
        return self._weights.own_overview(matrix, step, lead, most, read=read)

    def read(self, step: str, part: Part) -> Array:
        if step in self._shapes:
            return part.of(self._all()[step])
        return self._weights.read(step, part)

    def _all(self) -> Mapping[str, Array]:
        if self._computed is None:
            self._computed = self._compute()
        return self._computed


def _with_steps(
    weights: Weights, shapes: Mapping[str, Shape], steps: Mapping[str, Array]
) -> LateSteps:
    """Rebuild what a pickle holds."""
    late = LateSteps(weights, shapes, dict)
    late._computed = steps
    return late


def late_shapes(pipeline: Pipeline, inputs: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the shapes of the steps after the weights, given those of all inputs."""
    shapes = dict(inputs)
    for stage in pipeline.stages:
        if stage.inputs:
            shapes[stage.name] = stage.shape(*(shapes[n] for n in stage.inputs))
    return {stage.name: shapes[stage.name] for stage in (pipeline.mix, *pipeline.after)}


def compute_late(
    attention: IncrementalAttention,
    pipeline: Pipeline,
    earlier: Mapping[str, Array],
    work: int,
) -> dict[str, Array]:
    """Compute the steps after the weights.

    Parameters
    ----------
    attention : IncrementalAttention
        Gives the weighted values.
    pipeline : Pipeline
        All stages.
    earlier : mapping of str to ndarray
        The inputs and the steps before the scores.
    work : int
        Multiply-adds of all steps.
    """
    mix = pipeline.mix
    with one_blas_thread(work), np.errstate(all="ignore"):
        heads = attention.heads()  # (..., h, n_q, d_v)
        if mix.pins is not None:
            heads = heads.copy()
            mix.pins.hold(heads, Part())
        late = {mix.name: heads}
        for stage in pipeline.after:
            inputs = (late[n] if n in late else earlier[n] for n in stage.inputs)
            late[stage.name] = stage.forward(Part(), *inputs)
    return late
