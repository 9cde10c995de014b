"""A run of a model over a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute import Array, Pin, Spec, Trace, check_pins
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.validate import check_inputs
from attnviewer.models.blocks import (
    ATTENTION_PARTS,
    FEED_PARTS,
    add_branch,
    apply_norm,
    attention_of,
    embed,
    feed_forward_branch,
)
from attnviewer.models.changes import Changes, copied, locked, replacements
from attnviewer.models.hidden_states import HiddenStates
from attnviewer.models.next_token import NextToken, most_probable, probabilities
from attnviewer.models.pooling import pooled, supported
from attnviewer.models.run_html import run_html, run_text
from attnviewer.models.tokenizing import Encoded

if TYPE_CHECKING:
    from attnviewer.models.model import Model

# Overflow, and non-finite numbers in the file, are reported as errors.
_quiet = np.errstate(over="ignore", invalid="ignore")


class ModelTrace:
    """What a model computes for one sentence, layer by layer, in float32.

    Made by `Model.run`. Everything is computed on first access, and no further than
    needed; hidden states are kept.

    Parameters
    ----------
    model : Model
        The model.
    encoded : Encoded
        The sentence.
    changes : mapping of int to mapping of str to ndarray
        Attention weights that replace the model's, by layer and name.
    streams : iterable of ndarray
        Results of `stream` that are known already, from the embeddings on.
    pins : mapping of int to tuple of Pin
        Pins of the attention, by layer.

    Attributes
    ----------
    ids : tuple of int
        The tokens' ids.
    tokens : tuple of str
        The tokens as the tokenizer spells them, special ones included.
    model, encoded, changes, pins
        The parameters.
    """

    def __init__(
        self,
        model: "Model",
        encoded: Encoded,
        changes: Changes = MappingProxyType({}),
        streams: tuple[Array, ...] = (),
        pins: Mapping[int, tuple[Pin, ...]] = MappingProxyType({}),
    ) -> None:
        self.model = model
        self.encoded = encoded
        self.ids = encoded.ids
        self.tokens = encoded.tokens
        self.changes, self.pins = changes, pins
        self._streams = list(streams)

    def __reduce__(self) -> tuple[object, ...]:
        parts = self.model, self.encoded, copied(self.changes)
        return _run_again, (*parts, tuple(self._streams), dict(self.pins))

    def _repr_html_(self) -> str:
        return run_html(self)

    def __repr__(self) -> str:
        return run_text(self)

    @property
    def hidden_states(self) -> HiddenStates:
        """Hidden states (n, d_model): the embeddings, then those after each layer.

        As in transformers, the last one of a decoder is taken after its final norm.
        """
        return HiddenStates(self.model.n_layers + 1, self._hidden_state)

    def stream(self, layer: int) -> Array:
        """Return the residual stream that enters a layer, shape (n, d_model).

        Parameters
        ----------
        layer : int
            The layer from 0; the number of layers for the output of the last one.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a number up to there is not finite.
        """
        layer = self._layer(layer, self.model.n_layers)
        with one_blas_thread():
            while len(self._streams) <= layer:
                rows = self._next() if self._streams else self._embedded()
                check_numbers(self._called(len(self._streams)), rows)
                rows.flags.writeable = False
                self._streams.append(rows)
        return self._streams[layer]

    def attention(self, layer: int) -> Trace:
        """Return the attention of a layer with every step.

        Parameters
        ----------
        layer : int
            The layer, counted from zero.

        Returns
        -------
        Trace
            As `multi_head_attention` returns it: ``X`` (the layer's input after its
            norm), the weights, ``Q``, ``K``, ``V`` … ``weights`` (h, n, n), ``heads``
            (h, n, d_head), ``concatenated`` (n, h·d_head) and ``output`` (n, d_model),
            before the residual is added.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If one of its numbers is not finite.
        """
        layer = self._layer(layer)
        x, weights, spec = self._x(layer), self.weights(layer), self.spec(layer)
        check_inputs(spec, {"X": x, **weights})
        return attention_of(spec, x, weights)

    @_quiet
    def after_attention(self, layer: int) -> Array:
        """Return the stream between attention and feed-forward layer, (n, d_model).

        After the norm if that follows the sum (BERT).

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a number up to the layer is not finite.
        """
        layer = self._layer(layer)
        trace = attention_of(self.spec(layer), self._x(layer), self.weights(layer))
        norms = self.model.weights.layer(layer, ("attention_",))
        architecture, rows = self.model.architecture, self.stream(layer)
        return add_branch(rows, trace["output"], "attention", norms, architecture)

    def spec(self, layer: int) -> Spec:
        """Return the attention variant of a layer."""
        layer = self._layer(layer)
        spec = self.model.architecture.attention[layer]
        if layer in self.pins:
            spec = replace(spec, pins=self.pins[layer])
        more = [n for n in self.changes.get(layer, ()) if n.startswith("b_")]
        if not more:
            return spec
        return replace(spec, biases=tuple(dict.fromkeys((*spec.biases, *more))))

    def weights(self, layer: int) -> dict[str, Array]:
        """Return a layer's attention weights by name, including replaced ones.

        ``W_Q`` has the shape (d_model, h·d_head). They are read-only.
        """
        layer = self._layer(layer)
        own = self.model.weights.layer(layer, ATTENTION_PARTS)
        return {**own, **self.changes.get(layer, {})}

    def with_weights(self, layer: int, weights: Mapping[str, Array]) -> "ModelTrace":
        """Return the run over the same sentence with other weights in a layer.

        Nothing is computed yet; known results of earlier layers are shared.

        Parameters
        ----------
        layer : int
            The layer.
        weights : mapping of str to ndarray
            Those of ``W_Q``, ``W_K``, ``W_V``, ``W_O``, ``b_Q``, ``b_K``, ``b_V`` and
            ``b_O`` that differ, with their shapes in `weights`; b_O may be given even
            if the model has none. They replace those of earlier changes.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a name is unknown, or a shape or a number does not fit.
        """
        layer = self._layer(layer)
        shapes = {name: array.shape for name, array in self.weights(layer).items()}
        shapes.setdefault("b_O", (self.model.architecture.d_model,))
        changed = replacements(layer, weights, shapes)
        changes = dict(self.changes)
        changes[layer] = {**changes.get(layer, {}), **changed}
        known = tuple(self._streams[: layer + 1])
        return ModelTrace(self.model, self.encoded, changes, known, self.pins)

    def with_pins(self, layer: int, pins: Sequence[Pin]) -> "ModelTrace":
        """Return the run over the same sentence with other pins in a layer.

        Nothing is computed yet; known results of earlier layers are shared.

        Parameters
        ----------
        layer : int
            The layer.
        pins : sequence of Pin
            All pins of its attention, whose steps are those of `attention`.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a pin does not fit its step.
        """
        layer = self._layer(layer)
        others = {k: kept for k, kept in self.pins.items() if k != layer}
        every = {**others, layer: tuple(pins)} if pins else others
        known = tuple(self._streams[: layer + 1])
        run = ModelTrace(self.model, self.encoded, self.changes, known, every)
        shapes = {name: array.shape for name, array in run.weights(layer).items()}
        shapes["X"] = len(self.ids), self.model.architecture.d_model
        check_pins(run.spec(layer), shapes)
        return run

    @property
    def changed_layers(self) -> frozenset[int]:
        """The layers with replaced weights or pins."""
        return frozenset(self.changes) | frozenset(self.pins)

    def unchanged(self) -> "ModelTrace":
        """Return the run over the same sentence with the model's own weights."""
        if not self.changed_layers:
            return self
        first = min(self.changed_layers)
        return ModelTrace(
            self.model, self.encoded, streams=tuple(self._streams[: first + 1])
        )

    @property
    def logits(self) -> Array:
        """The logits of a decoder after each token, shape (n, n_tokens).

        Raises
        ------
        ValueError
            If the model predicts no tokens.
        """
        return self._logits(self.hidden_states[-1])

    def next_tokens(self, count: int = 10, position: int = -1) -> list[NextToken]:
        """Return the most probable tokens after one of the sentence's.

        Parameters
        ----------
        count : int
            How many, most probable first.
        position : int
            The token to predict after; by default the last one.

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the model predicts no tokens.
        """
        whole_number("count", count, 1)
        return most_probable(self.next_probabilities(position), count, self.model.names)

    def next_probabilities(self, position: int = -1) -> Array:
        """Return the next-token probabilities after a token, shape (n_tokens,).

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the model predicts no tokens.
        """
        try:
            here = range(len(self.ids))[position]
        except IndexError:
            raise IndexError(
                f"The 'position' must be one of {len(self.ids)} tokens, from 0 to "
                f"{len(self.ids) - 1}. Got {position} instead."
            ) from None
        (logits,) = self._logits(self.hidden_states[-1][here : here + 1])
        return probabilities(logits)

    @property
    def sentence_embedding(self) -> Array:
        """An encoder's embedding of the sentence, shape (d_model,).

        Pooled according to sentence-transformers' ``modules.json``; without it, the
        mean over the tokens.

        Raises
        ------
        ValueError
            If the model is a decoder, or its pooling is unsupported.
        """
        model = self.model
        pooling = supported(model.pooling, model.kind, model.architecture.family)
        return pooled(self.hidden_states[-1], pooling)

    @_quiet
    def _hidden_state(self, layer: int) -> Array:
        rows = self.stream(layer)
        if layer < self.model.n_layers:
            return rows
        parts = self.model.weights.norm("final")
        rows = apply_norm(rows, "final", parts, self.model.architecture)
        check_numbers("hidden states after the final norm", rows)
        return rows

    @_quiet
    def _logits(self, rows: Array) -> Array:
        if not self.model.weights.has_unembedding:
            raise ValueError(
                "The model must predict tokens, by a table of its own or that of its "
                f"embeddings. Got {self.model.architecture.family} without one instead."
            )
        with one_blas_thread():
            logits = self.model.weights.logits(rows)  # (n, n_tokens)
        check_numbers("logits", logits)
        cap = self.model.architecture.logit_cap
        if cap is not None:
            logits = np.float32(cap) * np.tanh(logits / np.float32(cap))
        return logits

    @_quiet
    def _embedded(self) -> Array:
        return embed(self.model.weights, self.model.architecture, self.ids)

    @_quiet
    def _next(self) -> Array:
        """Return the stream after the last layer that is known."""
        layer = len(self._streams) - 1
        model, rows = self.model, self.after_attention(layer)
        parts = model.weights.layer(layer, FEED_PARTS)
        inner = apply_norm(rows, "feed_input", parts, model.architecture)
        branch = feed_forward_branch(inner, parts, model.architecture)
        return add_branch(rows, branch, "feed", parts, model.architecture)

    @_quiet
    def _x(self, layer: int) -> Array:
        """Return the input of a layer's attention, shape (n, d_model)."""
        norms = self.model.weights.layer(layer, ("attention_input",))
        return apply_norm(
            self.stream(layer), "attention_input", norms, self.model.architecture
        )

    def _layer(self, layer: int, last: int | None = None) -> int:
        last = self.model.n_layers - 1 if last is None else last
        if 0 <= (number := whole_number("layer", layer)) <= last:
            return number
        raise IndexError(f"The 'layer' must be from 0 to {last}. Got {number} instead.")

    @staticmethod
    def _called(layer: int) -> str:
        return f"hidden states after layer {layer - 1}" if layer else "embeddings"


def _run_again(
    model: "Model",
    encoded: Encoded,
    changes: Changes,
    streams: tuple[Array, ...],
    pins: Mapping[int, tuple[Pin, ...]],
) -> ModelTrace:
    """Rebuild the run of a pickle."""
    for rows in streams:
        rows.flags.writeable = False
    return ModelTrace(model, encoded, locked(changes), streams, pins)
