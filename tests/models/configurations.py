"""The configurations whose results are recorded, and what is special about each."""

from collections.abc import Mapping
from dataclasses import dataclass, field

EIGHT = (3, 17, 42, 5, 17, 29, 44, 46)
TWELVE = (*EIGHT, 11, 8, 3, 31)
TWENTY = (*TWELVE, *EIGHT)
_OLD_LLAMA_KEYS = ["rope_theta", "num_key_value_heads", "tie_word_embeddings"]
_LLAMA3_ROPE = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
_YARN_ROPE = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}
_BOUNDS = {"rope_theta": 500.0, "beta_fast": 4.0, "beta_slow": 0.5}


@dataclass(frozen=True)
class Configuration:
    """A checkpoint of a family, as `checkpoints.write` makes it, and what it is fed."""

    family: str
    note: str
    options: Mapping[str, object] = field(default_factory=dict)
    input_ids: tuple[int, ...] = EIGHT


def case(
    family: str, note: str, *, ids: tuple[int, ...] = EIGHT, **options: object
) -> Configuration:
    return Configuration(family, note, options, ids)


CONFIGURATIONS = {
    "gpt2": case("gpt2", "as GPT-2's own: tied head, names with a prefix"),
    "gpt2_without_prefix": case(
        "gpt2",
        "the published files: names without a prefix, each layer's causal mask "
        "among the tensors (to be ignored), and no word on the head, which is tied",
        prefix=False,
        leave_out=["tie_word_embeddings"],
        extra={"h.#.attn": "+11pp"},
    ),
    "gpt2_n_inner": case("gpt2", "feed-forward layers of another width", n_inner=48),
    "gpt2_scaled_by_layer": case(
        "gpt2",
        "layer i divides its scores by i + 1 as well",
        scale_attn_by_inverse_layer_idx=True,
    ),
    "gpt2_unscaled": case(
        "gpt2", "scores are not divided by the root", scale_attn_weights=False
    ),
    "gpt2_relu": case("gpt2", "another activation", activation_function="relu"),
    "gpt2_gelu": case("gpt2", "the exact gelu, by erf", activation_function="gelu"),
    "gpt2_bidirectional": case(
        "gpt2", "tokens after a query are seen, too", is_causal=False
    ),
    "gpt2_untied": case("gpt2", "a head of its own", tie_word_embeddings=False),
    "gpt2_wide_epsilon": case("gpt2", "norms' epsilon", layer_norm_epsilon=0.1),
    "llama": case("llama", "grouped heads, a head of its own, old style rope_theta"),
    "llama_first": case(
        "llama",
        "the keys of the first Llamas: as many key heads as heads, theta 10000, untied",
        num_key_value_heads=None,
        leave_out=_OLD_LLAMA_KEYS,
    ),
    "llama_tied": case("llama", "tied head", tie_word_embeddings=True),
    "llama_biases": case(
        "llama",
        "biases of all linear layers",
        attention_bias=True,
        mlp_bias=True,
    ),
    "llama_head_dim": case("llama", "heads wider than their share", head_dim=16),
    "llama_one_key_head": case("llama", "multi-query", num_key_value_heads=1),
    "llama_gelu": case("llama", "another gate", hidden_act="gelu_pytorch_tanh"),
    "llama_theta": case("llama", "old style", rope_theta=500000.0),
    "llama_theta_parameters": case(
        "llama",
        "new style, in which rope_parameters alone says it",
        rope_parameters={"rope_type": "default", "rope_theta": 500000.0},
        leave_out=["rope_theta"],
    ),
    "llama_rope_llama3": case(
        "llama",
        "old style; of four frequencies one is kept, one mixed, two divided",
        rope_theta=10000.0,
        rope_scaling=_LLAMA3_ROPE,
        ids=TWELVE,
    ),
    "llama_rope_llama3_parameters": case(
        "llama",
        "new style",
        rope_parameters=_LLAMA3_ROPE | {"rope_theta": 500000.0},
        leave_out=["rope_theta"],
        ids=TWELVE,
    ),
    "llama_rope_linear": case(
        "llama",
        "old style with its oldest key, type",
        rope_scaling={"type": "linear", "factor": 4.0},
    ),
    "llama_rope_linear_parameters": case(
        "llama",
        "new style",
        rope_parameters={
            "rope_type": "linear",
            "factor": 4.0,
            "rope_theta": 10000.0,
        },
        leave_out=["rope_theta"],
    ),
    "llama_rope_yarn": case(
        "llama",
        "queries and keys are multiplied by 0.1 ln 4 + 1 as well",
        rope_scaling=_YARN_ROPE,
    ),
    "llama_rope_yarn_bounds": case(
        "llama",
        "new style; bounds that are not rounded, and a factor of its own for queries "
        "and keys",
        rope_parameters=_YARN_ROPE
        | {
            "rope_theta": 500.0,
            "beta_fast": 4.0,
            "beta_slow": 0.5,
            "truncate": False,
            "attention_factor": 1.2,
        },
        leave_out=["rope_theta"],
    ),
    "llama_rope_yarn_mscale": case(
        "llama",
        "queries and keys are multiplied by (0.2 ln 4 + 1) / (0.05 ln 4 + 1)",
        rope_scaling=_YARN_ROPE | {"mscale": 2.0, "mscale_all_dim": 0.5},
    ),
    "llama_base": case(
        "llama",
        "LlamaModel: no head, so no logits; names without a prefix",
        head=False,
    ),
    "llama_bfloat16": case("llama", "the weights are read widened", dtype="bfloat16"),
    "llama_float16": case("llama", "the weights are read widened", dtype="float16"),
    "llama_sharded": case("llama", "two files with an index", shards=2),
    "bert": case("bert", "BertModel: names without a prefix, with a pooler"),
    "bert_old_names": case(
        "bert",
        "names with a prefix; LayerNorm.gamma and .beta",
        head=True,
        old_norm_names=True,
    ),
    "bert_masked_lm": case("bert", "BertForMaskedLM: no pooler", head=True),
    "bert_relu": case("bert", "another activation", hidden_act="relu"),
    "bert_gelu_new": case("bert", "gelu by tanh", hidden_act="gelu_new"),
    "bert_decoder": case("bert", "is_decoder: causal", is_decoder=True),
    "bert_padding": case(
        "bert",
        "padding tokens are tokens like others where no mask is given",
        ids=(3, 17, 0, 42, 5, 0, 0),
    ),
    "roberta": case("roberta", "the first position is padding_idx + 1 = 2"),
    "roberta_padding": case(
        "roberta",
        "padding tokens have position padding_idx, and others do not count them",
        ids=(3, 17, 1, 42, 5, 29, 1, 1),
    ),
    "roberta_masked_lm": case("roberta", "names with a prefix", head=True),
    "xlm_roberta_padding": case(
        "xlm-roberta", "as RoBERTa", ids=(3, 17, 1, 42, 5, 29, 44, 1)
    ),
    "distilbert": case("distilbert", "neither types of tokens nor a pooler"),
    "distilbert_masked_lm": case(
        "distilbert", "names with a prefix", head=True, activation="relu"
    ),
    "distilbert_sinusoidal": case(
        "distilbert",
        "the table of positions in the file is what counts, whatever the name says",
        sinusoidal_pos_embds=True,
    ),
    "mistral": case(
        "mistral", "no window", sliding_window=None, ids=TWELVE, head_dim=None
    ),
    "mistral_window": case(
        "mistral",
        "4 keys, the own one among them",
        sliding_window=4,
        ids=TWELVE,
        head_dim=None,
    ),
    "mistral_head_dim": case(
        "mistral", "heads narrower than their share", sliding_window=4, head_dim=4
    ),
    "mistral_layer_types": case(
        "mistral",
        "a Ministral: the second layer alone has a window",
        sliding_window=4,
        layer_types=["full_attention", "sliding_attention"],
        ids=TWELVE,
        head_dim=8,
    ),
    "qwen2": case(
        "qwen2",
        "biases of queries, keys and values; the window is there but not used",
        sliding_window=4,
        use_sliding_window=False,
        max_window_layers=0,
        ids=TWELVE,
    ),
    "qwen2_window": case(
        "qwen2",
        "a window of 4 from layer max_window_layers on",
        sliding_window=4,
        use_sliding_window=True,
        max_window_layers=1,
        ids=TWELVE,
    ),
    "qwen2_layer_types": case(
        "qwen2",
        "a window of 4 in the layers named so, whatever max_window_layers says",
        sliding_window=4,
        use_sliding_window=True,
        max_window_layers=2,
        layer_types=["sliding_attention", "full_attention"],
        ids=TWELVE,
    ),
    "qwen2_bidirectional": case(
        "qwen2",
        "tokens after a query are seen, too, in the window of the last layer 3 of them",
        is_causal=False,
        sliding_window=3,
        use_sliding_window=True,
        max_window_layers=1,
        ids=TWELVE,
    ),
    "qwen2_tied": case("qwen2", "tied head", tie_word_embeddings=True),
    "gemma": case(
        "gemma",
        "norms multiply by 1 + w, embeddings by the root of the width; tied",
        num_key_value_heads=1,
    ),
    "gemma_gelu": case(
        "gemma",
        "the first files: gelu means its tanh form, no word on the head",
        hidden_act="gelu",
        hidden_activation=None,
        leave_out=["tie_word_embeddings"],
    ),
    "gemma_silu": case(
        "gemma",
        "hidden_act counts, not hidden_activation, which Gemma 2 alone heeds",
        hidden_act="silu",
        hidden_activation="gelu_pytorch_tanh",
    ),
    "gemma2": case(
        "gemma2",
        "every second layer from the first one has a window; scores and logits are "
        "capped, scores divided by the root of query_pre_attn_scalar; norms after "
        "attention and feed-forward layers too; tied",
        ids=TWELVE,
    ),
    "gemma2_layer_types": case(
        "gemma2",
        "the second layer has the window",
        layer_types=["full_attention", "sliding_attention"],
        ids=TWELVE,
    ),
    "gemma2_uncapped": case(
        "gemma2",
        "neither caps nor a window that is felt",
        attn_logit_softcapping=None,
        final_logit_softcapping=None,
        sliding_window=64,
    ),
    "electra": case("electra", "ElectraModel: embeddings narrower than the model"),
    "electra_generator": case(
        "electra", "ElectraForMaskedLM: a head with a tied decoder", head=True
    ),
    "electra_base": case(
        "electra",
        "embeddings as wide as the model, so without a projection",
        embedding_size=32,
        head=True,
        ids=TWELVE,
    ),
    "albert": case("albert", "one group of layers, whose weights all share"),
    "albert_groups": case(
        "albert",
        "layers 0 and 1 of the first group, 2 and 3 of the second",
        num_hidden_groups=2,
        num_hidden_layers=4,
        ids=TWELVE,
    ),
    "albert_uneven_groups": case(
        "albert",
        "layer 9 is of group 6, as 9 / (18 / 14) is just below 7 in floats",
        num_hidden_groups=14,
        num_hidden_layers=18,
    ),
    "albert_inner": case(
        "albert_inner",
        "groups of two layers, each of which is gone through twice in turn",
        num_hidden_groups=2,
        num_hidden_layers=4,
        ids=TWELVE,
    ),
    "albert_masked_lm": case(
        "albert", "AlbertForMaskedLM: a head with a tied decoder", head=True
    ),
    "modernbert": case(
        "modernbert",
        "old style; windows of 3 on both sides in all layers but 0 and 3",
        ids=TWELVE,
        global_attn_every_n_layers=3,
        global_rope_theta=1000.0,
        local_rope_theta=100.0,
    ),
    "modernbert_layer_types": case(
        "modernbert",
        "new style; biases everywhere, an odd window, another activation",
        ids=TWELVE,
        layer_types=["sliding_attention", "full_attention"],
        num_hidden_layers=2,
        local_attention=5,
        hidden_activation="silu",
        attention_bias=True,
        mlp_bias=True,
        norm_bias=True,
        rope_parameters={
            "full_attention": {"rope_type": "default", "rope_theta": 1000.0},
            "sliding_attention": {"rope_type": "linear", "factor": 2.0},
        },
    ),
    "modernbert_untruncated": case(
        "modernbert",
        "bounds of YaRN are rounded, whatever the file says",
        ids=TWELVE,
        num_hidden_layers=2,
        rope_parameters={
            "full_attention": _YARN_ROPE | _BOUNDS | {"truncate": False},
            "sliding_attention": _YARN_ROPE | {"truncate": False},
        },
    ),
    "modernbert_half_window": case(
        "modernbert",
        "half of a window under its other name, which counts beside local_attention",
        ids=TWELVE,
        num_hidden_layers=2,
        sliding_window=2,
    ),
    "modernbert_masked_lm": case(
        "modernbert",
        "ModernBertForMaskedLM: a head with a tied decoder",
        head=True,
        num_hidden_layers=2,
    ),
    "deberta": case(
        "deberta-v2",
        "as version 3: both terms, shared projections, buckets, a norm of the table",
        norm_rel_ebd="layer_norm",
        extra={"encoder.LayerNorm": "d+d"},
        ids=TWENTY,
    ),
    "deberta_c2p": case(
        "deberta-v2",
        "one term with a projection of its own; no buckets, distances beyond 5 alike; "
        "the terms as a text",
        pos_att_type="c2p",
        share_att_key=False,
        position_buckets=-1,
        max_relative_positions=5,
        extra={"encoder.layer.#.attention.self.pos_key_proj": "dd+d"},
        ids=TWENTY,
    ),
    "deberta_own_projections": case(
        "deberta-v2",
        "both terms with projections of their own; positions and types of tokens are "
        "added, too",
        share_att_key=False,
        position_biased_input=True,
        type_vocab_size=2,
        extra={
            "encoder.layer.#.attention.self.pos_key_proj": "dd+d",
            "encoder.layer.#.attention.self.pos_query_proj": "dd+d",
        },
    ),
    "deberta_masked_lm": case(
        "deberta-v2",
        "narrow embeddings, projected before their norm; DebertaV2ForMaskedLM",
        embedding_size=16,
        head=True,
    ),
    "deberta_absolute": case(
        "deberta-v2",
        "without relative positions, whose terms still count in the factor of the "
        "scores",
        relative_attention=False,
        position_biased_input=True,
    ),
    "stablelm": case("stablelm", "layer norms; a quarter of the columns turn"),
    "stablelm_biases": case(
        "stablelm",
        "biases on Q, K and V; half of the columns turn; an epsilon of its own",
        use_qkv_bias=True,
        partial_rotary_factor=0.5,
        layer_norm_eps=0.03,
        tie_word_embeddings=True,
        num_hidden_layers=3,
        ids=TWELVE,
    ),
    "stablelm_norms": case(
        "stablelm_norms",
        "each head's queries and keys have a layer norm of their own, without shift",
        layer_norm_eps=0.03,
        ids=TWELVE,
    ),
    "stablelm_parallel": case(
        "stablelm_parallel",
        "attention and feed-forward layer read one norm; a share among the rotary "
        "parameters",
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 500.0,
            "partial_rotary_factor": 0.75,
        },
        ids=TWELVE,
    ),
}
