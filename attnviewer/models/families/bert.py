"""Encoders: BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), DistilBERT."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.compute import Spec
from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Index,
    Layers,
    Positive,
    divided,
    fields,
    refuse,
    renamed,
)
from attnviewer.models.families.naming import decoder, linear, norm
from attnviewer.models.families.output_heads import (
    EACH_TOKEN,
    classifier,
    token_head,
)
from attnviewer.models.output_head import OutputHead

BIASES = ("b_Q", "b_K", "b_V", "b_O")
_SELF, LAYER = "encoder.layer.{}.attention.self", "encoder.layer.{}"


BERT_NAMES = {
    "tokens": "embeddings.word_embeddings.weight",
    "places": "embeddings.position_embeddings.weight",
    "types": "embeddings.token_type_embeddings.weight",
    **norm("embedding", "embeddings.LayerNorm"),
    **linear("Q", f"{_SELF}.query"),
    **linear("K", f"{_SELF}.key"),
    **linear("V", f"{_SELF}.value"),
    **linear("O", f"{LAYER}.attention.output.dense"),
    **norm("attention_sum", f"{LAYER}.attention.output.LayerNorm"),
    **linear("up", f"{LAYER}.intermediate.dense"),
    **linear("down", f"{LAYER}.output.dense"),
    **norm("feed_sum", f"{LAYER}.output.LayerNorm"),
}
"""The names of BERT's tensors."""
_OLDER = (
    ("LayerNorm.weight", "LayerNorm.gamma"),
    ("LayerNorm.bias", "LayerNorm.beta"),
    # Tied biases are stored once, under their first name.
    ("predictions.decoder.bias", "predictions.bias"),
    ("lm_head.decoder.bias", "lm_head.bias"),
)
_POOLER = "bert.pooler.dense"
ROBERTA_HEADS: Mapping[str, OutputHead] = {
    **token_head("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "gelu"),
    **classifier("classifier.out_proj", "classifier.dense"),
    **EACH_TOKEN,
}
"""The heads of RoBERTa."""


class _Bert(msgspec.Struct):
    hidden_size: Count
    num_hidden_layers: Layers
    num_attention_heads: Count
    intermediate_size: Count
    vocab_size: Count
    max_position_embeddings: Count = 512
    type_vocab_size: Count = 2
    hidden_act: str = "gelu"
    layer_norm_eps: Positive = 1e-12
    is_decoder: bool = False
    is_causal: bool = True
    tie_word_embeddings: bool = True


class _Roberta(msgspec.Struct):
    pad_token_id: Index | None = 1


def read_bert(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of BERT, of which MiniLM is one."""
    refuse(config, position_embedding_type="absolute", add_cross_attention=False)
    parsed = fields(config, _Bert)
    return Architecture(
        family="BERT",
        kind="encoder",
        attention=_attention(
            parsed.num_hidden_layers,
            parsed.num_attention_heads,
            causal=parsed.is_decoder and parsed.is_causal,
        ),
        d_model=parsed.hidden_size,
        d_head=divided(
            parsed.hidden_size,
            parsed.num_attention_heads,
            "hidden_size",
            "num_attention_heads",
        ),
        d_feed_forward=parsed.intermediate_size,
        n_tokens=parsed.vocab_size,
        names=BERT_NAMES,
        prefixes=("", "bert."),
        other_names=_OLDER,
        norm="layer",
        epsilon=parsed.layer_norm_eps,
        activation=parsed.hidden_act,
        n_positions=parsed.max_position_embeddings,
        n_types=parsed.type_vocab_size,
        tied=parsed.tie_word_embeddings,
        heads=_heads(parsed.hidden_act),
    )


def _heads(activation: str) -> dict[str, OutputHead]:
    transform = "cls.predictions.transform"
    next_sentence = {
        **linear("head", _POOLER),
        **decoder("cls.seq_relationship"),
    }
    return {
        **token_head(
            f"{transform}.dense",
            f"{transform}.LayerNorm",
            "cls.predictions.decoder",
            activation,
        ),
        **classifier("classifier", _POOLER),
        **EACH_TOKEN,
        "ForNextSentencePrediction": OutputHead(
            next_sentence,
            "first",
            activation="tanh",
            labels=("the next sentence", "another sentence"),
        ),
    }


def read_roberta(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of RoBERTa: BERT with positions after padding's."""
    bert = read_bert(config)
    padding = fields(config, _Roberta).pad_token_id
    padding = 1 if padding is None else padding
    return replace(
        bert,
        family="RoBERTa",
        prefixes=("", "roberta."),
        heads=ROBERTA_HEADS,
        n_positions=places_after(padding, bert.n_positions or 0),
        padding=padding,
    )


def places_after(padding: int, rows: int) -> int:
    """Return how many rows of a table of positions are after that of padding.

    Raises
    ------
    SchemaError
        If there are none.
    """
    first = padding + 1
    if first >= rows:
        raise SchemaError(
            f"It must be less than max_position_embeddings - 1 = {rows - 1}: positions "
            f"begin after that of padding. Got {padding} instead.",
            "$.pad_token_id",
        )
    return rows - first


_LAYER_OF_DISTILBERT = "transformer.layer.{}"
_DISTILBERT_NAMES = {
    "tokens": BERT_NAMES["tokens"],
    "places": BERT_NAMES["places"],
    **norm("embedding", "embeddings.LayerNorm"),
    **linear("Q", f"{_LAYER_OF_DISTILBERT}.attention.q_lin"),
    **linear("K", f"{_LAYER_OF_DISTILBERT}.attention.k_lin"),
    **linear("V", f"{_LAYER_OF_DISTILBERT}.attention.v_lin"),
    **linear("O", f"{_LAYER_OF_DISTILBERT}.attention.out_lin"),
    **norm("attention_sum", f"{_LAYER_OF_DISTILBERT}.sa_layer_norm"),
    **linear("up", f"{_LAYER_OF_DISTILBERT}.ffn.lin1"),
    **linear("down", f"{_LAYER_OF_DISTILBERT}.ffn.lin2"),
    **norm("feed_sum", f"{_LAYER_OF_DISTILBERT}.output_layer_norm"),
}


class _DistilBert(msgspec.Struct):
    dim: Count = 768
    n_layers: Layers = 6
    n_heads: Count = 12
    hidden_dim: Count = 3072
    vocab_size: Count = 30522
    max_position_embeddings: Count = 512
    activation: str = "gelu"
    tie_word_embeddings: bool = True


def read_distilbert(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of DistilBERT (Sanh et al. 2019)."""
    config = renamed(
        config,
        hidden_size="dim",
        num_hidden_layers="n_layers",
        num_attention_heads="n_heads",
    )
    parsed = fields(config, _DistilBert)
    return Architecture(
        family="DistilBERT",
        kind="encoder",
        attention=_attention(parsed.n_layers, parsed.n_heads),
        d_model=parsed.dim,
        d_head=divided(parsed.dim, parsed.n_heads, "dim", "n_heads"),
        d_feed_forward=parsed.hidden_dim,
        n_tokens=parsed.vocab_size,
        names=_DISTILBERT_NAMES,
        prefixes=("", "distilbert."),
        norm="layer",
        epsilon=1e-12,
        activation=parsed.activation,
        n_positions=parsed.max_position_embeddings,
        tied=parsed.tie_word_embeddings,
        heads={
            **token_head(
                "vocab_transform",
                "vocab_layer_norm",
                "vocab_projector",
                parsed.activation,
            ),
            **classifier("classifier", "pre_classifier", "relu"),
            **EACH_TOKEN,
        },
    )


def _attention(
    n_layers: int, n_heads: int, *, causal: bool = False
) -> tuple[Spec, ...]:
    spec = Spec(
        n_heads=n_heads,
        head_axis=True,
        biases=BIASES,
        output_projection=True,
        causal=causal,
    )
    return (spec,) * n_layers
