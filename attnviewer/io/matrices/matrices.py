"""The content of a file of numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.compute import Array


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """The named arrays of a file, with its remarks and tokens.

    Parameters
    ----------
    values : mapping of str to ndarray
        Floating-point arrays of 1 to 5 dimensions in the order of the file, possibly
        read-only views of the mapped file. An unnamed array is named after its file.
    notices : list of str
        Remarks for the user on how the file was read, as sentences.
    tokens : tuple of str
        The file's names of the rows of its arrays, if any.
    context_tokens : tuple of str
        Those of the second sequence.
    statement : mapping of str to object
        The statement of an exported file, unchecked; empty for any other file.
    tokens_of : str
        The array whose rows have these names; "" if its role decides.
    """

    values: Mapping[str, Array]
    notices: list[str] = field(default_factory=list)
    tokens: tuple[str, ...] = ()
    context_tokens: tuple[str, ...] = ()
    statement: Mapping[str, Any] = field(default_factory=dict)
    tokens_of: str = ""
