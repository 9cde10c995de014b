"""Rotary positions according to a model's configuration."""

from collections.abc import Mapping

import msgspec

from attnviewer.compute import Rotary
from attnviewer.compute.positions.rotary_scaling import (
    linear_frequencies,
    llama3_frequencies,
    yarn_attention_factor,
    yarn_frequencies,
)
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.families.fields import Count, Positive, fields

BASE = 10000.0
_LENGTH = "original_max_position_embeddings"
_ABOVE = ("rope_theta", _LENGTH)
_KNOWN = ("default", "linear", "llama3", "yarn")


class _Rope(msgspec.Struct):
    rope_type: str = "default"
    rope_theta: Positive = BASE


class _Linear(msgspec.Struct):
    factor: Positive


class _Llama3(msgspec.Struct):
    factor: Positive
    low_freq_factor: Positive
    high_freq_factor: Positive
    original_max_position_embeddings: Count


class _Yarn(msgspec.Struct):
    factor: Positive
    original_max_position_embeddings: Count
    attention_factor: Positive | None = None
    beta_fast: Positive | None = None
    beta_slow: Positive | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None
    truncate: bool = True


def read_rotary(config: Mapping[str, object], d_head: int) -> tuple[Rotary, float]:
    """Return the rotary positions of a model.

    Parameters
    ----------
    config : mapping of str to object
        The configuration, with ``rope_parameters`` or, in older ones, ``rope_theta``
        and ``rope_scaling``.
    d_head : int
        Columns of a head.

    Returns
    -------
    rotary : Rotary
        The frequencies.
    stretch : float
        The factor on rotated queries and keys.

    Raises
    ------
    SchemaError
        If the configuration is invalid, or asks for another kind of rotation.
    """
    location, parameters = _parameters(config)
    parsed = fields(parameters, _Rope, location)
    if d_head % 2:
        raise SchemaError(
            f"The columns of a head must be even to turn. Got {d_head} instead.",
            location,
        )
    if parsed.rope_type not in _KNOWN:
        raise SchemaError(
            f"It must be one of {', '.join(_KNOWN)}. "
            f"Got '{shortened(parsed.rope_type)}' instead.",
            f"{location}.rope_type",
        )
    base, frequencies, stretch = parsed.rope_theta, None, 1.0
    if parsed.rope_type == "linear":
        factor = fields(parameters, _Linear, location).factor
        frequencies = linear_frequencies(d_head, base, factor=factor)
    elif parsed.rope_type == "llama3":
        llama3 = fields(parameters, _Llama3, location)
        frequencies = llama3_frequencies(
            d_head,
            base,
            factor=llama3.factor,
            low_frequency_factor=llama3.low_freq_factor,
            high_frequency_factor=llama3.high_freq_factor,
            trained_length=llama3.original_max_position_embeddings,
        )
    elif parsed.rope_type == "yarn":
        yarn = fields(parameters, _Yarn, location)
        frequencies = yarn_frequencies(
            d_head,
            base,
            factor=yarn.factor,
            trained_length=yarn.original_max_position_embeddings,
            beta_fast=yarn.beta_fast or 32.0,
            beta_slow=yarn.beta_slow or 1.0,
            truncate=yarn.truncate,
        )
        stretch = yarn.attention_factor or yarn_attention_factor(
            yarn.factor, mscale=yarn.mscale, mscale_all_dim=yarn.mscale_all_dim
        )
    return Rotary(base=base, frequencies=frequencies), stretch


def _parameters(config: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """Return the JSON path of the rotary parameters, and the parameters.

    As in transformers: the trained length at the top level wins, and is the longest
    input by default.
    """
    names = ("rope_scaling", "rope_parameters")
    name = next((n for n in names if config.get(n) is not None), None)
    given = {} if name is None else config[name]
    if not isinstance(given, Mapping):
        raise SchemaError(
            f"Expected an object, got {shortened(repr(given))}.", f"$.{name}"
        )
    above = {key: config[key] for key in _ABOVE if config.get(key) is not None}
    own = {key: value for key, value in given.items() if value is not None}
    parameters = {_LENGTH: config.get("max_position_embeddings"), **above, **own}
    if _LENGTH in above:
        parameters[_LENGTH] = above[_LENGTH]
    if "type" in parameters:  # its first name
        parameters.setdefault("rope_type", parameters["type"])
    return ("$" if name is None else f"$.{name}"), parameters
