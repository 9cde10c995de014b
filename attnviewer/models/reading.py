"""The architecture of a checkpoint, read from its configuration."""

from collections.abc import Mapping

from attnviewer.io import FileFormatError
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.chosen_head import with_head
from attnviewer.models.families import FAMILIES
from attnviewer.models.families.clip import read_clip
from attnviewer.models.layers import ACTIVATIONS

SHOWN = 2
"""How many tensors of an unsupported checkpoint a message lists."""


def read_architecture(checkpoint: Checkpoint, tower: str = "") -> Architecture:
    """Return the architecture of a checkpoint, or of one of its towers (CLIP).

    Raises
    ------
    FileFormatError
        If its family is not supported, or its configuration not valid.
    """
    config_path = checkpoint.described_by
    found = checkpoint.config.get("model_type")
    read = FAMILIES.get(found) if isinstance(found, str) else None
    if read is None:
        some = ", ".join(shortened(name) for name in list(checkpoint.names)[:SHOWN])
        raise FileFormatError(
            config_path,
            f"The model type must be one of {', '.join(FAMILIES)}. "
            f"Got {shortened(repr(found))} instead, with {len(checkpoint.names)} "
            f"tensors such as {some}. Its Q, K and V, or X and its weights, can be "
            "imported by hand; attnviewer.record records models that PyTorch runs.",
            "$.model_type",
        )
    try:
        config = checkpoint.config
        architecture = read_clip(config, tower) if tower else read(config)
        _check_plain(config, architecture.dequantized)
        architecture = with_head(architecture, checkpoint)
        _check_activation(config, architecture.activation)
        if architecture.head is not None and architecture.head.activation:
            _check_activation(config, architecture.head.activation)
    except SchemaError as error:
        raise FileFormatError(config_path, str(error), error.location) from None
    except ValueError as error:
        raise FileFormatError(config_path, str(error)) from None
    return checkpoint.adapted(architecture)


def _check_activation(config: Mapping[str, object], name: str) -> None:
    if name not in ACTIVATIONS:
        found = (field for field, value in config.items() if value == name)
        raise SchemaError(
            f"The activation must be one of {', '.join(ACTIVATIONS)}. "
            f"Got '{shortened(name)}' instead.",
            f"$.{next(found, '')}".rstrip("."),
        )


def _check_plain(config: Mapping[str, object], known: str) -> None:
    """Check that the weights are floating-point numbers, or packed in a known way."""
    given = config.get("quantization_config")
    if not given:
        return
    location, method = "$.quantization_config", given
    if isinstance(given, Mapping) and "quant_method" in given:
        location += ".quant_method"
        method = given["quant_method"]
    if method != known:
        also = f" and {known}" if known else ""
        raise SchemaError(
            f"Only plain weights{also} are read, no other quantised ones. "
            f"Got {shortened(repr(method))} instead.",
            location,
        )
