"""The effect of changed weights, or of another sentence, on a whole model."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.experiment import Experiment
from attnviewer.models.trace import ModelTrace

COUNT = 10
"""How many of the most probable tokens are listed, of each of two runs."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTokens:
    """The next tokens that a decoder predicts, before and after a change.

    Parameters
    ----------
    position : int
        The token after which they are predicted, counted from zero.
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
        The predictions of a decoder.
    similarity : EmbeddingSimilarity or None
        The similarity of an encoder's embeddings.
    missing : str
        Why there is neither; "" otherwise.
    """

    layers: Array | None
    next_tokens: NextTokens | None = None
    similarity: EmbeddingSimilarity | None = None
    missing: str = ""


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
        if after.model.kind == "decoder":
            return ModelEffect(
                layers, next_tokens=_predictions(after, before, position)
            )
        was = (before or after).sentence_embedding  # (d_model,)
        return ModelEffect(layers, similarity=similarity(was, after.sentence_embedding))
    except ValueError as error:
        return ModelEffect(layers, missing=str(error))


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
