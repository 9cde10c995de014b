"""Families with normalised queries and keys, or with layers without positions."""

from tests.models.configurations import EIGHT, TWELVE, Configuration

_YARN_ROPE = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}
_BOUNDS = {"rope_theta": 500.0, "beta_fast": 4.0, "beta_slow": 0.5}


def _case(
    family: str, note: str, *, ids: tuple[int, ...] = EIGHT, **options: object
) -> Configuration:
    return Configuration(family, note, options, ids)


NORMALISED = {
    "qwen3": _case("qwen3", "an RMS norm of each head; heads wider than their share"),
    "qwen3_biases": _case(
        "qwen3",
        "biases before the norm; one key head; YaRN; tied",
        attention_bias=True,
        num_key_value_heads=1,
        tie_word_embeddings=True,
        rope_scaling=_YARN_ROPE,
        rms_norm_eps=0.05,
        ids=TWELVE,
    ),
    "qwen3_window": _case(
        "qwen3",
        "a window from layer max_window_layers on; heads narrower than their share",
        sliding_window=4,
        use_sliding_window=True,
        max_window_layers=1,
        head_dim=6,
        ids=TWELVE,
    ),
    "olmo2": _case("olmo2", "an RMS norm over all heads; norms after both layers"),
    "olmo2_biases": _case(
        "olmo2",
        "biases before the norm; as many key heads as heads; epsilon as by default",
        attention_bias=True,
        num_key_value_heads=None,
        leave_out=["rms_norm_eps"],
        ids=TWELVE,
    ),
    "smollm3": _case(
        "smollm3",
        "no positions in the layers of no_rope_layers that are 0; more of them than "
        "layers",
        no_rope_layers=[0, 1, 1],
        tie_word_embeddings=True,
    ),
    "smollm3_interval": _case(
        "smollm3",
        "every third layer has none, but a window; theta as by default",
        no_rope_layer_interval=3,
        num_hidden_layers=3,
        use_sliding_window=True,
        sliding_window=4,
        leave_out=["rope_theta"],
        ids=TWELVE,
    ),
    "smollm3_scaled": _case(
        "smollm3",
        "YaRN stretches queries and keys, but not in the layer without positions",
        no_rope_layers=[1, 0],
        rope_scaling=_YARN_ROPE,
        ids=TWELVE,
    ),
    "gemma3": _case(
        "gemma3_text",
        "gains are 1 + w; the local base in layers with a window; bases as by default",
        ids=TWELVE,
    ),
    "gemma3_pattern": _case(
        "gemma3_text",
        "old style: every third layer is global, with a scaled rotation of its own "
        "base; logits are capped, scores are not, whatever the file says",
        layer_types=None,
        num_hidden_layers=3,
        sliding_window_pattern=3,
        rope_theta=500.0,
        rope_local_base_freq=50.0,
        rope_scaling={"factor": 8.0, "rope_type": "linear"},
        final_logit_softcapping=3.0,
        attn_logit_softcapping=5.0,
        ids=TWELVE,
    ),
    "gemma3_bidirectional": _case(
        "gemma3_text",
        "EmbeddingGemma: queries see later tokens; half of a window on each side",
        layer_types=["sliding_attention", "full_attention"],
        use_bidirectional_attention=True,
        sliding_window=5,
        ids=TWELVE,
    ),
    "gemma3_parameters": _case(
        "gemma3_text",
        "new style: the parameters of each type of layer",
        rope_parameters={
            "full_attention": _YARN_ROPE | {"rope_theta": 500.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
        },
        num_key_value_heads=1,
        ids=TWELVE,
    ),
    "gemma3_untruncated": _case(
        "gemma3_text",
        "bounds of YaRN are rounded, whatever the file says",
        rope_parameters={
            "full_attention": _YARN_ROPE | _BOUNDS | {"truncate": False},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
        },
        ids=TWELVE,
    ),
}
