"""Tiny checkpoints in the layout of real ones, with random numbers.

Made from nothing but integers of a bit generator whose stream NumPy promises to keep,
so that what was recorded of a checkpoint holds for the one that a test makes again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from tests.io.matrices.files import safetensors
from tests.models import fused_layouts, layouts

FAMILIES = layouts.FAMILIES | fused_layouts.FUSED
_BIASED = {
    "attention_bias": (".self_attn.", ".attn.", ".attention."),
    "mlp_bias": (".mlp.",),
    "use_qkv_bias": (".q_proj", ".k_proj", ".v_proj"),
    "enable_bias": (".self_attn.", ".fc"),
    "norm_bias": ("norm",),
    "classifier_bias": ("head.dense",),
}
"""Which linear layers have biases where the configuration says so."""
_WIDENING = ("embeddings_project", "embed_proj")
"""What takes embeddings to the width of the model, where they are narrower."""


def configure(family: str, *, head: bool, **config: object) -> dict[str, object]:
    """Return what `config.json` says of a checkpoint."""
    layout = FAMILIES[family]
    return {
        "architectures": [layout.head if head else layout.base],
        "model_type": family,
        **layout.config,
        **config,
    }


def shapes(
    family: str,
    config: Mapping[str, object],
    *,
    head: bool,
    prefix: bool,
    extra: Mapping[str, str],
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the name and the shape of each tensor."""
    layout, sizes = FAMILIES[family], _sizes(config)
    below = layout.tensors | extra | ({} if head else layout.base_only)
    table = {layout.prefix * prefix + name: shape for name, shape in below.items()}
    if head and not (layout.decodes and config["tie_word_embeddings"]):
        table |= layout.head_only
    for name, letters in table.items():
        if name.endswith(_WIDENING) and sizes["e"] == sizes["d"]:
            continue
        weight, _, bias = letters.partition("+")
        if _is_biased(name, config):
            bias = weight[0]
        kinds = (".weight", weight), (".bias", bias)
        if weight.startswith("="):
            kinds = (("", weight[1:]),)
        for kind, sides in kinds:
            shape = tuple(sizes[side] for side in sides)
            first = int(name.removeprefix(layout.prefix) in layout.not_in_first)
            for layer in range(first, sizes["#"] if "#" in name else 1):
                if sides and 0 not in shape:
                    yield f"{name.replace('#', str(layer))}{kind}", shape


def _is_biased(name: str, config: Mapping[str, object]) -> bool:
    return any(
        config.get(key) and part in name and ("norm" in name) == (key == "norm_bias")
        for key, parts in _BIASED.items()
        for part in parts
    )


def _sizes(config: Mapping[str, object]) -> dict[str, int]:
    def size(*keys: str) -> int:
        return next((config[key] for key in keys if config.get(key)), 0)

    d = size("hidden_size", "n_embd", "dim")
    heads = size("num_attention_heads", "n_head", "n_heads")
    head_dim = size("head_dim") or d // heads
    relative = max(size("position_buckets"), 0)
    relative = relative or size("max_relative_positions", "max_position_embeddings")
    key_heads = size("num_key_value_heads") or heads
    feed = size("intermediate_size", "n_inner", "hidden_dim", "ffn_dim") or 4 * d
    return {
        "d": d,
        "a": 3 * d,
        "f": feed,
        "g": 2 * feed,
        "e": size("embedding_size") or d,
        "m": head_dim,
        "h": heads,
        "o": size("word_embed_proj_dim"),
        "x": size("num_local_experts"),
        "q": heads * head_dim,
        "k": key_heads * head_dim,
        "w": (heads + 2 * key_heads) * head_dim,
        "v": size("vocab_size"),
        "p": size("n_positions", "max_position_embeddings"),
        "l": 2 + size("max_position_embeddings"),
        "t": size("type_vocab_size"),
        "b": size("max_position_embeddings")
        if config.get("position_biased_input")
        else 0,
        "r": 2 * relative if config.get("relative_attention") else 0,
        "1": 1,
        "#": size("num_hidden_groups", "num_hidden_layers", "n_layer", "n_layers"),
    }


