"""What a file of numbers holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.compute import Array


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """The arrays of a file, by name.

    Parameters
    ----------
    values : mapping of str to ndarray
        Floating-point arrays of 1 to 5 dimensions in the order of the file; they may
        be views of the file on the disk, which cannot be written to. An array without
        a name is called as its file is.
    notices : list of str
        What a person should know of how the file was read, in whole sentences.
    tokens : tuple of str
        What the file calls the rows of its arrays; empty where it does not.
    context_tokens : tuple of str
        What it calls those of the second sequence.
    statement : mapping of str to object
        What a file that was exported tells of how it was computed, unchecked; empty for
        any other file.
    tokens_of : str
        The array whose rows have these names; empty where its role decides.
    """

    values: Mapping[str, Array]
    notices: list[str] = field(default_factory=list)
    tokens: tuple[str, ...] = ()
    context_tokens: tuple[str, ...] = ()
    statement: Mapping[str, Any] = field(default_factory=dict)
    tokens_of: str = ""
