"""Reading and writing of files. No windows."""

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
from attnviewer.io.export import (
    FORMATS,
    Choice,
    Computation,
    FoldedWeights,
    SeveralMatricesError,
    export,
    export_all,
    export_step,
    file_stem,
    matrix_text,
    select_steps,
    statement,
    statement_line,
    trained,
    write_export,
)
from attnviewer.io.importing import (
    Arrays,
    ImportedFiles,
    holds_matrices,
    read_arrays,
)
from attnviewer.io.matrices import Matrices, read_matrices
from attnviewer.io.origin import DocumentFile, Origin
from attnviewer.io.session import read_session, save_session
from attnviewer.io.source import load

__all__ = [
    "FORMATS",
    "Arrays",
    "Choice",
    "Computation",
    "DocumentFile",
    "ExampleInfo",
    "FileError",
    "FileFormatError",
    "FoldedWeights",
    "ImportedFiles",
    "Matrices",
    "Origin",
    "SeveralMatricesError",
    "example_ids",
    "export",
    "export_all",
    "export_step",
    "file_stem",
    "has_example_texts",
    "holds_matrices",
    "list_examples",
    "load",
    "matrix_text",
    "read_arrays",
    "read_matrices",
    "read_session",
    "save_session",
    "select_steps",
    "stated_notes",
    "stated_title",
    "statement",
    "statement_line",
    "trained",
    "write_atomically",
    "write_export",
]
