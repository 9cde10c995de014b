"""Reading and writing of files. No windows.

What reads files of numbers is in `attnviewer.io.importing`, and what writes
computations in `attnviewer.io.export`: an example is opened without either.
"""

from typing import TYPE_CHECKING

from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.examples import (
    ExampleInfo,
    example_ids,
    has_example_texts,
    list_examples,
    stated_notes,
    stated_title,
)
from attnviewer.io.origin import DocumentFile, Origin
from attnviewer.io.session import read_session, save_session
from attnviewer.io.source import load

if TYPE_CHECKING:
    from attnviewer.io.matrices import Matrices, read_matrices

__all__ = [
    "DocumentFile",
    "ExampleInfo",
    "FileError",
    "FileFormatError",
    "Matrices",
    "Origin",
    "example_ids",
    "has_example_texts",
    "list_examples",
    "load",
    "read_matrices",
    "read_session",
    "save_session",
    "stated_notes",
    "stated_title",
    "write_atomically",
]


def __getattr__(name: str) -> object:
    if name in ("Matrices", "read_matrices"):
        from attnviewer.io import matrices

        return getattr(matrices, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
