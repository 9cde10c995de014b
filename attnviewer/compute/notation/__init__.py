"""Expressions written out: one printer, and a table of forms for each notation."""

from attnviewer.compute.notation.latex import LATEX, Latex, number_latex
from attnviewer.compute.notation.printer import (
    Form,
    Notation,
    Piece,
    Pieces,
    plain_text,
)
from attnviewer.compute.notation.program import NUMPY, TORCH, Library, Program
from attnviewer.compute.notation.spreadsheet import Spreadsheet
from attnviewer.compute.notation.text import write

__all__ = [
    "LATEX",
    "NUMPY",
    "TORCH",
    "Form",
    "Latex",
    "Library",
    "Notation",
    "Piece",
    "Pieces",
    "Program",
    "Spreadsheet",
    "number_latex",
    "plain_text",
    "write",
]
