"""Rotary positions according to a model's configuration."""

import math
from collections.abc import Mapping
from typing import Annotated

import msgspec

from attnviewer.compute import Rotary
from attnviewer.compute.positions import (
    longrope_attention_factor,
    longrope_frequencies,
)
from attnviewer.compute.positions.rotary_scaling import (
    linear_frequencies,
    llama3_frequencies,
    yarn_attention_factor,
    yarn_frequencies,
)
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.extended_rotary import ExtendedRotary
from attnviewer.models.families.fields import (
    Count,
    Positive,
    Share,
    fields,
    located,
)

BASE = 10000.0
_LENGTH = "original_max_position_embeddings"
_ABOVE = ("rope_theta", _LENGTH)
_KNOWN = ("default", "linear", "llama3", "yarn")
_GROWING = ("dynamic", "longrope")
"""Rotations that change with the length of the sentence."""
_Factor = Annotated[float, msgspec.Meta(ge=1e-100, le=1e100)]
"""A number above 0 whose reciprocal, too, is in range."""
_Growth = Annotated[float, msgspec.Meta(ge=0, le=1e100)]
"""A number that is 0 where it has no effect."""


class _Rope(msgspec.Struct):
    rope_type: str = "default"
    rope_theta: Positive = BASE


class _Share(msgspec.Struct):
    partial_rotary_factor: Share | None = None


class _Longest(msgspec.Struct):
    max_position_embeddings: Count | None = None


class _Linear(msgspec.Struct):
    factor: _Factor


class _Trained(msgspec.Struct):
    max_position_embeddings: Count


class _Llama3(msgspec.Struct):
    factor: _Factor
    low_freq_factor: _Factor
    high_freq_factor: _Factor
    original_max_position_embeddings: Count


class _Yarn(msgspec.Struct):
    factor: _Factor
    original_max_position_embeddings: Count
    attention_factor: Positive | None = None
    beta_fast: _Factor | None = None
    beta_slow: _Factor | None = None
    mscale: _Growth | None = None
    mscale_all_dim: _Growth | None = None
    truncate: bool = True


class _LongRope(msgspec.Struct):
    short_factor: tuple[Positive, ...]
    long_factor: tuple[Positive, ...]
    original_max_position_embeddings: Count
    factor: _Factor | None = None
    attention_factor: Positive | None = None


def read_rotary(
    config: Mapping[str, object],
    d_head: int,
    share: float | None = None,
    *,
    grows: bool = False,
) -> tuple[Rotary, float]:
    """Return the rotary positions of a model.

    Parameters
    ----------
    config : mapping of str to object
        The configuration, with ``rope_parameters`` or, in older ones, ``rope_theta``
        and ``rope_scaling``.
    d_head : int
        Columns of a head.
    share : float, optional
        The share of these columns that rotate, unless the rotary parameters say
        another one. By default all do, whatever the parameters say.
    grows : bool
        Whether `read_extended` reads the rotation beyond the trained length.
        By default, kinds with which they are rotated otherwise are refused.

    Returns
    -------
    rotary : Rotary
        The frequencies.
    stretch : float
        The factor on rotated queries and keys. 1 where it is the attention factor of
        `rotary`, as only some columns rotate.

    Raises
    ------
    SchemaError
        If the configuration is invalid, or asks for another kind of rotation.
    """
    return _read(config, d_head, share, known=(*_KNOWN, *_GROWING * grows))


def read_extended(
    config: Mapping[str, object], d_head: int, share: float | None = None
) -> ExtendedRotary | None:
    """Return how a model rotates sentences beyond the length that it was trained on.

    Parameters
    ----------
    config, d_head, share
        See `read_rotary`.

    Returns
    -------
    ExtendedRotary or None
        None if it rotates all sentences alike.

    Raises
    ------
    SchemaError
        If the configuration is invalid.
    """
    location, parameters = _parameters(config)
    kind = fields(parameters, _Rope, location).rope_type
    if kind not in _GROWING:
        return None
    known = (*_KNOWN, *_GROWING)
    rotary, _ = _read(config, d_head, share, known=known, long=True)
    if kind == "longrope":
        trained = fields(parameters, _LongRope, location)
        return ExtendedRotary(trained.original_max_position_embeddings, rotary)
    length = fields(config, _Trained).max_position_embeddings
    width = rotary.rotary_dim or d_head
    if width < 4:
        raise SchemaError(
            f"A rotation that grows must have at least 4 columns. Got {width} instead.",
            location,
        )
    factor = fields(parameters, _Linear, location).factor
    return ExtendedRotary(length, rotary, factor, width)


