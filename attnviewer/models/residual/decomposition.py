"""The decomposition of a run's residual stream."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.blocks import position_rows
from attnviewer.models.outputs import Outputs
from attnviewer.models.picture_embedding import picture_embedding
from attnviewer.models.residual.component import Component
from attnviewer.models.residual.components import Components
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.replaced_rows import ReplacedRows
from attnviewer.models.residual.row_sum import RowSum
from attnviewer.models.residual.writes import LayerWrites, writes_below
from attnviewer.models.token_positions import token_position


def components(
    run: Outputs, layer: int, positions: int | Sequence[int] | None = None
) -> Components:
    """Return what each earlier part wrote into the stream that enters a layer.

    The stream x is the sum of the embeddings, of each head's part of
    ``concatenated @ W_O``, of b_O, and of the output of each MLP, biases included.

    Norms stand in the way where a family has them on the stream itself (BERT, whose
    norms follow each sum), after the embeddings, or after a branch (Gemma 2). Each is
    applied to every part x_a of its input x with the scale that it has in this run,
    (x_a − mean(x_a)) · weight / σ(x), and its bias is a component of its own: so it is
    linear, and the parts still sum to the stream. A part is therefore what is left of
    it here, after all norms since it was written. How the stream would change without
    it is another question, as the scales would change, too.

    Where the run replaces the stream of a token, what replaces it is a component, and
    those before are 0; other replaced activations are the components themselves.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer from 0; the number of layers for the output of the last one.
    positions : int or sequence of int, optional
        The m tokens, counted from zero, negative ones from the end; all by default.

    Returns
    -------
    Components
        With ``values`` (c, m, d_model), which sum to ``run.stream(layer)``.

    Raises
    ------
    IndexError
        If there is no such layer or token.
    ValueError
        If a number up to there is not finite.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
    """
    if positions is None:
        positions = range(len(run.ids))
    chosen = positions if isinstance(positions, Sequence | np.ndarray) else [positions]
    tokens = np.array(
        [token_position(p, len(run.ids), "positions") for p in chosen], np.intp
    )
    return stream_sum(run, tokens, writes_below(run, layer, tokens)).components()


def stream_sum(
    run: Outputs, tokens: NDArray[np.intp], layers: Sequence[LayerWrites]
) -> RowSum:
    """Return the stream of some tokens after the first layers, as a sum.

    Parameters
    ----------
    run : ModelTrace
        The run.
    tokens : ndarray of int, shape (m,)
        The positions of the tokens.
    layers : sequence of LayerWrites
        What the layers write for them.
    """
    with one_blas_thread():
        stream = _embedded(run, tokens)
        _replace(stream, run, "stream", 0, tokens)
        for layer, writes in enumerate(layers):
            norms, bias = writes.norms, Component("attention_norm", layer)
            branch = _attention(run, layer, tokens, writes)
            branch.norm(norms["attention_output"], bias)
            stream.add_sum(branch)
            stream.norm(norms["attention_sum"], bias)
            _replace(stream, run, "after_attention", layer, tokens)
            bias = Component("mlp_norm", layer)
            branch = _empty(run, tokens)
            branch.add([Component("mlp", layer)], writes.mlp)
            branch.norm(norms["feed_output"], bias)
            stream.add_sum(branch)
            stream.norm(norms["feed_sum"], bias)
            _replace(stream, run, "stream", layer + 1, tokens)
    return stream


def output_components(
    run: Outputs, tokens: NDArray[np.intp], layers: Sequence[LayerWrites]
) -> Components:
    """Return the components of the last hidden states, after the final norm.

    The parameters are those of `stream_sum`, with what every layer writes.
    """
    model = run.model
    rows, parts = run.stream(model.n_layers)[tokens], model.weights.norm("final")
    norm = FrozenNorm.of(rows, "final", parts, model.architecture)
    stream = stream_sum(run, tokens, layers)
    stream.norm(norm, Component("final_norm"))
    return stream.components()


def _replace(
    stream: RowSum,
    run: Outputs,
    kind: Literal["stream", "after_attention"],
    layer: int,
    tokens: NDArray[np.intp],
) -> None:
    """Replace the rows of a stream that the run replaces."""
    replaced = ReplacedRows.of(run, kind, layer, tokens)
    if replaced is not None:
        stream.replace(replaced, Component(kind, layer))


def _empty(run: Outputs, tokens: NDArray[np.intp]) -> RowSum:
    return RowSum(tokens, run.model.architecture.d_model)


def _embedded(run: Outputs, tokens: NDArray[np.intp]) -> RowSum:
    """Return the embeddings of tokens as a sum."""
    architecture, weights = run.model.architecture, run.model.weights
    if run.encoded.picture is not None:
        rows = picture_embedding(weights, architecture, run.encoded.picture)
        embedded = _empty(run, tokens)
        embedded.add([Component("token")], rows.tokens[tokens])
        embedded.add([Component("position")], rows.positions[tokens])
    else:
        embedded = _table_rows(run, tokens)
    _norm_embedded(embedded, run, "embedding")
    if projection := weights.dense("embedding"):
        bias = projection.get("b")
        embedded.project(projection["W"], bias, Component("embedding_bias"))
    _norm_embedded(embedded, run, "projected")
    return embedded


def _table_rows(run: Outputs, tokens: NDArray[np.intp]) -> RowSum:
    """Return the rows of the tables of tokens, positions and types as a sum."""
    architecture, weights = run.model.architecture, run.model.weights
    ids = np.array(run.ids, np.intp)  # (n,)
    own = weights.rows("tokens", ids[tokens])  # (m, d_embedding)
    own *= np.float32(architecture.embedding_scale)
    embedded = RowSum(tokens, own.shape[1])
    embedded.add([Component("token")], own)
    if architecture.n_positions is not None:
        places = weights.rows("places", position_rows(architecture, ids)[tokens])
        embedded.add([Component("position")], places)
    if architecture.n_types:
        first = weights.rows("types", np.zeros(1, np.intp))  # (1, d_embedding)
        embedded.add([Component("type")], first)
    return embedded


def _norm_embedded(embedded: RowSum, run: Outputs, name: str) -> None:
    parts, architecture = run.model.weights.norm(name), run.model.architecture
    norm = FrozenNorm.of(embedded.total(), name, parts, architecture)
    embedded.norm(norm, Component("embedding_norm"))


def _attention(
    run: Outputs, layer: int, tokens: NDArray[np.intp], writes: LayerWrites
) -> RowSum:
    """Return the output of a layer's attention as a sum."""
    weights, n_heads = run.weights(layer), run.model.n_heads
    heads = writes.concatenated.reshape(len(tokens), n_heads, -1)  # (m, h, d_head)
    W_O = weights["W_O"].reshape(n_heads, heads.shape[-1], -1)  # (h, d_head, d_model)
    output = _empty(run, tokens)
    output.add(
        [Component("head", layer, head) for head in range(n_heads)],
        np.matmul(heads.swapaxes(0, 1), W_O),
    )
    if "b_O" in weights:
        output.add([Component("attention_bias", layer)], weights["b_O"])
    if writes.pins is not None:
        output.add([Component("pins", layer)], writes.pins)
    return output
