"""GGUF files of the tests' checkpoints, as the converter of llama.cpp writes them."""

import json
from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

_LLAMA = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_GEMMA2 = _LLAMA | {
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}
_GPT2 = {
    "transformer.wte": "token_embd",
    "transformer.wpe": "position_embd",
    "transformer.ln_f": "output_norm",
    "ln_1": "attn_norm",
    "attn.c_attn": "attn_qkv",
    "attn.c_proj": "attn_output",
    "ln_2": "ffn_norm",
    "mlp.c_fc": "ffn_up",
    "mlp.c_proj": "ffn_down",
}
_PHI3 = _LLAMA | {"self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up"}
_NAMES = {"gpt2": _GPT2, "gemma2": _GEMMA2, "phi3": _PHI3}


def converted(folder: Path) -> dict[str, np.ndarray]:
    """Return the tensors of a checkpoint as the converter changes them."""
    config = json.loads((folder / "config.json").read_text())
    tensors = load_file(folder / "model.safetensors")
    return {name: change(config, name, array) for name, array in tensors.items()}


def change(
    config: Mapping[str, object], name: str, array: np.ndarray, *, back: bool = False
) -> np.ndarray:
    """Return a tensor as the converter changes it, or as it was before."""
    family = config["model_type"]
    if family == "gpt2" and ".c_" in name and name.endswith("weight"):
        return array.T.copy()
    if family.startswith("gemma") and name.endswith("norm.weight"):
        return array + np.float32(-1 if back else 1)
    if family in ("llama", "mistral") and ("q_proj" in name or "k_proj" in name):
        heads = config["num_attention_heads"]
        if "k_proj" in name:
            heads = config["num_key_value_heads"] or heads
        order = pairs_together(heads, len(array) // heads)
        return array[np.argsort(order) if back else order]
    return array


def pairs_together(n_heads: int, d_head: int) -> list[int]:
    """Return the order of rows in which both numbers of a rotated pair are neighbours.

    Hugging Face's Llama rotates rows i and i + d / 2 of a head, llama.cpp 2i and
    2i + 1.
    """
    return [
        head * d_head + first + half * d_head // 2
        for head in range(n_heads)
        for first in range(d_head // 2)
        for half in (0, 1)
    ]


def name_of(family: str, name: str) -> str:
    """Return the name that the converter gives a tensor."""
    stem, _, kind = name.rpartition(".")
    names = _NAMES.get(family, _LLAMA)
    if stem in names:
        return f"{names[stem]}.{kind}"
    _prefix, _layers, layer, part = stem.split(".", 3)
    return f"blk.{layer}.{names[part]}.{kind}"


def write_gguf(
    folder: Path,
    path: Path,
    kind: str = "F32",
    extra: Mapping[str, np.ndarray] | None = None,
    **settings: object,
) -> Path:
    """Write the checkpoint in a folder as a GGUF file.

    Parameters
    ----------
    folder : Path
        With ``config.json`` and ``model.safetensors``.
    path : Path
        The file.
    kind : str
        The type of its weights; norms and biases are in F32.
    extra : mapping of str to ndarray, optional
        More tensors.
    **settings
        More settings, with ``__`` for dots; those below the architecture begin with
        ``arch__``.
    """
    config = json.loads((folder / "config.json").read_text())
    family = config["model_type"]
    architecture = "llama" if family == "mistral" else family
    writer = gguf.GGUFWriter(path, architecture)
    _add_sizes(writer, config)
    for key, value in settings.items():
        name = key.replace("__", ".").replace("arch.", f"{architecture}.")
        _add(writer, name, value)
    for name, array in converted(folder).items():
        own = gguf.GGMLQuantizationType[kind if array.ndim == 2 else "F32"]
        stored = gguf.quantize(array.astype(np.float32), own)
        writer.add_tensor(name_of(family, name), stored, raw_dtype=own)
    for name, array in (extra or {}).items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add(writer: gguf.GGUFWriter, name: str, value: object) -> None:
    if isinstance(value, str):
        writer.add_string(name, value)
    elif isinstance(value, list):
        writer.add_array(name, value)
    elif isinstance(value, float):
        writer.add_float32(name, value)
    else:
        writer.add_uint32(name, value)


def _add_sizes(writer: gguf.GGUFWriter, config: Mapping[str, object]) -> None:
    if config["model_type"] == "gpt2":
        writer.add_context_length(config["n_positions"])
        writer.add_embedding_length(config["n_embd"])
        writer.add_feed_forward_length(4 * config["n_embd"])
        writer.add_block_count(config["n_layer"])
        writer.add_head_count(config["n_head"])
        writer.add_layer_norm_eps(config["layer_norm_epsilon"])
        return
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    if "rope_theta" in config:
        writer.add_rope_freq_base(config["rope_theta"])
    if config.get("head_dim"):
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
    if config["model_type"] == "gemma2":
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
        writer.add_sliding_window(config["sliding_window"])
    if config["model_type"] == "phi3":
        original = config["original_max_position_embeddings"]
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_sliding_window(config["sliding_window"] or 0)
