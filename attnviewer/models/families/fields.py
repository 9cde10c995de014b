"""Fields of configurations, and checks that the families share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, TypeVar

import msgspec

from attnviewer.io.strict_json import SchemaError, reason_and_location, shortened

LARGEST = 2**31 - 1

Count = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
"""A number of layers, heads or columns: at least one."""
MOST_LAYERS = 4096
Layers = Annotated[int, msgspec.Meta(ge=1, le=MOST_LAYERS)]
Index = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
"""A share of a whole, above 0."""
Positive = Annotated[float, msgspec.Meta(gt=0, le=1e100)]
"""A number above 0 whose square, too, is in range."""
WIDEST_HEAD = 2**14
"""Maximum columns of a head; models have up to 512. Frequencies of RoPE are made for it
before any tensor is looked at."""
HeadWidth = Annotated[int, msgspec.Meta(ge=1, le=WIDEST_HEAD)]

_Config = TypeVar("_Config", bound=msgspec.Struct)


def fields(
    config: Mapping[str, object], layout: type[_Config], location: str = "$"
) -> _Config:
    """Return the fields of a configuration that a family uses; others are ignored.

    Parameters
    ----------
    config : mapping of str to object
        The configuration, or a part of it.
    layout : type
        The fields.
    location : str
        The JSON path of the part.

    Raises
    ------
    SchemaError
        If one is missing, of the wrong type or out of range.
    """
    try:
        return msgspec.convert(config, layout)
    except msgspec.ValidationError as error:
        reason, where = reason_and_location(error)
        raise SchemaError(reason, location + where.removeprefix("$")) from None


def renamed(config: Mapping[str, object], **others: str) -> dict[str, object]:
    """Return a configuration with what other names of fields say.

    Parameters
    ----------
    config : mapping of str to object
        The configuration.
    **others
        The field that each other name is for. It counts even beside that field, as in
        transformers.
    """
    settings = {
        own: config[other]
        for other, own in others.items()
        if config.get(other) is not None
    }
    return {**config, **settings}


def refuse(config: Mapping[str, object], **known: object) -> None:
    """Refuse a configuration that asks for something unsupported.

    Parameters
    ----------
    config : mapping of str to object
        The configuration.
    **known
        The one value that each field may have if present.

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


@contextmanager
def located(location: str) -> Iterator[None]:
    """Say where the value of a configuration is that something else refuses.

    A `SchemaError` that says where keeps its place.

    Parameters
    ----------
    location : str
        Its JSON path.

    Raises
    ------
    SchemaError
        In place of a ValueError.
    """
    try:
        yield
    except ValueError as error:
        if isinstance(error, SchemaError) and error.location is not None:
            raise
        raise SchemaError(str(error), location) from None


def within(n_layers: int, of: str) -> int:
    """Return a number of layers that fields give together.

    Parameters
    ----------
    n_layers : int
        The number.
    of : str
        What it is made of.

    Raises
    ------
    SchemaError
        If it is out of range.
    """
    if n_layers > MOST_LAYERS:
        raise SchemaError(
            f"There may be at most {MOST_LAYERS:,} layers. Got {of} = {n_layers:,} "
            "instead.",
            "$",
        )
    return n_layers


def divided(wide: int, parts: int, name: str, parts_name: str) -> int:
    """Return the width of each of equal parts, such as heads.

    Raises
    ------
    SchemaError
        If it cannot be divided evenly, or the parts are too wide.
    """
    if wide % parts:
        raise SchemaError(
            f"The '{name}' must be a multiple of {parts_name} = {parts}. "
            f"Got {wide} instead.",
            f"$.{name}",
        )
    if wide > WIDEST_HEAD * parts:
        raise SchemaError(
            f"The '{name}' must be at most {WIDEST_HEAD:,} times "
            f"{parts_name} = {parts}. Got {wide} instead.",
            f"$.{name}",
        )
    return wide // parts
