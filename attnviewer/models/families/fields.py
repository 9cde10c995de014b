"""Kinds of fields that descriptions of models share."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec

from attnviewer.io.strict_json import SchemaError, reason_and_place, shortened

LARGEST = 2**31 - 1

Count = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
"""Of layers, heads, columns: at least one."""
Layers = Annotated[int, msgspec.Meta(ge=1, le=4096)]
Index = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=1e300)]

_Config = TypeVar("_Config", bound=msgspec.Struct)


def fields(
    config: Mapping[str, object], layout: type[_Config], place: str = "$"
) -> _Config:
    """Return the fields that a family has of a description; others are left alone.

    Parameters
    ----------
    config : mapping of str to object
        The description, or a part of it.
    layout : type
        The fields.
    place : str
        Where in the file the part is.

    Raises
    ------
    SchemaError
        If one is missing, of another kind or out of range.
    """
    try:
        return msgspec.convert(config, layout)
    except msgspec.ValidationError as error:
        reason, where = reason_and_place(error)
        raise SchemaError(reason, place + where.removeprefix("$")) from None


def refuse(config: Mapping[str, object], **known: object) -> None:
    """Refuse a description in which a field asks for what is not computed.

    Parameters
    ----------
    config : mapping of str to object
        The description.
    **known
        The one value that each field may have where it is there.

    Raises
    ------
    SchemaError
        With the field.
    """
    for name, value in known.items():
        if config.get(name) not in (None, value):
            raise SchemaError(
                f"Only {value!r} is computed here. "
                f"Got {shortened(repr(config[name]))} instead.",
                f"$.{name}",
            )


def divided(wide: int, parts: int, name: str, parts_name: str) -> int:
    """Return the width of each of some equal parts.

    Raises
    ------
    SchemaError
        If it cannot be divided so.
    """
    if wide % parts:
        raise SchemaError(
            f"The '{name}' must be a multiple of {parts_name} = {parts}. "
            f"Got {wide} instead.",
            f"$.{name}",
        )
    return wide // parts
