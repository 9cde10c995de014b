"""Layouts of formulas with numbers, laid out once for all numbers of some widths."""

import math

from attnviewer.ui.paint.math.faces import Faces
from attnviewer.ui.paint.math.filled import Filled, KeptLayout, Line
from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.layout import lay_out

_DIGITS = str.maketrans("123456789", "000000000")
_MOST_KEPT = 12
"""Layouts of one template: its numbers have few widths at a time."""


def lay_out_line(line: Line, faces: Faces, room: float = math.inf) -> LaidOut:
    """Lay a line out, see `lay_out`; numbers of the same widths stand where others did.

    All digits are equally wide.
    """
    if not isinstance(line, Filled):
        return lay_out(line, faces, room)
    widths = "|".join(text for text, _ in line.numbers).translate(_DIGITS)
    layouts, key = line.template.layouts, (faces, room, widths)
    kept = layouts.get(key)
    if kept is not None:
        return _refilled(kept, line)
    laid_out = lay_out(line.whole, faces, room)
    by_atom = {id(mark[4]): place for place, mark in enumerate(laid_out.marks)}
    places = tuple(by_atom.get(id(atom), -1) for atom in line.atoms)
    # A text that was broken between its letters may be broken elsewhere next time.
    if -1 not in places:
        if len(layouts) >= _MOST_KEPT:
            layouts.clear()
        layouts[key] = KeptLayout(laid_out, places)
    return laid_out


def _refilled(kept: KeptLayout, line: Filled) -> LaidOut:
    marks, same_colors, same_cells = list(kept.laid_out.marks), True, True
    for place, atom in zip(kept.places, line.atoms, strict=True):
        left, base, width, face, was = marks[place]
        marks[place] = left, base, width, face, atom
        same_colors = same_colors and atom.color == was.color
        same_cells = same_cells and atom.cell == was.cell
    return kept.laid_out.with_marks(
        marks, same_colors=same_colors, same_links=same_colors and same_cells
    )
