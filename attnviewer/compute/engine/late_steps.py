"""The steps after the weights, computed once one of them is read."""

from collections.abc import Callable, Iterator, Mapping

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.stages import Mix
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
        return self._shapes.get(step) or self._weights.shape(step)

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
