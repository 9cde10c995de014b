"""Notes beside the edges of keys and values: where they lead, and shared heads."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.views.flow.graph import FlowGraph, Lane
from attnviewer.ui.views.flow.places import FlowLayout, Letters, Line

_AWAY = 3
"""Distance from the edge."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note and where it stands."""

    rect: QRect
    text: str


def notes_on(
    graph: FlowGraph,
    layout: FlowLayout,
    letters: Letters,
    room: QRect,
    leads: str,
    heads: Callable[[int, int], str],
) -> tuple[Note, ...]:
    """Return the notes for which there is room.

    Parameters
    ----------
    graph : FlowGraph
        The map.
    layout : FlowLayout
        Where everything stands.
    letters : Letters
        Sizes of texts.
    room : QRect
        The strip.
    leads : str
        The note on where values lead.
    heads : callable
        Returns the note on fewer heads, given both numbers.
    """
    most = max(node.n_heads for node in graph.nodes)
    nodes = {node.key: node for node in graph.nodes}
    notes = []
    for edge, line in zip(graph.edges, layout.lines, strict=True):
        source, target = nodes[edge.source], nodes[edge.target]
        if not target.operation or edge.lane not in ("key", "value"):
            continue
        texts = []
        if 1 < most > source.n_heads and source.place in _LANES:
            texts.append(heads(source.n_heads, most))
        if edge.lane == "value":
            texts.append(leads.format(target.operation))
        rects = (_beside(line, letters, text, edge.lane) for text in texts)
        for text, rect in zip(texts, rects, strict=True):
            free = room.contains(rect) and _is_free(rect, layout)
            if free and rect.right() < line.end.x() - _AWAY:
                notes.append(Note(rect, text))
                break
    return tuple(notes)


_LANES = ("key", "value")


def _beside(line: Line, letters: Letters, text: str, lane: Lane) -> QRect:
    """Return a rectangle beside the straight part of an edge."""
    size = QSize(letters.word(text), letters.word_height)
    if lane == "key":
        return QRect(line.start + QPoint(_AWAY, _AWAY), size)
    start = max(line.start.x(), line.bends[0])
    middle = (start + line.end.x()) // 2
    # Below: what joins the weights stands above.
    return QRect(QPoint(middle - size.width() // 2, line.level + _AWAY), size)


def _is_free(rect: QRect, layout: FlowLayout) -> bool:
    pills = (pill.rect for pill in layout.pills.values())
    taken = (*(card.whole for card in layout.cards.values()), *pills)
    return not any(map(rect.intersects, taken))
