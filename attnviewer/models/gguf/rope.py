"""Rotary positions of GGUF files."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from attnviewer.compute import Array, Rotary
from attnviewer.compute.positions.frequencies import base_frequencies
from attnviewer.io.errors import FileFormatError
from attnviewer.io.strict_json import shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.gguf.fields import Value

FACTORS = "rope_freqs.weight"
"""The tensor by which the frequencies are divided, as Llama 3's are."""
_SCALING = "rope.scaling."
_TYPE, _FACTOR = f"{_SCALING}type", f"{_SCALING}factor"
_OLD_FACTOR = "rope.scale_linear"
_FIELDS = {
    "rope_theta": "rope.freq_base",
    "factor": _FACTOR,
    "original_max_position_embeddings": f"{_SCALING}original_context_length",
    "beta_fast": f"{_SCALING}yarn_beta_fast",
    "beta_slow": f"{_SCALING}yarn_beta_slow",
}
_ATTENTION = f"{_SCALING}attn_factor", f"{_SCALING}yarn_attn_factor"
ROPE_KEYS = (
    "rope.dimension_count",
    f"{_SCALING}finetuned",
    _TYPE,
    _OLD_FACTOR,
    *_ATTENTION,
    *_FIELDS.values(),
)
"""The settings of rotary positions that are read."""
_TYPES = ("none", "linear", "yarn")


def rope_parameters(
    path: Path, prefix: str, settings: Mapping[str, Value]
) -> dict[str, object]:
    """Return the rotary parameters of a configuration of Hugging Face.

    Parameters
    ----------
    path : Path
        The file, for messages.
    prefix : str
        What the keys begin with, for messages.
    settings : mapping of str to Value
        The settings of the architecture.

    Raises
    ------
    FileFormatError
        If the frequencies are scaled in an unsupported way.
    """
    kind = settings.get(_TYPE, "linear" if _OLD_FACTOR in settings else "none")
    if kind not in _TYPES:
        raise FileFormatError(
            path,
            f"It must be one of {', '.join(_TYPES)}. "
            f"Got {shortened(repr(kind))} instead.",
            prefix + _TYPE,
        )
    found: dict[str, object] = {
        name: settings[key] for name, key in _FIELDS.items() if key in settings
    }
    found["rope_type"] = "default" if kind == "none" else kind
    if kind == "linear":
        found.setdefault("factor", settings.get(_OLD_FACTOR))
    stretch = _stretch(path, prefix, settings)
    factor = found.get("factor")
    if kind == "yarn" and isinstance(factor, float | int) and factor > 0:
        found["attention_factor"] = stretch * (0.1 * math.log(factor) + 1)
    elif stretch != 1:
        raise FileFormatError(
            path, "It is read only with YaRN.", prefix + _ATTENTION[0]
        )
    return found


def _stretch(path: Path, prefix: str, settings: Mapping[str, Value]) -> float:
    """Return the factor on queries and keys beside that of YaRN."""
    product = 1.0
    for key in _ATTENTION:
        factor = settings.get(key, 1.0)
        if not isinstance(factor, float | int) or not 0 < factor < math.inf:
            raise FileFormatError(path, "It must be a positive number.", prefix + key)
        product *= factor
    return product


def with_factors(
    path: Path, architecture: Architecture, factors: Array
) -> Architecture:
    """Return an architecture whose frequencies are divided by factors.

    Parameters
    ----------
    path : Path
        The file, for messages.
    architecture : Architecture
        With rotary positions.
    factors : ndarray, shape (d_head / 2,)
        One for each pair of columns.

    Raises
    ------
    FileFormatError
        If there are not so many, or one is not positive.
    """
    expected = (architecture.d_head // 2,)
    if factors.shape != expected:
        raise FileFormatError(
            path,
            f"It must have the shape {expected}. Got {factors.shape} instead.",
            FACTORS,
        )
    if not (np.isfinite(factors) & (factors > 0)).all():
        raise FileFormatError(path, "Its numbers must be positive.", FACTORS)
    specs = []
    for spec in architecture.attention:
        rotary = spec.positions
        if not isinstance(rotary, Rotary) or rotary.frequencies is not None:
            raise FileFormatError(
                path, "Frequencies that are scaled twice are not read.", FACTORS
            )
        own = base_frequencies(architecture.d_head, rotary.base) / factors
        turned = replace(rotary, frequencies=tuple(own.tolist()))
        specs.append(replace(spec, positions=turned))
    return replace(architecture, attention=tuple(specs))
