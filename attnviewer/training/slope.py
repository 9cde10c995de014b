"""The loss of a document, and its gradient on the matrices that are trained."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array, Spec, build_stages, cost
from attnviewer.compute.arrays import Part
from attnviewer.compute.gradients import backward
from attnviewer.compute.sections import sections
from attnviewer.compute.stages import Given, Stage
from attnviewer.compute.threads import one_blas_thread
from attnviewer.training.sequences import Sequences, Tokens, gathered
from attnviewer.training.tasks import READOUT, Goal


class Slope(NamedTuple):
    """A loss, and its gradient on each matrix that is trained."""

    loss: float
    gradients: dict[str, Array]


class Rows(NamedTuple):
    """The weights, and what reaches the scores of the gradient.

    Parameters
    ----------
    weights, on_weights, on_scores : ndarray, shape (..., n_q, n_k)
        The weights, and the gradient on them and on the scores below them.
    loss : float
        The loss.
    """

    weights: Array
    on_weights: Array
    on_scores: Array
    loss: float


class LossOf:
    """The loss as a function of the matrices that are trained.

    It runs forward and backward through the stages of the document, without those that
    the loss does not depend on, or that no trained matrix changes.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        All its inputs.
    goal : Goal
        What the loss compares.
    free : iterable of str
        The names of the matrices to be trained.
    sequences : Sequences
        The tokens of each step.

    Attributes
    ----------
    trained : tuple of str
        Those of `free` that the loss depends on.
    normalizing : tuple of Normalize
        The stages that normalise scores.
    """

    def __init__(
        self,
        spec: Spec,
        inputs: Mapping[str, Array],
        goal: Goal,
        free: Iterable[str],
        sequences: Sequences,
    ) -> None:
        shapes = {name: inputs[name].shape for name in spec.input_names}
        stages = build_stages(spec, shapes)
        self._stages = stages
        self._goal, self._sequences = goal, sequences
        pipeline = sections(stages)
        self.normalizing, self._normalize = pipeline.normalizing, pipeline.by_rule
        used = self._used = _upstream(stages, goal.step)
        known = used | ({READOUT} if goal.readout is not None else set())
        self.trained = tuple(name for name in free if name in known)
        needed = [stage for stage in stages if stage.name in used]
        varying = _downstream(needed, {*self.trained, *sequences.drawn})
        self._values = {name: inputs[name] for name in spec.input_names}
        if goal.readout is not None:
            self._values[READOUT] = goal.readout
        self._work = cost(spec, shapes) * (sequences.batch or 1)
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            for stage in needed:
                if stage.inputs and stage.name not in varying:
                    self._compute(stage, self._values)
        self._forward = [s for s in needed if s.inputs and s.name in varying]
        moved = _downstream(needed, set(self.trained))
        self._backward = [stage for stage in needed if stage.name in moved]
        self._target = goal.target(sequences.own) if sequences.batch is None else None

    @property
    def trained_before_scores(self) -> tuple[str, ...]:
        """Those of `trained` that act through scores which become weights by a rule.

        None where something else than a normaliser makes the weights.
        """
        normalize = self._normalize
        return () if normalize is None else self.trained_before(normalize.name)

    def trained_before(self, step: str) -> tuple[str, ...]:
        """Return those of `trained` that the loss depends on through a step."""
        before = _upstream(self._stages, step) if step in self._used else set()
        return tuple(name for name in self.trained if name in before)

    def at(self, matrices: Mapping[str, Array], step: int) -> Slope:
        """Return the loss and its gradient.

        Parameters
        ----------
        matrices : mapping of str to ndarray
            The matrices that are trained.
        step : int
            The step, counted from one, whose tokens are used.
        """
        tokens = self._sequences.at(step)
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            values = self._computed(matrices, tokens)
            loss, on = self._compared(values, tokens)
            on_readout = on.pop(READOUT, None)
            gradients = backward(self._backward, values, on)
        for name in self._sequences.drawn:
            if name in gradients:
                rows = self._sequences.rows(name, tokens)  # (batch, tokens)
                count = len(self._values[name])
                gradients[name] = gathered(gradients[name], rows, count)
        if on_readout is not None:
            gradients[READOUT] = on_readout
        return Slope(loss, {name: gradients[name] for name in self.trained})

    def rows(self, matrices: Mapping[str, Array], step: int) -> Rows:
        """Return what passes through the normaliser that makes the weights.

        The parameters are those of `at`; of a batch, it is that of the first sequence.
        """
        normalize = self._normalize
        assert normalize is not None
        tokens, name = self._sequences.at(step), normalize.name
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            values = self._computed(matrices, tokens)
            loss, on = self._compared(values, tokens)
            later = _downstream(self._forward, {name}) - {name}
            after = [stage for stage in self._forward if stage.name in later]
            # The weights count as given: the gradient ends there.
            on_weights = backward([Given(name), *after], values, on)[name]
            weights = values[name]
            read = [values[name] for name in normalize.inputs]
            on_scores, *_ = normalize.backward(read, weights, on_weights)
        assert on_scores is not None
        first = 0 if self._sequences.batch is not None else ...
        return Rows(weights[first], on_weights[first], on_scores[first], loss)

    def _computed(
        self, matrices: Mapping[str, Array], tokens: Tokens
    ) -> dict[str, Array]:
        """Return every step that is needed, and the inputs."""
        values = {**self._values, **matrices}
        for name in self._sequences.drawn:
            values[name] = values[name][self._sequences.rows(name, tokens)]
        for stage in self._forward:
            self._compute(stage, values)
        return values

    def _compared(
        self, values: Mapping[str, Array], tokens: Tokens
    ) -> tuple[float, dict[str, Array]]:
        """Return the loss, and its gradient on the compared step and the readout."""
        goal = self._goal
        target = goal.target(tokens) if self._target is None else self._target
        numbers = values[goal.step]
        if goal.readout is None:
            loss, gradient = goal.loss(numbers, target)
            return loss, {goal.step: gradient}
        readout = values[READOUT]  # (columns, classes)
        outputs = numbers[..., :-1, :]  # (..., n - 1, columns)
        loss, on_logits = goal.loss(outputs @ readout, target)
        gradient = np.zeros_like(numbers)
        gradient[..., :-1, :] = on_logits @ readout.T
        flat = outputs.reshape(-1, outputs.shape[-1])  # (rows of all, columns)
        on_readout = flat.T @ on_logits.reshape(-1, on_logits.shape[-1])
        return loss, {goal.step: gradient, READOUT: on_readout}

    def _compute(self, stage: Stage, values: dict[str, Array]) -> None:
        inputs = (values[name] for name in stage.inputs)
        values[stage.name] = stage.forward(Part(), *inputs)


def _upstream(stages: Iterable[Stage], step: str) -> set[str]:
    """Return the names of a step and of all that it is computed from."""
    by_name = {stage.name: stage for stage in stages}
    found, left = set[str](), [step]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += by_name[name].inputs
    return found


def _downstream(stages: Iterable[Stage], names: set[str]) -> set[str]:
    """Return names of steps, and of all later stages that depend on them."""
    found = set(names)
    for stage in stages:
        if found.intersection(stage.inputs):
            found.add(stage.name)
    return found
