"""Texts of a document within other texts."""

from attnviewer.one_line import one_line


def unwrapped(text: str) -> str:
    """Return a text on one line, with single spaces for its white space."""
    return one_line(" ".join(text.split()))
