"""The description beside a kept document, as strict JSON."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, bare, decode, encode

LIMIT = 2**20
"""Maximum size in bytes."""


class About(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The description of a kept document.

    Parameters
    ----------
    title : str
        Its title.
    file : str or None
        The file that it came from or was saved to, if any.
    stamp : tuple of int or None
        The `Stamp` of that file then.
    content : str
        A summary that distinguishes it from others with the same title.
    change : str
        The last edit and how many there were, in words.
    time : datetime
        When it was kept, with its time zone.
    """

    title: str
    file: str | None = None
    stamp: tuple[int, int, int] | None = None
    content: str = ""
    change: str = ""
    time: datetime = msgspec.field(default_factory=partial(datetime.now, UTC))
    format: Literal["attnviewer-recovery"] = "attnviewer-recovery"
    version: Literal[1] = 1


def write_about(about: About, path: Path) -> None:
    """Write the description atomically.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    write_atomically(path, encode(about))


def read_about(path: Path) -> About | None:
    """Return the description; None if it is missing or damaged."""
    try:
        about = decode(bare(read_bounded(path, LIMIT)), About)
    except (FileError, SchemaError):
        return None
    return about if about.time.tzinfo is not None else None
