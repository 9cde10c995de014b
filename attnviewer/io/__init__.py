"""Reading and writing of files. No windows.

What reads files of numbers is in `attnviewer.io.importing`, and what writes
computations in `attnviewer.io.export`: an example is opened without either.
"""

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

__all__ = [
    "DocumentFile",
    "ExampleInfo",
    "FileError",
    "FileFormatError",
    "Origin",
    "example_ids",
    "has_example_texts",
    "list_examples",
    "load",
    "read_session",
    "save_session",
    "stated_notes",
    "stated_title",
    "write_atomically",
]
