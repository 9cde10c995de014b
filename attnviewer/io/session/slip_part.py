"""Mistakes of a spec as plain JSON values, and back."""

from typing import Any

import msgspec

from attnviewer.compute import Slip

Plain = dict[str, Any]


def slip_to_plain(slip: Slip) -> Plain:
    """Return a mistake as plain values, without those that are the default."""
    plain: Plain = {"id": slip.id}
    if slip.variation:
        plain["variation"] = slip.variation
    if slip.parameter is not None:
        plain["parameter"] = slip.parameter
    return plain


def slip_from_plain(plain: object) -> Slip:
    """Return a mistake from plain values.

    Raises
    ------
    ValueError
        If it is none.
    """
    part = msgspec.convert(plain, _SlipPart)
    return Slip(part.id, part.variation, part.parameter)


class _SlipPart(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    variation: int = 0
    parameter: float | None = None
