"""The forward pass of a model over a sentence, layer by layer."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from attnviewer.compute import Array, Pin, Shape, Spec, Trace
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.numbers import check_numbers, in_words
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.validate import check_inputs
from attnviewer.models.activations.replacement import Replaced, with_replaced
from attnviewer.models.activations.site import Kind, Site
from attnviewer.models.beside import Beside
from attnviewer.models.blocks import (
    ATTENTION_INPUTS,
    FEED_PARTS,
    add_branch,
    apply_norm,
    attention_of,
    embed,
    feed_forward_branch,
)
from attnviewer.models.changes import Changes
from attnviewer.models.hidden_states import HiddenStates
from attnviewer.models.parts import own_part
from attnviewer.models.picture_embedding import embed_picture
from attnviewer.models.tokenizing import Encoded

if TYPE_CHECKING:
    from attnviewer.models.model import Model

# Overflow, and non-finite numbers in the file, are reported as errors.
quiet = np.errstate(over="ignore", invalid="ignore")


class ForwardPass:
    """The computation of the layers of a model for one sentence, in float32.

    Everything is computed on first access, and no further than needed; hidden states
    are kept. Parameters and attributes are those of `ModelTrace`.
    """

    def __init__(
        self,
        model: "Model",
        encoded: Encoded,
        changes: Changes = MappingProxyType({}),
        streams: tuple[Array, ...] = (),
        pins: Mapping[int, tuple[Pin, ...]] = MappingProxyType({}),
        replaced: Replaced = MappingProxyType({}),
        beside: Beside | None = None,
    ) -> None:
        self.model = model
        self.encoded = encoded
        self.ids = encoded.ids
        self.tokens = encoded.tokens
        self.changes, self.pins = changes, pins
        self.replaced = replaced
        self.beside = beside
        self._streams = list(streams)
        # As long as others keep them: the next layer then needs no second computation.
        self._traces: WeakValueDictionary[int, Trace] = WeakValueDictionary()
        # Of layers whose stream is still to come, where nobody keeps the trace.
        self._outputs: dict[int, Array] = {}

    @property
    def hidden_states(self) -> HiddenStates:
        """Hidden states (n, d_model): the embeddings, then those after each layer.

        As in transformers, the last one of a decoder is taken after its final norm;
        that of CLIP and of vision models before it.
        """
        return HiddenStates(self.model.n_layers + 1, self._hidden_state)

    @property
    @quiet
    def last_hidden_state(self) -> Array:
        """The hidden states after the last layer and the final norm, (n, d_model)."""
        parts = self.model.weights.norm("final")
        rows = self.stream(self.model.n_layers)
        rows = apply_norm(rows, "final", parts, self.model.architecture)
        check_numbers("hidden states after the final norm", rows)
        return rows

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
                rows = self._with_replaced("stream", len(self._streams), rows)
                self._check(len(self._streams), rows)
                rows.flags.writeable = False
                self._outputs.pop(len(self._streams) - 1, None)
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
        known = self._traces.get(layer)
        if known is not None:
            return known
        with one_blas_thread():
            return self._traced(layer)

    def _traced(self, layer: int) -> Trace:
        """Compute the attention of a layer, and keep what is needed of it."""
        x, weights, spec = self._x(layer), self._inputs(layer), self.spec(layer)
        # The model's own weights do not change: they are checked once.
        checked, own = self.model.weights.checked, layer not in self.changes
        known = layer in checked
        if not (known and own) or layer in self.pins:
            self._check_attention(layer, spec, {"X": x, **weights}, numbers=not known)
        if own:
            checked.add(layer)
        trace = attention_of(spec, x, weights)
        self._traces[layer] = trace
        if len(self._streams) == layer + 1:
            self._outputs[layer] = trace["output"]
        return trace

    @quiet
    def after_attention(self, layer: int) -> Array:
        """Return the stream between attention and feed-forward layer, (n, d_model).

        After the norm if that follows the sum (BERT), and after the cross-attention of
        an encoder–decoder.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a number up to the layer is not finite.
        """
        layer = self._layer(layer)
        rows = self.stream(layer)
        for run in self._attentions:
            rows = run._attended(layer, rows)
        return self._with_replaced("after_attention", layer, rows)

    def feed_forward(self, layer: int) -> Array:
        """Return the output of a layer's feed-forward layer, shape (n, d_model).

        Before a norm that follows (Gemma 2), and before it is added to the stream.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a number up to the layer is not finite.
        """
        layer = self._layer(layer)
        return self._fed_forward(layer, self.before_feed_forward(layer))

    def before_feed_forward(self, layer: int, after: Array | None = None) -> Array:
        """Return the stream that a layer's feed-forward layer reads, (n, d_model).

        That after attention; in parallel layers, that before it.

        Parameters
        ----------
        layer : int
            The layer.
        after : ndarray, optional
            The result of `after_attention`, if it is known.
        """
        if self.model.architecture.parallel:
            return self.stream(layer)
        return self.after_attention(layer) if after is None else after

    def spec(self, layer: int) -> Spec:
        """Return the attention variant of a layer."""
        layer = self._layer(layer)
        spec = self.model.architecture.attention_of(layer, len(self.ids))
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
        own = self.model.weights.layer(layer, ATTENTION_INPUTS)
        return {**own, **self.changes.get(layer, {})}

    def attention_shapes(self, layer: int) -> dict[str, Shape]:
        """Return the shapes of the inputs of a layer's attention, X and weights."""
        shapes = {name: array.shape for name, array in self.weights(layer).items()}
        width = self.model.architecture.d_model
        if self.spec(layer).context:
            shapes["context"] = (len(self.key_tokens), width)
        return {"X": (len(self.ids), width), **shapes}

    @property
    def context(self) -> Array:
        """The hidden states that keys of cross-attention come from, (n_k, d_model).

        The encoder's hidden states after its last layer and its final norm.
        """
        assert self.beside is not None
        return self.beside.encoder.hidden_states[-1]

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens that the keys are of: the encoder's in cross-attention."""
        if self.beside is not None and self.spec(0).context:
            return self.beside.encoder.tokens
        return self.tokens

    def _hidden_state(self, layer: int) -> Array:
        apart = self.model.architecture.final_norm_is_apart
        if layer < self.model.n_layers or apart:
            return self.stream(layer)
        return self.model.weights.projected_out(self.last_hidden_state)

    @quiet
    def _embedded(self) -> Array:
        weights, architecture = self.model.weights, self.model.architecture
        picture = self.encoded.picture
        if picture is not None:
            return embed_picture(weights, architecture, picture)
        return embed(weights, architecture, self.ids)

    @quiet
    def _next(self) -> Array:
        """Return the stream after the last layer that is known."""
        layer = len(self._streams) - 1
        rows = self.after_attention(layer)
        branch = self._fed_forward(layer, self.before_feed_forward(layer, rows))
        norms = self.model.weights.layer(layer, ("feed_",))
        return add_branch(rows, branch, "feed", norms, self.model.architecture)

    @quiet
    def _fed_forward(self, layer: int, rows: Array) -> Array:
        """Return what the feed-forward layer makes of the stream, (n, d_model)."""
        model = self.model
        parts = model.weights.layer(layer, FEED_PARTS)
        inner = apply_norm(rows, "feed_input", parts, model.architecture)
        read = model.weights.read_expert(layer)
        branch = feed_forward_branch(inner, parts, model.architecture, read)
        return self._with_replaced("feed_forward", layer, branch)

    def _with_replaced(self, kind: Kind, layer: int, rows: Array) -> Array:
        """Return the rows of an activation with those that are replaced."""
        return with_replaced(self.replaced, Site(kind, layer), rows)

    @quiet
    def _x(self, layer: int) -> Array:
        """Return the input of a layer's attention, shape (n, d_model)."""
        rows = self.stream(layer)
        for run in self._attentions:
            if run is self:
                break
            rows = run._attended(layer, rows)
        return self._normed(layer, rows)

    def _normed(self, layer: int, rows: Array) -> Array:
        norms = self.model.weights.layer(layer, ("attention_input",))
        return apply_norm(rows, "attention_input", norms, self.model.architecture)

    def _attended(self, layer: int, rows: Array) -> Array:
        """Return the stream with what the attention of a layer adds, (n, d_model)."""
        output = self._attention_output(layer, rows)
        norms = self.model.weights.layer(layer, ("attention_",))
        return add_branch(rows, output, "attention", norms, self.model.architecture)

    def _attention_output(self, layer: int, rows: Array) -> Array:
        """Return the output of a layer's attention over a stream, (n, d_model)."""
        if layer in self._outputs:
            return self._outputs[layer]
        known = self._traces.get(layer)
        if known is not None:
            return known["output"]
        x = self._normed(layer, rows)
        return attention_of(self.spec(layer), x, self._inputs(layer))["output"]

    def _inputs(self, layer: int) -> dict[str, Array]:
        """Return the inputs of a layer's attention but X."""
        weights = self.weights(layer)
        if self.beside is not None and self.spec(layer).context:
            weights["context"] = self.context
        return weights

    @cached_property
    def _attentions(self) -> "tuple[ForwardPass, ...]":
        """The attentions of each layer in their order; this one, and perhaps another.

        Of an encoder–decoder, self-attention and then cross-attention.
        """
        if self.beside is None:
            return (self,)
        beside, model = self.beside, self.model
        is_cross = own_part(model.architecture) == "cross"
        other = ForwardPass(
            model.part("decoder" if is_cross else "cross"),
            self.encoded,
            beside.changes,
            (),
            beside.pins,
            beside=Beside(beside.encoder, self.changes, self.pins),
        )
        return (other, self) if is_cross else (self, other)

    def _check_attention(
        self, layer: int, spec: Spec, inputs: Mapping[str, Array], *, numbers: bool
    ) -> None:
        """Check the inputs of a layer's attention, and say which weights spoil them."""
        try:
            check_inputs(
                spec,
                inputs,
                lambda name: f"{in_words(name)} of layer {layer}",
                numbers=numbers,
            )
        except ValueError as error:
            found = self.model.weights.not_finite(layer)
            raise ValueError(f"{error}{found}") from None

    def _check(self, layer: int, rows: Array) -> None:
        """Check the stream that enters a layer, and say which weights spoil it."""
        try:
            check_numbers(self._called(layer), rows)
        except ValueError as error:
            found = self.model.weights.not_finite(layer - 1 if layer else None)
            raise ValueError(f"{error}{found}") from None

    def _layer(self, layer: int, last: int | None = None) -> int:
        last = self.model.n_layers - 1 if last is None else last
        if 0 <= (number := whole_number("layer", layer)) <= last:
            return number
        raise IndexError(f"The 'layer' must be from 0 to {last}. Got {number} instead.")

    @staticmethod
    def _called(layer: int) -> str:
        return f"hidden states after layer {layer - 1}" if layer else "embeddings"
