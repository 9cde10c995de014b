"""ELECTRA (Clark et al. 2020) and ALBERT (Lan et al. 2020): narrow embeddings."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import BERT_NAMES, read_bert
from attnviewer.models.families.fields import Count, fields, within
from attnviewer.models.families.naming import decoder, linear, norm
from attnviewer.models.families.output_heads import EACH_TOKEN, classifier, token_head
from attnviewer.models.output_head import OutputHead


class _Own(msgspec.Struct):
    num_hidden_layers: Count
    hidden_act: str = "gelu"
    embedding_size: Count = 128
    num_hidden_groups: Count = 1
    inner_group_num: Count = 1


def read_electra(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ELECTRA, discriminator or generator."""
    bert, own = read_bert(config), fields(config, _Own)
    names = dict(bert.names)
    if own.embedding_size != bert.d_model:
        names |= linear("embedding", "embeddings_project")
    return replace(
        bert,
        family="ELECTRA",
        names=names,
        prefixes=("", "electra."),
        embedding_width=own.embedding_size,
        heads={
            **token_head(
                "generator_predictions.dense",
                "generator_predictions.LayerNorm",
                "generator_lm_head",
                "gelu",
            ),
            **classifier("classifier.out_proj", "classifier.dense", "gelu"),
            **EACH_TOKEN,
            "ForPreTraining": _discriminator(own.hidden_act),
        },
    )


def _discriminator(activation: str) -> OutputHead:
    """Return the head that says which tokens were replaced."""
    return OutputHead(
        {
            **linear("head", "discriminator_predictions.dense"),
            **decoder("discriminator_predictions.dense_prediction"),
        },
        predicts="independent labels",
        activation=activation,
        labels=("replaced",),
        alone=True,
    )


_GROUP = "encoder.albert_layer_groups.{}"
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
}


def read_albert(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ALBERT: BERT whose layers share their weights."""
    bert = read_bert({"hidden_act": "gelu_new", **config})
    own = fields({"hidden_act": "gelu_new", **config}, _Own)
    turns, groups, inner = (
        own.num_hidden_layers,
        own.num_hidden_groups,
        own.inner_group_num,
    )
    n_layers = within(turns * inner, "num_hidden_layers × inner_group_num")
    # In floats, whose rounding decides between groups, as in transformers.
    of_turns = (int(turn / (turns / groups)) for turn in range(turns))
    of_layers = (f"{n}.albert_layers.{k}" for n in of_turns for k in range(inner))
    return replace(
        bert,
        family="ALBERT",
        # Always an encoder, whatever is_decoder says.
        attention=(replace(bert.attention[0], causal=False),) * n_layers,
        names=_ALBERT_NAMES,
        prefixes=("", "albert."),
        embedding_width=own.embedding_size,
        layer_tensors=tuple(of_layers),
        heads={
            **token_head(
                "predictions.dense",
                "predictions.LayerNorm",
                "predictions.decoder",
                own.hidden_act,
            ),
            **classifier("classifier", "albert.pooler"),
            **EACH_TOKEN,
        },
    )
