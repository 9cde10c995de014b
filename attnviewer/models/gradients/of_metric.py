"""Gradients of metrics on the last hidden states of a run."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.patching.metrics import (
    EmbeddingCosine,
    Logit,
    Metric,
    Probability,
)
from attnviewer.models.pooling import pooled, supported
from attnviewer.models.prediction_head import PredictionHead
from attnviewer.models.trace import ModelTrace


def on_hidden_states(run: ModelTrace, metric: Metric) -> Array:
    """Return the gradient of a metric on the run's last hidden state, after its norm.

    Parameters
    ----------
    run : ModelTrace
        The run.
    metric : Logit, Probability or EmbeddingCosine
        The metric; the reference of a cosine is a constant.

    Returns
    -------
    ndarray of float32, shape (n, d_model)

    Raises
    ------
    TypeError
        If it is another metric.
    ValueError
        If the model does not have the metric, or an embedding is zero.
    IndexError
        If the run has no such position.
    """
    if isinstance(metric, EmbeddingCosine):
        return _of_cosine(run, metric)
    if not isinstance(metric, Logit | Probability):
        raise TypeError(
            "The 'metric' must be a Logit, a Probability or an EmbeddingCosine to have "
            f"gradients. Got {metric!r} instead."
        )
    logits = run.next_logits(metric.position).astype(np.float64)  # (n_tokens,)
    on_logits = _of_logits(run, metric, len(logits))  # (n_tokens,)
    cap = run.model.architecture.logit_cap
    if cap is not None:
        on_logits *= 1 - (logits / cap) ** 2
    on_states = np.zeros_like(run.last_hidden_state)  # (n, d_model)
    model = run.model
    on_row = model.weights.logits_backward(on_logits.astype(np.float32)[np.newaxis])
    if model.architecture.head is not None:
        row = run.last_hidden_state[metric.position][np.newaxis]  # (1, d_model)
        head = PredictionHead.of(model.weights, model.architecture)
        on_row = head.backward(on_row, row)
    on_states[metric.position] = on_row[0]
    return on_states


def _of_logits(run: ModelTrace, metric: Logit | Probability, count: int) -> Array:
    """Return the gradient on the logits after the metric's token, (n_tokens,)."""
    token = run.model.id_of(metric.token)
    on = np.zeros(count)
    on[token] += 1
    if isinstance(metric, Probability):
        shares = run.next_probabilities(metric.position)  # (n_tokens,)
        on = (on - shares) * shares[token]
    elif metric.minus is not None:
        on[run.model.id_of(metric.minus)] -= 1
    return on


def _of_cosine(run: ModelTrace, metric: EmbeddingCosine) -> Array:
    """Return (a/‖a‖ − c b/‖b‖) / ‖b‖, with the cosine c of a and b, for each token."""
    model, states = run.model, run.last_hidden_state
    pooling = supported(model.pooling, model.kind, model.architecture.family)
    # Scaled to unit length or not, the cosine is the same.
    own = pooled(states, pooling._replace(normalized=False), run.ids)  # (d_model,)
    projection = model.weights.projection
    if projection is not None:
        own = own @ projection  # (d_projection,)
    fixed = _direction("reference", metric.reference.sentence_embedding)  # (d_model,)
    direction = _direction("run", own)  # (d_model,)
    length = np.linalg.norm(own.astype(np.float64))
    on_own = (fixed - (fixed @ direction) * direction) / length  # (d_model,)
    if projection is not None:
        on_own = projection @ on_own  # (d_model,)
    on_states = np.zeros_like(states)  # (n, d_model)
    tokens = pooling.tokens(run.ids)  # (m,)
    on_states[tokens] = on_own / len(tokens)
    return on_states


def _direction(of: str, embedding: Array) -> Array:
    """Return an embedding at unit length in double precision, (d_model,)."""
    length = np.linalg.norm(embedding.astype(np.float64))
    if not length:
        raise ValueError(
            f"The sentence embedding of the {of} must not be zero to have a cosine. "
            "Got 0 in every column instead."
        )
    unit: Array = embedding.astype(np.float64) / length
    return unit
