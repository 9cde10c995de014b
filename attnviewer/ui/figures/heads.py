"""All heads of a step, side by side."""

from dataclasses import replace

from attnviewer.ui.figures.elements import Block
from attnviewer.ui.figures.grid import Bar, grid_block
from attnviewer.ui.figures.matrix import Matrix, matrix_of, readable
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.paint.theme import Theme


def heads(panel: Panel, room: Room) -> Block:
    """Lay out all heads of a step in one scale, with shared axes."""
    shown = _read(panel, room.theme)
    named = next((matrix for matrix in shown if matrix.is_clipped), shown[0])
    return grid_block(shown, room, [Bar(named, (0, len(shown)))])


def _read(panel: Panel, theme: Theme) -> list[Matrix]:
    matrices = [matrix_of(panel, theme, own) for own in range(panel.n_heads)]
    scale = panel.scale or readable(matrices)
    return [
        replace(matrix, title=f"Head {own}", scale=scale, cell=None)
        for own, matrix in enumerate(matrices)
    ]
