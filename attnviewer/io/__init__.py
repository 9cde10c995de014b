"""Files in and out. No windows."""

from attnviewer.io.atomic import write_atomically
from attnviewer.io.csv_export import export_all, export_step, select_steps
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.examples import ExampleInfo, example_ids, list_examples
from attnviewer.io.matrices import Matrices, read_matrices
from attnviewer.io.origin import DocumentFile, Origin
from attnviewer.io.session import read_session, save_session
from attnviewer.io.source import load

__all__ = [
    "DocumentFile",
    "ExampleInfo",
    "FileError",
    "FileFormatError",
    "Matrices",
    "Origin",
    "example_ids",
    "export_all",
    "export_step",
    "list_examples",
    "load",
    "read_matrices",
    "read_session",
    "save_session",
    "select_steps",
    "write_atomically",
]
