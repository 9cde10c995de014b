"""DeBERTa-v2 and v3 (He et al. 2021 and 2023)."""

import math
from collections.abc import Mapping

import msgspec

from attnviewer.compute import Disentangled, Spec
from attnviewer.compute.positions.disentangled import TERMS, Term
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import BERT_NAMES, BIASES
from attnviewer.models.families.fields import (
    Count,
    Index,
    Layers,
    Positive,
    divided,
    fields,
    located,
    refuse,
)
from attnviewer.models.families.naming import linear, norm
from attnviewer.models.families.output_heads import EACH_TOKEN, classifier, token_head
from attnviewer.models.output_head import OutputHead

_SELF = "encoder.layer.{}.attention.self"
_OWN_WEIGHTS: Mapping[Term, dict[str, str]] = {
    "c2p": linear("KR", f"{_SELF}.pos_key_proj"),
    "p2c": linear("QR", f"{_SELF}.pos_query_proj"),
}
_HEADS = {True: "cls.predictions.transform", False: "lm_predictions.lm_head"}
_LAST = {True: "cls.predictions.decoder", False: "lm_predictions.lm_head"}


class _Deberta(msgspec.Struct):
    hidden_size: Count
    num_hidden_layers: Layers
    num_attention_heads: Count
    intermediate_size: Count
    vocab_size: Count
    max_position_embeddings: Count = 512
    type_vocab_size: Index = 0
    hidden_act: str = "gelu"
    pooler_hidden_act: str = "gelu"
    layer_norm_eps: Positive = 1e-7
    embedding_size: Count | None = None
    position_biased_input: bool = True
    relative_attention: bool = False
    share_att_key: bool = False
    pos_att_type: str | tuple[str, ...] | None = None
    position_buckets: int = -1
    max_relative_positions: int = -1
    norm_rel_ebd: str = "none"
    legacy: bool = True
    tie_word_embeddings: bool = True


def read_deberta_v2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of DeBERTa-v2 or v3, which differ in their training.

    The convolution of v2-xlarge is refused.
    """
    refuse(config, conv_kernel_size=0)
    parsed = fields(config, _Deberta)
    heads, wide = parsed.num_attention_heads, parsed.hidden_size
    width = parsed.embedding_size or wide
    d_head = divided(wide, heads, "hidden_size", "num_attention_heads")
    refuse(config, attention_head_size=d_head)
    terms = _terms(parsed)
    scheme = _scheme(parsed, terms) if parsed.relative_attention and terms else None
    spec = Spec(
        n_heads=heads,
        head_axis=True,
        biases=(*BIASES, *_own_biases(scheme)),
        output_projection=True,
        positions=scheme,
        # One factor for each term, relative or not, as in the published code.
        scale=1 / math.sqrt(d_head * (1 + len(terms))) if terms else None,
    )
    return Architecture(
        family="DeBERTa-v2",
        kind="encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=wide,
        d_head=d_head,
        d_feed_forward=parsed.intermediate_size,
        n_tokens=parsed.vocab_size,
        names=_names(parsed, scheme, narrow=width != wide),
        prefixes=("", "deberta."),
        # Tied biases are stored once, under their first name.
        other_names=(("predictions.decoder.bias", "predictions.bias"),),
        norm="layer",
        epsilon=parsed.layer_norm_eps,
        activation=parsed.hidden_act,
        n_positions=(
            parsed.max_position_embeddings if parsed.position_biased_input else None
        ),
        n_types=parsed.type_vocab_size,
        tied=parsed.tie_word_embeddings or not parsed.legacy,
        embedding_width=width,
        heads={
            **_token_head(parsed),
            **classifier("classifier", "pooler.dense", parsed.pooler_hidden_act),
            **EACH_TOKEN,
        },
    )


def _token_head(parsed: _Deberta) -> dict[str, OutputHead]:
    before = _HEADS[parsed.legacy]
    return token_head(
        f"{before}.dense",
        f"{before}.LayerNorm",
        _LAST[parsed.legacy],
        parsed.hidden_act,
    )


def _terms(parsed: _Deberta) -> tuple[Term, ...]:
    """Return the terms with relative positions; in old files a text with bars."""
    given = parsed.pos_att_type or ()
    if isinstance(given, str):
        given = tuple(part.strip() for part in given.lower().split("|"))
    for term in given:
        if term not in TERMS:
            raise SchemaError(
                f"It must be c2p, p2c or both. Got '{shortened(term)}' instead.",
                "$.pos_att_type",
            )
    return tuple(term for term in TERMS if term in given)


def _scheme(parsed: _Deberta, terms: tuple[Term, ...]) -> Disentangled:
    longest = parsed.max_relative_positions
    if longest < 1:
        longest = parsed.max_position_embeddings
    buckets = parsed.position_buckets
    field = "position_buckets" if buckets > 0 else "max_relative_positions"
    with located(f"$.{field}"):
        return Disentangled(
            span=buckets if buckets > 0 else longest,
            terms=terms,
            own_weights=not parsed.share_att_key,
            longest=longest if buckets > 0 else None,
        )


def _own_biases(scheme: Disentangled | None) -> tuple[str, ...]:
    names = () if scheme is None else scheme.names
    return tuple(name for name in names if name.startswith("b_"))


def _names(
    parsed: _Deberta, scheme: Disentangled | None, *, narrow: bool
) -> dict[str, str]:
    """Return the names of the tensors."""
    has = {
        "places": parsed.position_biased_input,
        "types": parsed.type_vocab_size > 0,
        "embedding.weight": not narrow,
        "embedding.bias": not narrow,
    }
    names = {
        **{part: name for part, name in BERT_NAMES.items() if has.get(part, True)},
        **linear("Q", f"{_SELF}.query_proj"),
        **linear("K", f"{_SELF}.key_proj"),
        **linear("V", f"{_SELF}.value_proj"),
    }
    if narrow:
        names["W_embedding"] = "embeddings.embed_proj.weight"
        names |= norm("projected", "embeddings.LayerNorm")
    if scheme is not None:
        names["R"] = "encoder.rel_embeddings.weight"
        if "layer_norm" in parsed.norm_rel_ebd.lower():
            names |= norm("R_norm", "encoder.LayerNorm")
        if scheme.own_weights:
            for term in scheme.terms:
                names |= _OWN_WEIGHTS[term]
    return names
