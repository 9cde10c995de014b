"""Untrusted texts in messages."""

from pathlib import Path

_JOINER = "\u200d"
"""Joins several emoji into one character."""


def one_line(text: str | Path) -> str:
    """Return a text or a path with invisible characters escaped.

    Otherwise a name in a file could break a message into lines, reverse its direction,
    or be unprintable.
    """
    seen = (c if c.isprintable() or c == _JOINER else ascii(c)[1:-1] for c in str(text))
    return "".join(seen)
