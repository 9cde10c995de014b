"""The weight that a document is about."""

from typing import NamedTuple


class FirstCell(NamedTuple):
    """The attention weight that is selected when the document is opened."""

    query: int
    key: int
    head: int = 0
