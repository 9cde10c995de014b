"""A spec, its positions and recipes as plain JSON values, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec

from attnviewer.compute import Rotary, RotaryAxes, Spec
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.positions import Positions
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.stages.offsets import PerItem
from attnviewer.document import Draw, Recipe
from attnviewer.document.drawing.distributions import Distribution, GeneratorName
from attnviewer.io.npy import MOST_DIMENSIONS
from attnviewer.io.session.pin_part import pin_from_plain, pin_to_plain
from attnviewer.io.session.slip_part import slip_from_plain, slip_to_plain
from attnviewer.io.strict_json import shortened

Plain = dict[str, Any]
_Kind = TypeVar("_Kind")

PER_ITEM = "query_offset", "key_lengths"
"""Fields of a spec that hold a number, or numbers nested like the batch."""


def spec_to_plain(spec: Spec) -> Plain:
    """Return the fields of a spec that differ from the default."""
    plain: Plain = {}
    for field in fields(Spec):
        value = getattr(spec, field.name)
        if value != field.default:
            plain[field.name] = value
    if spec.positions is not None:
        plain["positions"] = _tagged(spec.positions)
        if plain["positions"].get("attention_factor") == 1:
            del plain["positions"]["attention_factor"]  # unknown to version 0.1
    if spec.qk_norm is not None:
        plain["qk_norm"] = msgspec.to_builtins(spec.qk_norm)
    if spec.length_scale is not None:
        plain["length_scale"] = msgspec.to_builtins(spec.length_scale)
    if spec.pins:
        plain["pins"] = [pin_to_plain(pin) for pin in spec.pins]
    if spec.mistakes:
        plain["mistakes"] = [slip_to_plain(slip) for slip in spec.mistakes]
    return plain


def spec_from_plain(plain: Mapping[str, Any]) -> Spec:
    """Return a spec from plain values.

    Raises
    ------
    ValueError
        If a field is unknown, of another type, or contradicts another.
    """
    types = get_type_hints(Spec)
    values: Plain = {}
    for name, value in plain.items():
        if name not in types:
            raise ValueError(f"There is no '{shortened(name)}' in a spec.")
        if name == "positions":
            values[name] = _untagged(value, get_args(Positions))
        elif name == "qk_norm":
            values[name] = None if value is None else _of_fields(value, QKNorm, name)
        elif name == "length_scale":
            rule = None if value is None else _of_fields(value, LengthScale, name)
            values[name] = rule
        elif name in PER_ITEM:
            none = value is None and name == "key_lengths"
            values[name] = None if none else _per_item(value)
        elif name == "pins":
            values[name] = tuple(map(pin_from_plain, msgspec.convert(value, list[Any])))
        elif name == "mistakes":
            slips = msgspec.convert(value, list[Any])
            values[name] = tuple(map(slip_from_plain, slips))
        else:
            values[name] = msgspec.convert(value, types[name])
    return Spec(**values)


def recipe_to_plain(recipe: Recipe) -> Plain:
    """Return a recipe as plain values."""
    draws = []
    for draw in recipe.draws:
        plain = {name: getattr(draw, name) for name in ("shape", "row", "column")}
        plain["distribution"] = _tagged(draw.distribution)
        if draw.matrix is not None:
            plain["matrix"] = draw.matrix
        draws.append(plain)
    return {"seed": recipe.seed, "generator": recipe.generator, "draws": draws}


def recipe_from_plain(plain: Mapping[str, Any]) -> Recipe:
    """Return a recipe from plain values.

    Raises
    ------
    ValueError
        If it is not a recipe, or cannot be drawn.
    """
    part = msgspec.convert(plain, _RecipePart)
    draws = tuple(
        Draw(
            draw.shape,
            cast("Distribution", _untagged(draw.distribution, get_args(Distribution))),
            draw.matrix,
            draw.row,
            draw.column,
        )
        for draw in part.draws
    )
    return Recipe(part.seed, draws, part.generator)


class _DrawPart(msgspec.Struct, forbid_unknown_fields=True):
    shape: tuple[int, int]
    distribution: Plain
    matrix: str | None = None
    row: int = 0
    column: int = 0


class _RecipePart(msgspec.Struct, forbid_unknown_fields=True):
    seed: int
    generator: GeneratorName
    draws: list[_DrawPart]


def _tagged(value: object) -> Plain:
    """Return a dataclass as plain values, tagged with its kind, without None."""
    plain: Plain = msgspec.to_builtins(value)
    present = {name: part for name, part in plain.items() if part is not None}
    return {"kind": type(value).__name__.lower(), **present}


def _untagged(plain: Mapping[str, Any], kinds: tuple[type[_Kind], ...]) -> _Kind:
    """Return a tagged dataclass from plain values."""
    if not isinstance(plain, Mapping):
        raise ValueError(f"It must be an object. Got {shortened(repr(plain))} instead.")
    names = {kind.__name__.lower(): kind for kind in kinds}
    kind_name = plain.get("kind")
    kind = names.get(kind_name) if isinstance(kind_name, str) else None
    if kind is None:
        raise ValueError(
            f"The 'kind' must be one of {', '.join(names)}. "
            f"Got {shortened(repr(plain.get('kind')))} instead."
        )
    own = {name: value for name, value in plain.items() if name != "kind"}
    return _of_fields(own, kind, kind.__name__.lower())


def _of_fields(plain: object, kind: type[_Kind], called: str) -> _Kind:
    """Return a dataclass from plain values, all of which must be its own."""
    fields_of = msgspec.convert(plain, dict[str, Any])
    for name in fields_of.keys() - get_type_hints(kind).keys():
        raise ValueError(f"There is no '{shortened(name)}' in '{called}'.")
    if kind is Rotary and fields_of.get("axes") is not None:
        fields_of["axes"] = _of_fields(fields_of["axes"], RotaryAxes, "axes")
    return msgspec.convert(fields_of, kind)


def _per_item(value: object, axes: int = MOST_DIMENSIONS) -> PerItem:
    if type(value) is int:
        return value
    if not isinstance(value, list):
        raise ValueError(
            f"It must be whole numbers. Got {shortened(repr(value))} instead."
        )
    if not axes:
        raise ValueError("Its lists are nested too deeply.")
    return tuple(_per_item(item, axes - 1) for item in value)
