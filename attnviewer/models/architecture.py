"""The architecture that all families of models map to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from attnviewer.compute import Disentangled, RelativeBias, Spec
from attnviewer.models.extended_rotary import ExtendedRotary
from attnviewer.models.output_head import OutputHead
from attnviewer.models.vision import PictureInput


@dataclass(frozen=True, slots=True)
class Experts:
    """A feed-forward layer of several, of which a router chooses some for each token.

    Parameters
    ----------
    count, chosen : int
        How many there are, and how many a token goes through.
    alpha, limit : float
        Those of the clamped SwiGLU that they apply, see `clamped_swiglu`.
    """

    count: int
    chosen: int
    alpha: float
    limit: float


HEAD = "{head}"
"""Stands for the number of a head in the name of a part."""
Norm = Literal["layer", "rms"]
Kind = Literal["encoder", "decoder"]
Pooled = Literal["mean", "first", "end"]


@dataclass(frozen=True, slots=True)
class Architecture:
    """The parts of a transformer, and the names of its tensors.

    A block is ``x = sum_norm(x + output_norm(f(input_norm(x))))``, once with attention
    as f and once with the feed-forward layer; families have some of these norms.

    Parameters
    ----------
    family : str
        The family's name, such as ``Llama``.
    kind : str
        ``encoder`` if it embeds sentences, ``decoder`` if it predicts the next token.
    attention : tuple of Spec
        The attention of each layer.
    d_model, d_head, d_feed_forward : int
        Width of the hidden states, of a head, and inside the feed-forward layer.
    n_tokens : int
        Rows of the table of token embeddings.
    names : mapping of str to str
        The tensor of each part, such as ``{"W_Q": "h.{}.attn.q.weight"}``; braces
        stand for the layer, and ``{head}`` for each head of ``gain_Q`` or ``gain_K``
        that has a tensor of its own. ``W_QKV`` and ``b_QKV`` are three parts side by
        side, ``W_gate_up`` and ``b_gate_up`` two. ``W_embedding`` takes embeddings to
        the width of the model; a norm ``embedding`` is before it, ``projected`` after.
        ``R`` is the table of relative positions, ``R_norm`` its norm. ``W_head``,
        ``decoder`` and their like are an `OutputHead`, whose names have no prefix.
        ``scale_O`` and ``scale_down`` are scales of the branches (LayerScale), by which
        W_O, b_O, W_down and b_down are read. ``similarity_scale`` is the logarithm of
        the factor on the cosines of CLIP's embeddings.
    prefixes : tuple of str
        Possible prefixes of all names but that of ``unembedding``.
    other_names : tuple of pairs of str
        Suffixes of `names`, each with the one that older files have.
    unused : tuple of str
        Suffixes of the names of a layer's tensors that have no effect.
    fused_by_head : bool
        Whether ``W_QKV`` has query, key and value of each head side by side rather than
        those of all heads.
    inputs_first : bool
        Whether weights are stored as (inputs, outputs), as in GPT-2, rather than
        (outputs, inputs).
    norm : str
        Layer norm or RMS norm.
    epsilon : float
        The number that the norm adds to the variance.
    weight_offset : float
        The number that is added to the weights of norms.
    activation : str
        A name of `attnviewer.models.layers.ACTIVATIONS`.
    n_positions : int or None
        The number of learned positions; None without a table.
    first_position : int
        The row of the first token's position.
    padding : int or None
        The id of padding, where positions skip padding: they then start at the row
        after that id.
    n_types : int
        Rows of the table of token types; 0 without one.
    token_width : int or None
        Width of the embeddings of tokens, where ``W_tokens`` and ``W_unembedding``
        project them to d_model and back; None for d_model.
    parallel : bool
        Whether the feed-forward layer reads the input of attention, and both outputs
        are added to it, rather than the stream with that of attention.
    experts : Experts or None
        Those of the feed-forward layers; None for a single one.
    extended : ExtendedRotary or None
        How sentences beyond the trained length are rotated; None where it is the same.
    embedding_scale : float
        The factor on embeddings.
    logit_cap : float or None
        Bound c of c·tanh(logit / c).
    foreign : mapping of str to str
        Parts of a model that are not computed, by a part of the names of their tensors,
        such as ``{"vision_tower.": "a vision tower"}``; a file with one is refused.
    logit_scale : float
        The factor on the last hidden states before the unembedding.
    encoder : Architecture or None
        Of the decoder of an encoder–decoder, the encoder.
    cross : Architecture or None
        The same decoder with the cross-attention of each layer, over the encoder's
        output, in place of its self-attention.
    start, end : int or None
        The ids that a decoder's text begins with, and that an encoder's ends with.
    tied : bool
        Whether the token embeddings serve as the unembedding, if the checkpoint has
        none.
    optional : tuple of str
        Parts that a checkpoint may leave out.
    final_norm_is_apart : bool
        Whether the last of the hidden states is taken before the final norm, as in
        transformers' vision models and CLIP.
    picture : PictureInput or None
        The pictures that the model reads; None for one that reads tokens.
    pooled : str
        What an encoder's embedding is made of, where no file of the checkpoint says it:
        the mean over the tokens, the first one, or the first one that ends the text.
    processor : str
        The class of transformers' image processor, without suffixes.
    end_token : int or None
        The id of the token that ends a text; None for the largest id.
    d_projection : int
        Columns of the projection of the embedding.
    embedding_width : int or None
        Columns of the tables of embeddings; None for d_model.
    layer_tensors : tuple of str or None
        For each layer, what stands in the names of its tensors in place of its number,
        where layers share them (ALBERT); None if each has its own.
    plain_norms : tuple of str
        Norms without weights and biases, which are no parts.
    absent : frozenset of (str, int)
        Parts that a layer does not have though others do, each with the layer.
    dequantized : str
        How packed weights are stored that are read: ``mxfp4``; "" for none.
    heads : mapping of str to OutputHead
        The heads that are computed, by the ends of the names of transformers' classes.
    head : OutputHead or None
        The one that the checkpoint has, whose tensors are among `names`.
    """

    family: str
    kind: Kind
    attention: tuple[Spec, ...]
    d_model: int
    d_head: int
    d_feed_forward: int
    n_tokens: int
    names: Mapping[str, str]
    prefixes: tuple[str, ...]
    norm: Norm
    epsilon: float
    activation: str
    other_names: tuple[tuple[str, str], ...] = ()
    unused: tuple[str, ...] = ()
    fused_by_head: bool = False
    inputs_first: bool = False
    weight_offset: float = 0.0
    n_positions: int | None = None
    first_position: int = 0
    padding: int | None = None
    n_types: int = 0
    token_width: int | None = None
    parallel: bool = False
    experts: Experts | None = None
    extended: ExtendedRotary | None = None
    embedding_scale: float = 1.0
    logit_cap: float | None = None
    foreign: Mapping[str, str] = field(default_factory=dict)
    logit_scale: float = 1.0
    encoder: "Architecture | None" = None
    cross: "Architecture | None" = None
    start: int | None = None
    end: int | None = None
    tied: bool = True
    optional: tuple[str, ...] = ()
    final_norm_is_apart: bool = False
    picture: PictureInput | None = None
    pooled: Pooled = "mean"
    processor: str = ""
    end_token: int | None = None
    d_projection: int = 0
    embedding_width: int | None = None
    layer_tensors: tuple[str, ...] | None = None
    plain_norms: tuple[str, ...] = ()
    absent: frozenset[tuple[str, int]] = frozenset()
    dequantized: str = ""
    heads: Mapping[str, OutputHead] = field(default_factory=dict)
    head: OutputHead | None = None

    @property
    def n_layers(self) -> int:
        """The number of layers."""
        return len(self.attention)

    @property
    def n_heads(self) -> int:
        """The number of heads of queries of a layer."""
        return self.attention[0].n_heads

    @property
    def n_kv_heads(self) -> int:
        """The number of heads of keys and values of a layer."""
        return self.attention[0].kv_heads

    def spellings(self, name: str) -> Iterator[str]:
        """Yield the other names that a tensor has in older files."""
        for new, old in self.other_names:
            if name.endswith(new):
                yield name.removesuffix(new) + old

    def layers_sharing(self, layer: int) -> tuple[int, ...]:
        """Return the other layers whose weights are the same tensors."""
        stored = self.layer_tensors
        if stored is None:
            return ()
        same = (k for k, number in enumerate(stored) if number == stored[layer])
        return tuple(k for k in same if k != layer)

    def attention_of(self, layer: int, n_tokens: int) -> Spec:
        """Return the attention of a layer for a sentence of so many tokens."""
        spec = self.attention[layer]
        return spec if self.extended is None else self.extended.applied(spec, n_tokens)

    def changes_at(self, n_tokens: int) -> bool:
        """Return whether so many tokens have another attention than one fewer."""
        return self.extended is not None and self.extended.changes_at(n_tokens)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every named part, weights as (in, out)."""
        queries, keys = self.n_heads * self.d_head, self.n_kv_heads * self.d_head
        first = self.first_position if self.padding is None else self.padding + 1
        wide, feed = self.d_model, self.d_feed_forward
        table, own = self.embedding_width or wide, self.token_width or wide
        experts = self.experts.count if self.experts else 0
        scheme = self.attention[0].positions
        relative = 2 * scheme.span if isinstance(scheme, Disentangled) else 0
        widths = {
            "Q": queries,
            "QR": queries,
            "KR": keys,
            "K": keys,
            "V": keys,
            "QKV": queries + 2 * keys,
        }
        shapes: dict[str, tuple[int, ...]] = {
            "tokens": (self.n_tokens, self.token_width or table),
            "W_tokens": (own, wide),
            "W_unembedding": (wide, own),
            "places": (first + (self.n_positions or 0), table),
            "types": (self.n_types, table),
            "W_embedding": (table, wide),
            "R": (relative, wide),
            "embedding.weight": (table,),
            "embedding.bias": (table,),
            "unembedding": (own, self.n_tokens),
            "logit_bias": (1, self.n_tokens),
            "W_O": (queries, wide),
            "W_up": (wide, feed),
            "W_gate": (wide, feed),
            "W_gate_up": (wide, 2 * feed),
            "W_router": (wide, experts),
            "expert_W_gate_up": (experts, wide, 2 * feed),
            "expert_b_gate_up": (experts, 2 * feed),
            "expert_W_down": (experts, feed, wide),
            "expert_b_down": (experts, wide),
            "W_down": (feed, wide),
            "W_projection": (wide, self.d_projection),
            "similarity_scale": (),
            **{f"W_{name}": (wide, width) for name, width in widths.items()},
            "sinks": (self.n_heads,),
        }
        norm = self.attention[0].qk_norm
        if norm is not None:
            for side in "QK":
                by_head = HEAD in self.names.get(f"gain_{side}", "")
                whole = norm.full_width or by_head
                own = widths[side] if whole else self.d_head
                shapes |= dict.fromkeys(norm.inputs_of(side), (own,))
        if isinstance(scheme, RelativeBias):
            shapes["relative_bias"] = (scheme.n_buckets, self.n_heads)
        if self.head is not None:
            read = self.token_width or wide
            shapes |= self.head.shapes(read, table, self.n_tokens)
        for name in self.names:
            if name.startswith("b_") and name not in shapes:
                shapes[name] = (shapes[f"W_{name[2:]}"][1],)
            elif name not in shapes:  # a norm's weight or bias
                shapes[name] = (wide,)
        if self.picture is not None:
            shapes |= self.picture.shapes
        return {name: shapes[name] for name in self.names}
