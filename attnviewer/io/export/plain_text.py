"""Texts of a document inside of other texts."""

from attnviewer.one_line import one_line


def unwrapped(text: str) -> str:
    """Return a text in one line, with single blanks for its white space."""
    return one_line(" ".join(text.split()))
