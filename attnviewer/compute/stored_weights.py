"""The steps from the scores to the weights, all of them stored as wholes."""

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index, Part
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.weights import Weights


def attend_by_step(
    pipeline: Pipeline, steps: dict[str, Array]
) -> tuple[Weights, Array]:
    """Compute the steps from the scores to the weights, one whole step after another.

    Parameters
    ----------
    pipeline : Pipeline
        The stages.
    steps : dict of str to ndarray
        The steps before the scores; the others are written into it.

    Returns
    -------
    weights : Weights
        The weights.
    heads : ndarray, shape (..., h, n_q, d_v)
        The weighted values, before their pins.
    """
    for stage in (pipeline.comparison, *pipeline.on_scores, *pipeline.weighing):
        inputs = (steps[name] for name in stage.inputs)
        steps[stage.name] = stage.forward(Part(), *inputs)  # (..., h, n_q, n_k)
    mix = pipeline.mix.unpinned
    heads = mix.forward(Part(), *(steps[name] for name in mix.inputs))
    return stored_weights(pipeline, steps), heads


def stored_weights(pipeline: Pipeline, steps: dict[str, Array]) -> "StoredWeights":
    """Return weights that are read from steps.

    Parameters
    ----------
    pipeline : Pipeline
        The stages.
    steps : dict of str to ndarray
        All steps up to the weights.
    """
    return StoredWeights(_StoredScores(pipeline, steps), steps)


class StoredWeights(Weights):
    """Weights that were computed with all steps before them.

    Parameters
    ----------
    scores : Scores
        The scores.
    steps : dict of str to ndarray
        All steps up to the weights.
    """

    def __init__(self, scores: Scores, steps: dict[str, Array]) -> None:
        self.scores, self._steps = scores, steps

    def reach(self, lead: Index, rows: slice) -> slice:
        return slice(0, self.scores.shape[-1])

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        return Part(lead, rows).of(self._steps["weights"]), None

    def read(self, step: str, part: Part) -> Array:
        return part.of(self._steps[step]).copy()


class _StoredScores(Scores):
    """Scores that are read from stored steps."""

    def __init__(self, pipeline: Pipeline, steps: dict[str, Array]) -> None:
        self._mask = next((s for s in pipeline.on_scores if s.hides), None)
        super().__init__(pipeline, steps)

    def spread(self) -> None:
        mask = self._mask
        self._masks: tuple[Array, ...] = ()
        if mask is not None and not mask.mistake:
            others = (self._values[name] for name in mask.inputs[1:])
            self._masks = mask.spread(self.shape, *others)

    def window(self, step: str, part: Part) -> Array:
        return part.of(self._values[step]).copy()

    def hidden(self, part: Part) -> BoolArray | None:
        if self._mask is None:
            return None
        masked = part.of(self._values[self._mask.name])  # (..., rows, columns)
        if self._mask.mistake:
            return np.isneginf(masked)
        hidden = self._mask.hidden(masked, part, *self._masks)
        return None if hidden is None else np.broadcast_to(hidden, masked.shape)
