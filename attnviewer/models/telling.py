"""The head of a model with the most telling weight, see `telling_cell`."""

from typing import NamedTuple

from attnviewer.compute import HeadLocation, TellingCell, head_locations, telling_cell
from attnviewer.models.heads import ModelHeads

AT_ONCE = 2**20
"""Weights read at a time."""


class TellingHead(NamedTuple):
    """A head, and its most telling weight.

    Parameters
    ----------
    location : HeadLocation
        The head.
    cell : TellingCell
        Query, key and weight.
    """

    location: HeadLocation
    cell: TellingCell


def telling_head(
    heads: ModelHeads, layer: int, before: TellingHead | None = None
) -> TellingHead | None:
    """Return the head with the most telling weight in a layer.

    Parameters
    ----------
    heads : ModelHeads
        The heads.
    layer : int
        The layer, counted from zero.
    before : TellingHead, optional
        The best one of other layers, which is returned unless this layer's is better.

    Returns
    -------
    TellingHead or None
        None if no weight tells enough, the tokens are ids, or keys are of others.
    """
    if heads.model.tokenizer is None or heads.crosses:
        return None
    best, tokens = before, heads.tokens
    rows = max(1, AT_ONCE // len(tokens))
    for location in head_locations(heads):
        if location.layer != layer:
            continue
        matrix = heads.matrix(location)
        for first in range(0, len(tokens), rows):
            block = matrix.window(slice(first, first + rows))  # (≤ rows, n)
            cell = telling_cell(block, tokens, first)
            if cell is not None and (best is None or cell.score > best.cell.score):
                best = TellingHead(location, cell)
    return best
