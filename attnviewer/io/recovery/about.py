"""What is told of a kept document beside it: strict JSON."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import encode

LIMIT = 2**20
"""Bytes that it may have."""


class About(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a kept document is.

    Parameters
    ----------
    title : str
        What it is called.
    file : str or None
        The file that it came from or was saved to, if any.
    stamp : tuple of int or None
        What told that file from others then.
    content : str
        A summary that tells it from others of its title.
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
    """Write it, whole or not at all.

    Raises
    ------
    FileError
        If that cannot be.
    """
    write_atomically(path, encode(about))


def read_about(path: Path) -> About | None:
    """Return what was written; None if it is missing or damaged."""
    try:
        about = msgspec.json.decode(read_bounded(path, LIMIT), type=About)
    except (FileError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return about if about.time.tzinfo is not None else None
