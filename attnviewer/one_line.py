"""Texts of others, as they may stand in a sentence."""

from pathlib import Path

_JOINER = "\u200d"
"""What makes one sign of several emoji."""


def one_line(text: str | Path) -> str:
    """Return a text or a path with what cannot be seen written out.

    Otherwise a name in a file could break a message into lines, turn its letters
    round, or be no text that can be printed at all.
    """
    seen = (c if c.isprintable() or c == _JOINER else ascii(c)[1:-1] for c in str(text))
    return "".join(seen)