def _read(
    config: Mapping[str, object],
    d_head: int,
    share: float | None,
    *,
    known: tuple[str, ...],
    long: bool = False,
) -> tuple[Rotary, float]:
    """Return the rotary positions and the stretch, see `read_rotary`.

    With `long` those beyond the trained length; a base that grows is that within it.
    """
    location, parameters = _parameters(config)
    parsed = fields(parameters, _Rope, location)
    width = d_head
    if share is not None:
        own = fields(parameters, _Share, location).partial_rotary_factor
        width = int(d_head * (share if own is None else own))
    if width % 2 or not width:
        raise SchemaError(
            f"The rotated columns of a head must be even in number. Got {width} "
            "instead.",
            location,
        )
    if parsed.rope_type not in known:
        raise SchemaError(
            f"It must be one of {', '.join(known)}. "
            f"Got '{shortened(parsed.rope_type)}' instead.",
            f"{location}.rope_type",
        )
    with located(location):
        frequencies, stretch = _scaled(
            config, parameters, location, parsed, width, long=long
        )
    base = parsed.rope_theta
    if width == d_head:
        return Rotary(base=base, frequencies=frequencies), stretch
    rotary = Rotary(
        base=base, rotary_dim=width, frequencies=frequencies, attention_factor=stretch
    )
    return rotary, 1.0


def stretched_scale(
    stretch: float, d_head: int, scale: float | None = None
) -> float | None:
    """Return the factor on scores of queries and keys that are both stretched.

    Parameters
    ----------
    stretch : float
        The factor on them, as `read_rotary` returns it.
    d_head : int
        Columns of a head.
    scale : float, optional
        The factor on the scores without it; 1/√d_head by default.
    """
    if stretch == 1:
        return scale
    return stretch**2 * (1 / math.sqrt(d_head) if scale is None else scale)


def _scaled(
    config: Mapping[str, object],
    parameters: Mapping[str, object],
    location: str,
    parsed: _Rope,
    width: int,
    *,
    long: bool,
) -> tuple[tuple[float, ...] | None, float]:
    """Return the frequencies of `width` columns, and the factor on what they rotate.

    None stands for the frequencies of the base.
    """
    base = parsed.rope_theta
    if parsed.rope_type == "linear":
        factor = fields(parameters, _Linear, location).factor
        return linear_frequencies(width, base, factor=factor), 1.0
    if parsed.rope_type == "llama3":
        llama3 = fields(parameters, _Llama3, location)
        frequencies = llama3_frequencies(
            width,
            base,
            factor=llama3.factor,
            low_frequency_factor=llama3.low_freq_factor,
            high_frequency_factor=llama3.high_freq_factor,
            trained_length=llama3.original_max_position_embeddings,
        )
        return frequencies, 1.0
    if parsed.rope_type == "yarn":
        yarn = fields(parameters, _Yarn, location)
        frequencies = yarn_frequencies(
            width,
            base,
            factor=yarn.factor,
            trained_length=yarn.original_max_position_embeddings,
            beta_fast=yarn.beta_fast or 32.0,
            beta_slow=yarn.beta_slow or 1.0,
            truncate=yarn.truncate,
        )
        return frequencies, yarn.attention_factor or yarn_attention_factor(
            yarn.factor, mscale=yarn.mscale, mscale_all_dim=yarn.mscale_all_dim
        )
    if parsed.rope_type == "longrope":
        longrope = fields(parameters, _LongRope, location)
        name = "long_factor" if long else "short_factor"
        factors = longrope.long_factor if long else longrope.short_factor
        if 2 * len(factors) != width:
            raise SchemaError(
                f"There must be {width // 2}, one for each pair of columns. "
                f"Got {len(factors)} instead.",
                f"{location}.{name}",
            )
        frequencies = longrope_frequencies(width, base, factors)
        stretch = longrope.attention_factor or _longrope_stretch(config, longrope)
        return frequencies, stretch
    return None, 1.0


def _longrope_stretch(config: Mapping[str, object], longrope: _LongRope) -> float:
    trained = longrope.original_max_position_embeddings
    longest = fields(config, _Longest).max_position_embeddings or trained
    return longrope_attention_factor(longrope.factor or longest / trained, trained)


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
