"""Cells of attention weights by the texts of their tokens."""

from typing import TypeAlias

from attnviewer.models.token_positions import token_position
from attnviewer.models.trace import ModelTrace

Cell: TypeAlias = tuple[str | int, str | int]
"""Query and key, each the text of a token or its position."""

_BLANK = "␣"
"""How spaces are shown in readable tokens."""


def cell_of(run: ModelTrace, cell: Cell) -> tuple[int, int]:
    """Return the positions of query and key.

    Parameters
    ----------
    run : ModelTrace
        The run.
    cell : tuple of str or int
        Query and key, each by its position, negative ones counted from the last; or by
        the text of a token, as the tokenizer spells it, as it is shown, or without its
        space, of which the first occurrence counts.

    Raises
    ------
    IndexError
        If there is no such position.
    ValueError
        If there is no such token, or different ones have this text.
    TypeError
        If it is something else.
    """
    if not isinstance(cell, tuple | list) or len(cell) != 2:
        raise TypeError(
            "The 'cell' must be a query and a key, such as ('it', 'animal') or (8, 2). "
            f"Got {cell!r} instead."
        )
    query, key = cell
    return _position(run, "query", query), _position(run, "key", key)


def _position(run: ModelTrace, name: str, token: str | int) -> int:
    if not isinstance(token, str):
        return token_position(token, len(run.ids), name)
    readable = run.model.readable(run.tokens)
    ways = (run.tokens, readable, tuple(text.strip(_BLANK) for text in readable))
    wanted = token, token, token.strip()
    for texts, text in zip(ways, wanted, strict=True):
        found = [place for place, known in enumerate(texts) if known == text]
        if len({run.ids[place] for place in found}) > 1:
            choices = ", ".join(f"{place} '{readable[place]}'" for place in found)
            raise ValueError(
                f"The '{name}' must be a single token: '{token}' is one of {choices}. "
                "Give its position instead."
            )
        if found:
            return found[0]
    raise ValueError(
        f"The '{name}' must be a token of the sentence: {' '.join(readable)}. "
        f"Got '{token}' instead."
    )
