"""The architectures of GGUF files that are read, each a line in a table.

The names and settings are those of llama.cpp's ``gguf-py/gguf/constants.py``, the
changes those of its ``convert_hf_to_gguf.py``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Config = dict[str, object]

_KEYS = {
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "num_hidden_layers": "block_count",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "head_dim": "attention.key_length",
    "max_position_embeddings": "context_length",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
}
_GPT2_KEYS = {
    "n_embd": "embedding_length",
    "n_inner": "feed_forward_length",
    "n_layer": "block_count",
    "n_head": "attention.head_count",
    "n_positions": "context_length",
    "layer_norm_epsilon": "attention.layer_norm_epsilon",
}
_WINDOWED_KEYS = {**_KEYS, "sliding_window": "attention.sliding_window"}
_GEMMA2_KEYS = {
    **_WINDOWED_KEYS,
    "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping",
}
_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "blk.{}.attn_norm": "model.layers.{}.input_layernorm",
    "blk.{}.attn_q": "model.layers.{}.self_attn.q_proj",
    "blk.{}.attn_k": "model.layers.{}.self_attn.k_proj",
    "blk.{}.attn_v": "model.layers.{}.self_attn.v_proj",
    "blk.{}.attn_output": "model.layers.{}.self_attn.o_proj",
    "blk.{}.ffn_norm": "model.layers.{}.post_attention_layernorm",
    "blk.{}.ffn_gate": "model.layers.{}.mlp.gate_proj",
    "blk.{}.ffn_up": "model.layers.{}.mlp.up_proj",
    "blk.{}.ffn_down": "model.layers.{}.mlp.down_proj",
}
_QK_NORMS = {
    "blk.{}.attn_q_norm": "model.layers.{}.self_attn.q_norm",
    "blk.{}.attn_k_norm": "model.layers.{}.self_attn.k_norm",
}
_PHI3_FUSED = {
    "blk.{}.attn_qkv": "model.layers.{}.self_attn.qkv_proj",
    "blk.{}.ffn_up": "model.layers.{}.mlp.gate_up_proj",
}
_GEMMA2_NORMS = {
    "blk.{}.post_attention_norm": "model.layers.{}.post_attention_layernorm",
    "blk.{}.ffn_norm": "model.layers.{}.pre_feedforward_layernorm",
    "blk.{}.post_ffw_norm": "model.layers.{}.post_feedforward_layernorm",
}
_GPT2_NAMES = {
    "token_embd": "wte",
    "position_embd": "wpe",
    "output_norm": "ln_f",
    "output": "lm_head",
    "blk.{}.attn_norm": "h.{}.ln_1",
    "blk.{}.attn_qkv": "h.{}.attn.c_attn",
    "blk.{}.attn_output": "h.{}.attn.c_proj",
    "blk.{}.ffn_norm": "h.{}.ln_2",
    "blk.{}.ffn_up": "h.{}.mlp.c_fc",
    "blk.{}.ffn_down": "h.{}.mlp.c_proj",
}
_CONV1D = frozenset(("attn_qkv", "attn_output", "ffn_up", "ffn_down"))
_GEMMA = {
    "hidden_act": "gelu_pytorch_tanh",
    "hidden_activation": "gelu_pytorch_tanh",
}
_LAYERS_OF_GEMMA2_27B = 46


def _same(config: Config) -> Config:
    return config


def _gemma2(config: Config) -> Config:
    # The file does not say it; llama.cpp, too, knows the model with 27 billion weights
    # by its layers.
    wide, heads = config["hidden_size"], config["num_attention_heads"]
    scale = config.get("head_dim")
    is_27b = config["num_hidden_layers"] == _LAYERS_OF_GEMMA2_27B
    if is_27b and isinstance(wide, int) and isinstance(heads, int):
        scale = wide / max(heads, 1)
    return {**config, "query_pre_attn_scalar": scale}


def _phi3(config: Config) -> Config:
    # Files of models without a window, such as Phi-4, say 0.
    return {**config, "sliding_window": config.get("sliding_window") or None}


@dataclass(frozen=True, slots=True)
class GGUFArchitecture:
    """The family of Hugging Face that an architecture of llama.cpp becomes.

    Parameters
    ----------
    model_type : str
        The family.
    keys : mapping of str to str
        The setting of GGUF, below its architecture, for each of the configuration.
    fixed : mapping of str to object
        What else the configuration says.
    names : mapping of str to str
        The tensors of the family, by those of GGUF; braces stand for the layer.
    sorts_pairs : bool
        Whether the converter sorted the rows of Q and K.
    transposed : frozenset of str
        The weights of a layer whose rows and columns the converter swapped.
    norm_offset : float
        What the converter added to the weights of norms.
    completed : callable
        Returns a configuration with what follows from it.
    """

    model_type: str
    keys: Mapping[str, str] = field(default_factory=lambda: _KEYS)
    fixed: Mapping[str, object] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=lambda: _NAMES)
    sorts_pairs: bool = False
    transposed: frozenset[str] = frozenset()
    norm_offset: float = 0.0
    completed: Callable[[Config], Config] = _same


ARCHITECTURES: Mapping[str, GGUFArchitecture] = {
    "llama": GGUFArchitecture("llama", sorts_pairs=True),
    "qwen2": GGUFArchitecture("qwen2"),
    "qwen3": GGUFArchitecture("qwen3", names={**_NAMES, **_QK_NORMS}),
    "gemma": GGUFArchitecture("gemma", fixed=_GEMMA, norm_offset=1.0),
    "gemma2": GGUFArchitecture(
        "gemma2",
        keys=_GEMMA2_KEYS,
        fixed=_GEMMA,
        names={**_NAMES, **_GEMMA2_NORMS},
        norm_offset=1.0,
        completed=_gemma2,
    ),
    "phi3": GGUFArchitecture(
        "phi3",
        keys=_WINDOWED_KEYS,
        names={**_NAMES, **_PHI3_FUSED},
        completed=_phi3,
    ),
    "gpt2": GGUFArchitecture(
        "gpt2", keys=_GPT2_KEYS, names=_GPT2_NAMES, transposed=_CONV1D
    ),
}
"""The architectures that are read, by the name in ``general.architecture``."""
