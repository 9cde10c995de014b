"""How the checkpoints of GPT-NeoX, OPT, Phi-3 and gpt-oss are laid out, as tables.

The letters are those of `layouts`, and: w is the width of all queries, keys and values,
o that of the embeddings of tokens, l two more than
there are positions, h counts heads, and x experts. After an equals sign comes the shape
of a tensor that is neither a weight nor a bias.
"""

from tests.models.layouts import Family

_GPT_NEOX = {
    "embed_in": "vd",
    "layers.#.input_layernorm": "d+d",
    "layers.#.attention.query_key_value": "ad",
    "layers.#.attention.dense": "dd",
    "layers.#.post_attention_layernorm": "d+d",
    "layers.#.mlp.dense_h_to_4h": "fd+f",
    "layers.#.mlp.dense_4h_to_h": "df+d",
    "final_layer_norm": "d+d",
}
_OPT_LAYER = {
    **{f"layers.#.self_attn.{side}_proj": "dd" for side in ("q", "k", "v", "out")},
    "layers.#.self_attn_layer_norm": "d+d",
    "layers.#.fc1": "fd",
    "layers.#.fc2": "df",
    "layers.#.final_layer_norm": "d+d",
}
_OPT = {
    "embed_tokens": "vd",
    "embed_positions": "ld",
    **_OPT_LAYER,
    "final_layer_norm": "d+d",
}
_OPT_350M = {
    "embed_tokens": "vo",
    "embed_positions": "ld",
    "project_in": "do",
    "project_out": "od",
    **_OPT_LAYER,
}
_PHI3 = {
    "embed_tokens": "vd",
    "layers.#.input_layernorm": "d",
    "layers.#.self_attn.qkv_proj": "wd",
    "layers.#.self_attn.o_proj": "dq",
    "layers.#.post_attention_layernorm": "d",
    "layers.#.mlp.gate_up_proj": "gd",
    "layers.#.mlp.down_proj": "df",
    "norm": "d",
}
_GPT_OSS = {
    "embed_tokens": "vd",
    "layers.#.input_layernorm": "d",
    "layers.#.self_attn.q_proj": "qd",
    "layers.#.self_attn.k_proj": "kd",
    "layers.#.self_attn.v_proj": "kd",
    "layers.#.self_attn.o_proj": "dq",
    "layers.#.self_attn.sinks": "=h",
    "layers.#.post_attention_layernorm": "d",
    "layers.#.mlp.router": "xd+x",
    "layers.#.mlp.experts.gate_up_proj": "=xdg",
    "layers.#.mlp.experts.gate_up_proj_bias": "=xg",
    "layers.#.mlp.experts.down_proj": "=xfd",
    "layers.#.mlp.experts.down_proj_bias": "=xd",
    "norm": "d",
}

_SIZES = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "vocab_size": 48,
    "tie_word_embeddings": False,
}
_GPT_NEOX_CONFIG = {
    **_SIZES,
    "attention_bias": True,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-5,
    "rotary_pct": 0.5,
    "rotary_emb_base": 10000.0,
    "use_parallel_residual": True,
}
_OPT_CONFIG = {
    "model_type": "opt",
    "activation_function": "relu",
    "do_layer_norm_before": True,
    "enable_bias": True,
    "ffn_dim": 24,
    "hidden_size": 16,
    "max_position_embeddings": 14,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "pad_token_id": 1,
    "tie_word_embeddings": True,
    "vocab_size": 48,
    "word_embed_proj_dim": 16,
}
_PHI3_CONFIG = {
    **_SIZES,
    "hidden_act": "silu",
    "num_key_value_heads": 1,
    "original_max_position_embeddings": 8,
    "pad_token_id": 0,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "sliding_window": None,
}
_GPT_OSS_CONFIG = {
    **_SIZES,
    "attention_bias": True,
    "head_dim": 8,
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_attention_heads": 4,
    "num_experts_per_tok": 2,
    "num_key_value_heads": 2,
    "num_local_experts": 3,
    "pad_token_id": 0,
    "rms_norm_eps": 1e-5,
    "rope_theta": 150000.0,
    "rope_scaling": {
        "rope_type": "yarn",
        "factor": 32.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
        "original_max_position_embeddings": 4096,
    },
    "sliding_window": 4,
}
_HEAD = {"lm_head": "vd"}

FUSED = {
    "gpt_neox": Family(
        "GPTNeoXModel",
        "GPTNeoXForCausalLM",
        "gpt_neox.",
        _GPT_NEOX_CONFIG,
        _GPT_NEOX,
        {"embed_out": "vd"},
    ),
    "opt": Family(
        "OPTModel", "OPTForCausalLM", "model.decoder.", _OPT_CONFIG, _OPT, _HEAD
    ),
    "opt_plain": Family(
        "OPTModel",
        "OPTForCausalLM",
        "model.decoder.",
        _OPT_CONFIG | {"layer_norm_elementwise_affine": False},
        {name: shape for name, shape in _OPT.items() if "norm" not in name},
        _HEAD,
    ),
    "opt_350m": Family(
        "OPTModel",
        "OPTForCausalLM",
        "model.decoder.",
        _OPT_CONFIG | {"do_layer_norm_before": False, "word_embed_proj_dim": 12},
        _OPT_350M,
        _HEAD,
    ),
    "phi3": Family(
        "Phi3Model", "Phi3ForCausalLM", "model.", _PHI3_CONFIG, _PHI3, _HEAD
    ),
    "gpt_oss": Family(
        "GptOssModel", "GptOssForCausalLM", "model.", _GPT_OSS_CONFIG, _GPT_OSS, _HEAD
    ),
}
