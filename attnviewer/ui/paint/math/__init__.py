"""A small typesetter of mathematics: parts of formulas, their layout and painting."""

from attnviewer.ui.paint.math.faces import Faces, faces_of
from attnviewer.ui.paint.math.filled import Filled, Line, Part, Value, filled, whole
from attnviewer.ui.paint.math.laid_out import LaidOut, Link
from attnviewer.ui.paint.math.layout import lay_out
from attnviewer.ui.paint.math.nodes import (
    Atom,
    Big,
    Fenced,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    atoms,
    changed,
    flat,
    in_columns,
    row,
    spoken,
    vector,
)
from attnviewer.ui.paint.math.refilling import lay_out_line
from attnviewer.ui.paint.math.typeset import (
    prose,
    typeset,
    typeset_name,
    typeset_number,
    typeset_symbols,
)

__all__ = [
    "Atom",
    "Big",
    "Faces",
    "Fenced",
    "Filled",
    "Fraction",
    "Grid",
    "LaidOut",
    "Line",
    "Link",
    "Node",
    "Part",
    "Root",
    "Row",
    "Script",
    "Value",
    "atoms",
    "changed",
    "faces_of",
    "filled",
    "flat",
    "in_columns",
    "lay_out",
    "lay_out_line",
    "prose",
    "row",
    "spoken",
    "typeset",
    "typeset_name",
    "typeset_number",
    "typeset_symbols",
    "vector",
    "whole",
]
