"""The effect of changed weights, or of another sentence, on a whole model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.experiment import Experiment
from attnviewer.models.predicted_classes import PredictedClass
from attnviewer.models.trace import ModelTrace

COUNT = 10
"""How many of the most probable tokens are listed, of each of two runs."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTokens:
    """The tokens that a model predicts, before and after a change.

    Parameters
    ----------
    position : int
        The token after which a decoder predicts, counted from zero; the one in whose
        place a head for masked tokens does.
    ids : tuple of int
        The m tokens that are among the most probable before or after, ordered by
        probability after the change.
    tokens : tuple of str
        The tokens in readable form.
    before, after : ndarray, shape (m,)
        The probability of each.
    distance : float
        The total variation distance of all probabilities, ½ Σ |after − before|: how
        much probability has moved from some tokens to others, 0 to 1.

    References
    ----------
    Levin, Peres and Wilmer, "Markov Chains and Mixing Times", section 4.1.
    """

    position: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    before: Array
    after: Array
    distance: float

    @property
    def labels(self) -> tuple[str, ...]:
        """The tokens."""
        return self.tokens


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The classes that a classifier predicts, before and after a change.

    Parameters
    ----------
    position : int or None
        The token that is classified, counted from zero; None for the whole sequence.
    ids : tuple of int
        The m classes, ordered by their numbers after the change.
    labels : tuple of str
        Their names.
    before, after : ndarray, shape (m,)
        The probability of each; of a number that is no class, the number.
    """

    position: int | None
    ids: tuple[int, ...]
    labels: tuple[str, ...]
    before: Array
    after: Array


@dataclass(frozen=True, slots=True)
class EmbeddingSimilarity:
    """The similarity of two sentence embeddings.

    Parameters
    ----------
    cosine : float
        The cosine of the angle between them; NaN where one of them is zero.
    distance : float
        The Euclidean length of their difference.
    """

    cosine: float
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class ModelEffect:
    """The effect of a change on a model, in a few numbers.

    Parameters
    ----------
    layers : ndarray, shape (n_layers + 1,), or None
        How much the hidden states changed, ‖after − before‖ / ‖before‖ in the
        Frobenius norm: the embeddings', then those after each layer. None where the
        two sentences have different numbers of tokens.
    next_tokens : NextTokens or None
        The predictions of a decoder, or of a head for masked tokens.
    similarity : EmbeddingSimilarity or None
        The similarity of an encoder's embeddings.
    missing : str
        Why there is nothing of these; "" otherwise.
    classes : Classes or None
        The predictions of a classifier.
    """

    layers: Array | None
    next_tokens: NextTokens | None = None
    similarity: EmbeddingSimilarity | None = None
    missing: str = ""
    classes: Classes | None = None

    @property
    def predicted(self) -> NextTokens | Classes | None:
        """The predicted quantity."""
        return self.next_tokens if self.classes is None else self.classes


def effect_of(experiment: Experiment, position: int = -1) -> ModelEffect:
    """Return how the run of an experiment differs from the one it is compared with.

    If it is compared with nothing, before equals after.

    Parameters
    ----------
    experiment : Experiment
        The runs, which are computed completely.
    position : int
        The token after which a decoder predicts; by default the last one.

    Raises
    ------
    IndexError
        If there is no such token.
    """
    return effect_between(experiment.run, experiment.compared, position)


def effect_between(
    after: ModelTrace, before: ModelTrace | None, position: int = -1
) -> ModelEffect:
    """Return how a run of a model differs from another one.

    Parameters
    ----------
    after : ModelTrace
        The run, which is computed completely.
    before : ModelTrace or None
        The run it is compared with; itself if None.
    position : int
        The token after which a decoder predicts; by default the last one.

    Raises
    ------
    IndexError
        If there is no such token.
    """
    # Changed weights may overflow float32.
    with np.errstate(over="ignore", invalid="ignore"):
        return _outcome(after, before, position)


def similarity(before: Array, after: Array) -> EmbeddingSimilarity:
    """Return the similarity of two sentence embeddings, each of shape (d_model,)."""
    was, now = before.astype(np.float64), after.astype(np.float64)  # (d_model,)
    lengths = _norm(was) * _norm(now)
    cosine = float(was @ now) / lengths if lengths else np.nan
    return EmbeddingSimilarity(float(np.clip(cosine, -1, 1)), _norm(now - was))


def relative_changes(before: Array, after: Array) -> Array:
    """Return how much each row changed, ‖after − before‖ / ‖before‖, shape (n,).

    Parameters
    ----------
    before, after : ndarray, shape (n, d_model)
        The rows; the change of one that was zero is infinite.
    """
    pairs = zip(before, after, strict=True)
    return np.array([_relative(was, now) for was, now in pairs])  # (n,)


def next_tokens(
    experiment: Experiment, position: int = -1, count: int = COUNT
) -> NextTokens:
    """Return a decoder's predictions after a token, before and after a change.

    Parameters
    ----------
    experiment : Experiment
        The runs.
    position : int
        The token of its run. In a compared sentence of another length, its last token
        is used.
    count : int
        How many of the most probable tokens to list, before and after.

    Raises
    ------
    IndexError
        If there is no such token.
    ValueError
        If the model predicts no tokens.
    """
    return _predictions(experiment.run, experiment.compared, position, count)


def predicted(
    run: ModelTrace, compared: ModelTrace | None, position: int
) -> NextTokens | Classes | None:
    """Return what a run predicts for a token, before and after a change.

    Parameters
    ----------
    run : ModelTrace
        The run.
    compared : ModelTrace or None
        The run it is compared with; itself if None.
    position : int
        The token, as in `next_tokens`.

    Returns
    -------
    NextTokens or Classes or None
        None of an encoder without a head.

    Raises
    ------
    IndexError
        If there is no such token.
    ValueError
        If a decoder predicts no tokens.
    """
    head = run.model.architecture.head
    if head is None and run.model.kind == "encoder":
        return None
    if head is None or head.predicts == "tokens":
        return _predictions(run, compared, position)
    here = range(len(run.ids))[position] if head.reads == "each" else None
    after = run.classes(position)
    numbers = _numbers(after)
    before = numbers
    if compared is not None:
        there = position if len(compared.ids) == len(run.ids) else -1
        before = _numbers(compared.classes(there))
    ids = tuple(found.id for found in after)
    return Classes(
        here,
        ids,
        tuple(found.label for found in after),
        np.array([before[id] for id in ids]),
        np.array([numbers[id] for id in ids]),
    )


def _numbers(classes: Sequence[PredictedClass]) -> dict[int, float]:
    """Return the probability of each class; of a number that is no class, itself."""
    return {
        found.id: found.logit if np.isnan(found.probability) else found.probability
        for found in classes
    }


def _predictions(
    run: ModelTrace, compared: ModelTrace | None, position: int, count: int = COUNT
) -> NextTokens:
    here = range(len(run.ids))[position]
    after = before = run.next_probabilities(here)  # (n_tokens,)
    if compared is not None:
        there = here if len(compared.ids) == len(run.ids) else -1
        before = compared.next_probabilities(there)
    order = np.argsort(-after, kind="stable")  # (n_tokens,)
    likely = set(order[:count].tolist())
    likely.update(np.argsort(-before, kind="stable")[:count].tolist())
    ids = [id for id in order.tolist() if id in likely]
    return NextTokens(
        here,
        tuple(ids),
        run.model.readable(run.model.names(ids)),
        before[ids],
        after[ids],
        float(np.abs(after - before).sum() / 2),
    )


def _outcome(
    after: ModelTrace, before: ModelTrace | None, position: int
) -> ModelEffect:
    layers = _layers(after, before)
    try:
        found = predicted(after, before, position)
    except ValueError as error:
        return ModelEffect(layers, missing=str(error))
    effect = with_predicted(ModelEffect(layers), found)
    if after.model.kind == "decoder":
        return effect
    try:
        was = (before or after).sentence_embedding  # (d_model,)
        alike = similarity(was, after.sentence_embedding)
    except ValueError as error:
        return effect if found is not None else replace(effect, missing=str(error))
    return replace(effect, similarity=alike)


def with_predicted(
    effect: ModelEffect, found: NextTokens | Classes | None
) -> ModelEffect:
    """Return an effect with other predictions."""
    if isinstance(found, Classes):
        return replace(effect, classes=found)
    return replace(effect, next_tokens=found)


def _layers(after: ModelTrace, before: ModelTrace | None) -> Array | None:
    if before is None:
        return np.zeros(after.model.n_layers + 1)
    if len(before.ids) != len(after.ids):
        return None
    pairs = zip(before.hidden_states, after.hidden_states, strict=True)
    return np.array([_relative(was, now) for was, now in pairs])


def _relative(was: Array, now: Array) -> float:
    """Return by how much hidden states changed; inf where they were zero."""
    change, length = _norm(now - was), _norm(was)
    if not change:
        return 0.0
    return change / length if length else np.inf


def _norm(rows: Array) -> float:
    return float(np.linalg.norm(rows.astype(np.float64)))
