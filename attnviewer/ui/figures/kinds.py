"""The kinds of figures: how each view is laid out on paper.

A view gets its figure by a line in `KINDS`: a function of the panel and of the room
that it has, which returns a `Block` of elements. A view without a line has no
figure, and is drawn as in the window.
"""

from collections.abc import Callable
from typing import TypeAlias

from attnviewer.ui.figures.difference import difference
from attnviewer.ui.figures.elements import Block
from attnviewer.ui.figures.heads import heads
from attnviewer.ui.figures.heatmap import heatmap
from attnviewer.ui.figures.how import how
from attnviewer.ui.figures.lines import lines
from attnviewer.ui.figures.on_picture import on_picture
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.table import table

Kind: TypeAlias = Callable[[Panel, Room], Block]

KINDS: dict[str, Kind] = {
    "heatmap": heatmap,
    "lines": lines,
    "heads": heads,
    "table": table,
    "difference": difference,
    "how": how,
    "on_picture": on_picture,
}
"""How each view is laid out, by its name in `attnviewer.views.VIEWS`."""


def kind_of(view: str) -> Kind:
    """Return how a view is laid out.

    Raises
    ------
    ValueError
        If there is no figure of it.
    """
    if view not in KINDS:
        names = ", ".join(KINDS)
        raise ValueError(f"The 'view' must be one of {names}. Got '{view}' instead.")
    return KINDS[view]
