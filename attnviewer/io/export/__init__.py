"""Exports of computations to files for other programs."""

from attnviewer.io.export.computation import ALL_STEPS, Choice, Computation, trained
from attnviewer.io.export.folded import FoldedWeights
from attnviewer.io.export.formats import FORMATS, Format, export, file_stem
from attnviewer.io.export.parts import select_steps
from attnviewer.io.export.statement import statement, statement_line
from attnviewer.io.export.tables import (
    SeveralMatricesError,
    export_all,
    export_step,
    matrix_text,
    write_export,
)

__all__ = [
    "ALL_STEPS",
    "FORMATS",
    "Choice",
    "Computation",
    "FoldedWeights",
    "Format",
    "SeveralMatricesError",
    "export",
    "export_all",
    "export_step",
    "file_stem",
    "matrix_text",
    "select_steps",
    "statement",
    "statement_line",
    "trained",
    "write_export",
]
