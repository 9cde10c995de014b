"""Fields of configurations of models that read pictures."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from attnviewer.io.strict_json import SchemaError
from attnviewer.models.families.fields import Count
from attnviewer.models.vision import PictureInput

Side = Annotated[int, msgspec.Meta(ge=1, le=2**16)]
# Not a tuple: msgspec 0.22 crashes on one of constrained numbers when garbage is
# collected.
Sides = Side | Annotated[list[Side], msgspec.Meta(min_length=2, max_length=2)]
"""A side of a square, or height and width, in pixels."""


def picture_input(
    image_size: int | Sequence[int],
    patch_size: int | Sequence[int],
    channels: Count,
    special: Mapping[str, str],
    d_model: int,
    *,
    stacked: bool,
) -> PictureInput:
    """Return the pictures of a vision transformer.

    Parameters
    ----------
    image_size, patch_size : int or sequence of int
        Of the pictures and of a patch.
    channels : int
        Channels of a picture.
    special : mapping of str to str
        The tokens before the patches, and the part that holds each.
    d_model : int
        Width of the hidden states.
    stacked : bool
        Whether the tables have a first axis of one picture.

    Raises
    ------
    SchemaError
        If a patch is larger than the picture.
    """
    size, patch = _height_and_width(image_size), _height_and_width(patch_size)
    if patch[0] > size[0] or patch[1] > size[1]:
        raise SchemaError(
            f"It must be at most the image_size, {size[0]} × {size[1]}. "
            f"Got {patch[0]} × {patch[1]} instead.",
            "$.patch_size",
        )
    given = PictureInput(size, patch, channels, special, {})
    row = (1, 1, d_model) if stacked else (d_model,)
    table = given.n_positions, d_model
    shapes: dict[str, tuple[int, ...]] = {
        "patches.weight": (d_model, channels, *patch),
        "places": (1, *table) if stacked else table,
        **dict.fromkeys(special.values(), row),
    }
    return PictureInput(size, patch, channels, special, shapes)


def _height_and_width(side: int | Sequence[int]) -> tuple[int, int]:
    height, width = (side, side) if isinstance(side, int) else side
    return height, width
