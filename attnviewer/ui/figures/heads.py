"""All heads of a step, side by side."""

from dataclasses import replace
from weakref import WeakKeyDictionary

from attnviewer.ui.figures.elements import Block
from attnviewer.ui.figures.grid import Bar, grid_block
from attnviewer.ui.figures.matrix import Matrix, matrix_of, readable
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.paint.theme import Theme

_READ: WeakKeyDictionary[Panel, tuple[Theme, list[Matrix]]] = WeakKeyDictionary()
"""The matrices of panels in a theme: they are laid out in several widths."""


def heads(panel: Panel, room: Room) -> Block:
    """Lay out all heads of a step in one scale, with shared axes."""
    theme, shown = _READ.get(panel, (None, []))
    if theme != room.theme:
        shown = _read(panel, room.theme)
        _READ[panel] = room.theme, shown
    named = next((matrix for matrix in shown if matrix.is_clipped), shown[0])
    return grid_block(shown, room, [Bar(named, (0, len(shown)))])


def _read(panel: Panel, theme: Theme) -> list[Matrix]:
    matrices = [matrix_of(panel, theme, own) for own in range(panel.n_heads)]
    scale = panel.scale or readable(matrices)
    return [
        replace(matrix, title=f"Head {own}", scale=scale, cell=None)
        for own, matrix in enumerate(matrices)
    ]