def numbers(name: str, shape: tuple[int, ...], centre: float) -> np.ndarray:
    """Return float32 numbers within ⅜ of the centre, always the same for a name."""
    bits = np.random.PCG64(crc32(name.encode())).random_raw(int(np.prod(shape)))
    return (0.75 * ((bits >> 40) / 2**24 - 0.5) + centre).astype("<f4").reshape(shape)


_DTYPES = {"float32": "F32", "float16": "F16", "bfloat16": "BF16"}


def _as_bytes(values: np.ndarray, dtype: str) -> bytes:
    if dtype == "bfloat16":  # the first half of a float32
        return (values.view("<u4") >> 16).astype("<u2").tobytes()
    return values.astype(np.dtype(dtype).newbyteorder("<")).tobytes()


def write(
    family: str,
    folder: Path,
    *,
    head: bool | None = None,
    prefix: bool | None = None,
    dtype: str = "float32",
    shards: int = 1,
    old_norm_names: bool = False,
    leave_out: Sequence[str] = (),
    extra: Mapping[str, str] | None = None,
    **config: object,
) -> Path:
    """Write a checkpoint into a folder and return it.

    Parameters
    ----------
    family : str
        A key of `FAMILIES`.
    folder : Path
        Where; made if it is not there.
    head : bool, optional
        Whether it has a language model's head. By default decoders have one.
    prefix : bool, optional
        Whether the names of the base's tensors have their prefix. By default with a
        head.
    dtype : str
        ``"float32"``, ``"float16"`` or ``"bfloat16"``.
    shards : int
        Into how many files the tensors are dealt; several have an index.
    old_norm_names : bool
        Whether layer norms have ``gamma`` and ``beta``, as the first BERTs do.
    leave_out : Sequence[str]
        Keys that `config.json` lacks, as those of older ones do.
    extra : Mapping[str, str], optional
        More tensors, written as in the tables above.
    **config
        What `config.json` says instead of the family's own; None is written as null.
    """
    layout = FAMILIES[family]
    head = layout.decodes if head is None else head
    prefix = head if prefix is None else prefix
    settings = configure(family, head=head, **config)
    folder.mkdir(parents=True, exist_ok=True)
    said = settings | {"torch_dtype": dtype}
    said = {key: said[key] for key in sorted(said) if key not in leave_out}
    (folder / "config.json").write_text(json.dumps(said, indent=2), encoding="utf-8")
    tensors = {}
    for name, shape in shapes(
        family, settings, head=head, prefix=prefix, extra=extra or {}
    ):
        is_norm = len(shape) == 1 and name.endswith(".weight")
        centre = float(is_norm and not layout.norms_around_zero)
        values = numbers(name.removeprefix(layout.prefix), shape, centre)
        if old_norm_names:
            name = name.replace("LayerNorm.weight", "LayerNorm.gamma")
            name = name.replace("LayerNorm.bias", "LayerNorm.beta")
        tensors[name] = (_DTYPES[dtype], list(shape), _as_bytes(values, dtype))
    _save(folder, tensors, shards)
    return folder


def _save(
    folder: Path, tensors: dict[str, tuple[str, list[int], bytes]], shards: int
) -> None:
    metadata = {"__metadata__": {"format": "pt"}}
    if shards == 1:
        content = safetensors(tensors, **metadata)
        (folder / "model.safetensors").write_bytes(content)
        return
    places = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        dealt = dict(list(tensors.items())[shard::shards])
        (folder / file).write_bytes(safetensors(dealt, **metadata))
        places |= dict.fromkeys(dealt, file)
    total = sum(len(content) for _, _, content in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))


write_gpt2 = partial(write, "gpt2")
write_llama = partial(write, "llama")
write_mistral = partial(write, "mistral")
write_qwen2 = partial(write, "qwen2")
write_gemma = partial(write, "gemma")
write_gemma2 = partial(write, "gemma2")
write_gemma3 = partial(write, "gemma3_text")
write_olmo2 = partial(write, "olmo2")
write_qwen3 = partial(write, "qwen3")
write_smollm3 = partial(write, "smollm3")
write_bert = partial(write, "bert")
write_roberta = partial(write, "roberta")
write_xlm_roberta = partial(write, "xlm-roberta")
write_distilbert = partial(write, "distilbert")
