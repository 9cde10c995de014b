"""The steps before the scores, computed for some of the tokens."""

from collections.abc import Mapping, Sequence

from attnviewer.compute.arrays import Array, Part, Shape
from attnviewer.compute.stages import Stage


class EarlySteps(dict[str, Array]):
    """Steps before the scores for some tokens, computed when they are first read.

    Parameters
    ----------
    stages : sequence of Stage
        The stages, with the first of the tokens as their first row.
    inputs : mapping of str to ndarray
        The inputs, with the rows of the tokens.
    """

    def __init__(self, stages: Sequence[Stage], inputs: Mapping[str, Array]) -> None:
        super().__init__(inputs)
        self.stages = stages

    def __missing__(self, step: str) -> Array:
        stage = next(stage for stage in self.stages if stage.name == step)
        numbers = stage.forward(Part(), *(self[name] for name in stage.inputs))
        self[step] = numbers
        return numbers


def has_row_per_token(stage: Stage, shape: Shape) -> bool:
    """Return whether a step has a row for each token, query or key.

    Parameters
    ----------
    stage : Stage
        The stage.
    shape : tuple of int
        The shape of its step.
    """
    rows, columns = stage.axes
    # A bias or mask may also be one row for all queries.
    is_one_for_all = columns == "keys" and shape[-2:-1] in ((), (1,))
    return rows in ("tokens", "queries", "keys") and not is_one_for_all
