"""The configuration of a model, from the metadata of a GGUF file."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from attnviewer.io.errors import FileFormatError
from attnviewer.io.strict_json import shortened
from attnviewer.models.gguf.architectures import (
    ARCHITECTURES,
    Config,
    GGUFArchitecture,
)
from attnviewer.models.gguf.fields import Value, scalar
from attnviewer.models.gguf.rope import ROPE_KEYS, rope_parameters

_ARCHITECTURE = "general.architecture"
_OPTIONAL = (
    *("num_key_value_heads", "head_dim", "n_inner", "sliding_window"),
    *("attn_logit_softcapping", "final_logit_softcapping"),
)
"""The defaults of fields that a file may leave out, as in llama.cpp."""
_WITHOUT_EFFECT = frozenset(
    (
        "attention.value_length",
        "attention.sliding_window",
        "expert_count",
        "expert_used_count",
        "tensor_data_layout",
        "vocab_size",
    )
)
"""Settings that are checked below, or that only say what follows from the others.

And the window, for those that have none among their keys: llama.cpp does not read it.
"""


def architecture_of(path: Path, metadata: Mapping[str, Value]) -> GGUFArchitecture:
    """Return the architecture of a file.

    Raises
    ------
    FileFormatError
        If it is not supported, or the file is a part of several.
    """
    n_files = metadata.get("split.count", 1)
    if not isinstance(n_files, int) or n_files > 1:
        raise FileFormatError(
            path,
            "It is one of several files of a model. Merge them first: "
            "llama-gguf-split --merge.",
            "split.count",
        )
    found = metadata.get(_ARCHITECTURE)
    if not isinstance(found, str) or found not in ARCHITECTURES:
        raise FileFormatError(
            path,
            f"The architecture must be one of {', '.join(ARCHITECTURES)}. "
            f"Got {shortened(repr(found))} instead.",
            _ARCHITECTURE,
        )
    return ARCHITECTURES[found]


def configuration(
    path: Path, metadata: Mapping[str, Value], shapes: Mapping[str, tuple[int, ...]]
) -> Config:
    """Return the configuration that Hugging Face's ``config.json`` would hold.

    Parameters
    ----------
    path : Path
        The file, for messages.
    metadata : mapping of str to Value
        Its settings.
    shapes : mapping of str to tuple of int
        The shape of each tensor, by GGUF's name.

    Raises
    ------
    FileFormatError
        If a setting is missing or not supported.
    """
    architecture = architecture_of(path, metadata)
    prefix = f"{metadata[_ARCHITECTURE]}."
    settings = {
        key.removeprefix(prefix): _single(path, key, value)
        for key, value in metadata.items()
        if key.startswith(prefix)
    }
    _check_supported(path, prefix, settings, architecture)
    config: Config = {"model_type": architecture.model_type, **architecture.fixed}
    for name, key in architecture.keys.items():
        if key in settings:
            config[name] = settings[key]
        elif name not in _OPTIONAL:
            raise FileFormatError(path, "This setting is missing.", prefix + key)
    config["vocab_size"] = shapes.get("token_embd.weight", (0,))[0]
    config["tie_word_embeddings"] = "output.weight" not in shapes
    config["attention_bias"] = "blk.0.attn_output.bias" in shapes
    config["mlp_bias"] = "blk.0.ffn_gate.bias" in shapes
    config["rope_parameters"] = rope_parameters(path, prefix, settings)
    return architecture.completed(config)


def _single(path: Path, key: str, value: Value) -> Value:
    """Return the value of a setting that may be given for each layer."""
    if not isinstance(value, np.ndarray):
        return value
    if not value.size or (value != value[0]).any():
        raise FileFormatError(
            path, "Settings that differ from layer to layer are not read.", key
        )
    return scalar(value[0])


def _check_supported(
    path: Path,
    prefix: str,
    settings: Mapping[str, Value],
    architecture: GGUFArchitecture,
) -> None:
    """Check that no setting would be ignored."""
    known = {*architecture.keys.values(), *ROPE_KEYS, *_WITHOUT_EFFECT}
    for key, value in settings.items():
        if key not in known:
            raise FileFormatError(
                path,
                f"This setting ({shortened(repr(value))}) is not known here: without "
                "it the results would be others.",
                shortened(prefix + key),
            )
    width = settings.get("attention.key_length")
    for key, expected in (
        ("expert_count", 0),
        ("attention.value_length", width),
        ("tensor_data_layout", "Meta AI original pth"),
    ):
        if settings.get(key, expected) != expected:
            raise FileFormatError(
                path,
                f"Only {expected!r} is computed here. "
                f"Got {shortened(repr(settings[key]))} instead.",
                prefix + key,
            )
    _check_rotated(path, prefix, settings)


def _check_rotated(path: Path, prefix: str, settings: Mapping[str, Value]) -> None:
    """Check that all columns of a head rotate."""
    rotated = settings.get("rope.dimension_count")
    wide, heads = settings.get("embedding_length"), settings.get("attention.head_count")
    columns = settings.get("attention.key_length")
    if columns is None and isinstance(wide, int) and isinstance(heads, int) and heads:
        columns = wide // heads
    if rotated is not None and rotated != columns:
        raise FileFormatError(
            path,
            f"All {columns} columns of a head must rotate. "
            f"Got {shortened(repr(rotated))} instead.",
            f"{prefix}rope.dimension_count",
        )
