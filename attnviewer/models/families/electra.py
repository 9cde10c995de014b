"""ELECTRA (Clark et al. 2020) and ALBERT (Lan et al. 2020): narrow embeddings."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import BERT_NAMES, linear, norm, read_bert
from attnviewer.models.families.fields import Count, fields, refuse


class _Own(msgspec.Struct):
    num_hidden_layers: Count
    hidden_act: str = "gelu"
    embedding_size: Count = 128
    num_hidden_groups: Count = 1
    tie_word_embeddings: bool = True


def read_electra(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ELECTRA, discriminator or generator."""
    bert, own = read_bert(config), fields(config, _Own)
    names = {
        **bert.names,
        **linear("head", "generator_predictions.dense"),
        **norm("head", "generator_predictions.LayerNorm"),
        "decoder": "generator_lm_head.weight",
        "b_decoder": "generator_lm_head.bias",
    }
    if own.embedding_size != bert.d_model:
        names |= linear("embedding", "embeddings_project")
    return replace(
        bert,
        family="ELECTRA",
        names=names,
        prefixes=("", "electra."),
        embedding_width=own.embedding_size,
        head_activation="gelu",
        tied=own.tie_word_embeddings,
    )


_GROUP = "encoder.albert_layer_groups.{}.albert_layers.0"
_ALBERT_NAMES = {
    **{part: BERT_NAMES[part] for part in ("tokens", "places", "types")},
    **norm("embedding", "embeddings.LayerNorm"),
    **linear("embedding", "encoder.embedding_hidden_mapping_in"),
    **linear("Q", f"{_GROUP}.attention.query"),
    **linear("K", f"{_GROUP}.attention.key"),
    **linear("V", f"{_GROUP}.attention.value"),
    **linear("O", f"{_GROUP}.attention.dense"),
    **norm("attention_sum", f"{_GROUP}.attention.LayerNorm"),
    **linear("up", f"{_GROUP}.ffn"),
    **linear("down", f"{_GROUP}.ffn_output"),
    **norm("feed_sum", f"{_GROUP}.full_layer_layer_norm"),
    **linear("head", "predictions.dense"),
    **norm("head", "predictions.LayerNorm"),
    "decoder": "predictions.decoder.weight",
    "b_decoder": "predictions.decoder.bias",
}


def read_albert(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ALBERT: BERT whose layers share their weights."""
    refuse(config, inner_group_num=1)
    bert = read_bert({"hidden_act": "gelu_new", **config})
    own = fields({"hidden_act": "gelu_new", **config}, _Own)
    layers, groups = own.num_hidden_layers, own.num_hidden_groups
    return replace(
        bert,
        family="ALBERT",
        names=_ALBERT_NAMES,
        prefixes=("", "albert."),
        # Tied biases are stored once, under their first name.
        other_names=(("predictions.decoder.bias", "predictions.bias"),),
        embedding_width=own.embedding_size,
        layer_tensors=tuple(layer * groups // layers for layer in range(layers)),
        head_activation=own.hidden_act,
        tied=own.tie_word_embeddings,
    )
