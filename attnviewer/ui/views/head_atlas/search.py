"""Heads by their names, as they are typed."""

import re
from collections.abc import Iterable

from attnviewer.compute import HeadLocation

_NAME = re.compile(r"(?:L?(?P<layer>\d+))?[\s.,/·]*(?:H?(?P<head>\d+))?", re.IGNORECASE)
_HEAD = re.compile(r"H(?P<head>\d+)", re.IGNORECASE)


def heads_named(
    text: str, locations: Iterable[HeadLocation]
) -> frozenset[HeadLocation] | None:
    """Return the heads that a text names.

    ``L3 H1``, ``3 1`` and ``3.1`` name one, ``L3`` all of a layer, ``H1`` that of each.

    Parameters
    ----------
    text : str
        What was typed.
    locations : iterable of HeadLocation
        All heads.

    Returns
    -------
    frozenset of HeadLocation or None
        None if the text is blank; empty if it names none.
    """
    text = text.strip()
    if not text:
        return None
    found = _HEAD.fullmatch(text) or _NAME.fullmatch(text)
    if found is None:
        return frozenset()
    wanted = {name: int(number) for name, number in found.groupdict().items() if number}
    return frozenset(
        location
        for location in locations
        if all(getattr(location, name) == number for name, number in wanted.items())
    )
