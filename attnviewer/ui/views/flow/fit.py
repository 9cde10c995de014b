"""The strip's layout: everything in the room there is, whatever the numbers are."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from attnviewer.ui.views.flow.graph import FlowGraph
from attnviewer.ui.views.flow.places import FlowLayout, Letters
from attnviewer.ui.views.flow.placing import placed
from attnviewer.ui.views.flow.sizes import LARGEST, LEAST, SMALLEST, Density, Sizes
from attnviewer.ui.views.flow.texts import steady

_CLOSER = 0.7
"""The pitch to which columns draw closer before the next words leave an edge."""
_USUAL_NAME = "weights"
"""Names up to the width of this one stay whole while maps are readable."""
_SMALLEST_NAME, _SMALLEST_SHARE = 11, 0.7
"""The smallest letters of names: in pixels, and as a share of their usual size."""


def fit(graph: FlowGraph, width: int, height: int, letters: Letters) -> FlowLayout:
    """Lay a map out in a room, as roomy as it can be.

    Maps shrink together from their largest side; then words leave the edges, the
    longest first; then columns draw closer, margins narrow, names get smaller, pills
    shrink to a sign, and what joins moves below the card that it enters; then the
    longest names are elided, maps shrink to a readable side, and at last both become
    as small as it takes.

    Parameters
    ----------
    graph : FlowGraph
        The map.
    width : int
        The room's width in pixels.
    height : int
        One of `NORMAL`, `LOW` and `LOWEST`.
    letters : Letters
        Sizes of texts.
    """
    densities = tuple(_densities(graph, letters))

    def fits(density: Density) -> bool:
        return Sizes(graph, height, letters, density).needed <= width

    # Each is closer than the one before, but for words that leave at the usual pitch.
    first = bisect_left(densities, True, hi=len(densities) - 1, key=fits)
    return placed(Sizes(graph, height, letters, densities[first]), width)


def _densities(graph: FlowGraph, letters: Letters) -> Iterator[Density]:
    """Yield densities, each closer than the one before."""
    density = Density()
    for side in range(LARGEST, SMALLEST - 1, -2):
        density = replace(density, side=side)
        yield density
    for together in _words_by_column(graph, letters):
        yield replace(density, pitch=_CLOSER)
        density = replace(density, without=density.without | together)
        yield density
    for step in range(1, 13):
        density = replace(density, pitch=1 - step / 20)
        yield density
    density = replace(density, tight=True)
    yield density
    floor = min(1.0, max(_SMALLEST_NAME / letters.em, _SMALLEST_SHARE))
    for step in range(1, 11):
        share = step / 10
        density = replace(density, names=1 - share + floor * share)
        yield density
    density = replace(density, signs=True)
    yield density
    density = replace(density, stacks=True)
    yield density
    longest = max(map(letters.title, graph.steps)) * floor
    usual = min(longest, letters.title(_USUAL_NAME) * floor)
    for step in range(1, 6):
        share = step / 5
        density = replace(density, longest=longest * (1 - share) + usual * share)
        yield density
    longest = usual
    for step in range(1, 11):
        density = replace(density, side=SMALLEST - 2 * step)
        yield density
    for step in range(1, 41):
        share = 1 - step / 40
        name = longest * share + letters.pixels(16) * (1 - share)
        smaller = SMALLEST / 2 * share + LEAST * (1 - share)
        density = replace(density, side=smaller, longest=name)
        yield density
    for step in range(1, 20):
        yield replace(density, squeezed=1 - step / 20)


def _words_by_column(graph: FlowGraph, letters: Letters) -> list[frozenset[str]]:
    """Return the steps whose edges have words, those of a column together.

    The widest come first: alone, the shorter of a column would make no room.
    """
    columns = {node.key: node.column for node in graph.nodes}
    together: dict[int, dict[str, int]] = {}
    for edge in graph.edges:
        if edge.operation:
            width = letters.word(steady(edge.operation))
            together.setdefault(columns[edge.target], {})[edge.target] = width
    widest = sorted(together.values(), key=lambda words: -max(words.values()))
    return [frozenset(words) for words in widest]
