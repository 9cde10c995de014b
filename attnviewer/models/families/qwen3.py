"""Qwen3 (Yang et al. 2025): Qwen2 with normalised queries and keys, without biases."""

from collections.abc import Mapping

from attnviewer.compute import QKNorm
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import HeadWidth, fields
from attnviewer.models.families.llama import (
    Llama,
    biases_of,
    decoder,
    with_last_windows,
)


class _Qwen3(Llama):
    head_dim: HeadWidth | None = 128


def read_qwen3(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of Qwen3."""
    parsed = fields(config, _Qwen3)
    norm = QKNorm(epsilon=parsed.rms_norm_eps)
    qwen = decoder(config, parsed, "Qwen3", biases_of(parsed), qk_norm=norm)
    return with_last_windows(qwen, config, parsed)
