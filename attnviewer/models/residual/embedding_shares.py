"""Attribution of a sentence embedding to components."""

from collections.abc import Iterator

import numpy as np

from attnviewer.models.outputs import Outputs
from attnviewer.models.pooling import pooled, supported
from attnviewer.models.residual.contributions import Contributions
from attnviewer.models.residual.decomposition import output_components
from attnviewer.models.residual.writes import writes_below

AT_ONCE = 2**20
"""Numbers of components to compute at a time."""


def embedding_shares(run: Outputs) -> Contributions:
    """Split the length of a sentence embedding over the components of the last stream.

    With the embedding e and component p_a pooled in the same way, it contributes
    p_a · e / ‖e‖: its length in the direction of the embedding. The terms sum to ‖e‖,
    which is 1 if the embedding is scaled to unit length; the factor of that is frozen,
    as are the scales of norms, see `components`.

    Parameters
    ----------
    run : ModelTrace
        The run of an encoder.

    Returns
    -------
    Contributions
        With ``embedding``, ``heads`` (n_layers, n_heads), ``mlps`` (n_layers,) and
        ``biases``.

    Raises
    ------
    ValueError
        If the model is a decoder, or its pooling is neither the mean nor the first
        token.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", for the
    components; Reimers and Gurevych 2019, "Sentence-BERT", section 3, for the pooling.
    """
    model = run.model
    pooling = supported(model.pooling, model.kind, model.architecture.family)
    states = run.last_hidden_state.astype(np.float64)  # (n, d_model)
    row = pooled(states, pooling._replace(normalized=False), run.ids)  # (d_model,)
    projection = model.weights.projection
    if projection is not None:
        row = row @ projection  # (d_projection,)
    length = max(float(np.linalg.norm(row)), 1e-12)
    direction = row / length / (length if pooling.normalized else 1.0)
    if projection is not None:
        direction = projection @ direction  # (d_model,)
    tokens = pooling.tokens(run.ids)  # (m,)
    layers = writes_below(run, model.n_layers, tokens)
    values = np.zeros(1)  # (1,), then (c,)
    for some in _blocks(run, len(tokens)):
        own = [writes.at(some) for writes in layers]
        parts = output_components(run, tokens[some], own)
        values = values + (parts.values @ direction).sum(axis=1)
    return Contributions(
        "length of the sentence embedding", parts.components, values / len(tokens)
    )


def _blocks(run: Outputs, count: int) -> Iterator[slice]:
    """Yield ranges of tokens whose components are not too many numbers."""
    architecture = run.model.architecture
    per_token = run.model.n_layers * (architecture.n_heads + 4) * architecture.d_model
    at_once = max(1, AT_ONCE // per_token)
    for first in range(0, count, at_once):
        yield slice(first, first + at_once)
