"""Assignments as a person types them: ``X=emb,W_Q=q_proj.weight.T,heads=2``."""

import re
from collections.abc import Mapping

from attnviewer.document.assigning.assignment import ROLES, Assignment
from attnviewer.document.assigning.pick import (
    HEADS,
    Pick,
    Shape,
    parse_pick,
    whole_index,
)
from attnviewer.document.edits import EditError

N_HEADS, CAUSAL = "heads", "causal"
_COMMA = re.compile(r",(?![^\[\]]*\])")  # none inside of brackets
_COUNT = re.compile("[1-9][0-9]{0,5}")


def parse_assignment(
    text: str, shapes: Mapping[str, Shape], *, title: str = "Imported"
) -> Assignment:
    """Read which array is what.

    Parameters
    ----------
    text : str
        Roles and what they are, with commas between them; the latter as `parse_pick`
        reads it. Also ``heads=8``, by default as many as are joined by the pick of
        the queries or their weights, and ``causal=1``.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    title : str
        What the document is to be called.

    Raises
    ------
    EditError
        With the part that cannot be read, and why.
    """
    picks: dict[str, Pick] = {}
    n_heads, causal = 0, False
    for part in _COMMA.split(text):
        role, sign, told = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise EditError(f"'{part}' must be like X=emb or W_Q=q_proj.weight.T.")
        if role == N_HEADS:
            if not _COUNT.fullmatch(told):
                raise EditError(
                    f"The '{N_HEADS}' must be a number. Got '{told}' instead."
                )
            n_heads = int(told)
        elif role == CAUSAL:
            if told not in ("0", "1"):
                raise EditError(f"The '{CAUSAL}' must be 0 or 1. Got '{told}' instead.")
            causal = told == "1"
        elif role in picks:
            raise EditError(f"'{role}' is there twice.")
        elif role in ROLES:
            picks[role] = _pick(told, shapes, role)
        else:
            known = ", ".join((*ROLES, N_HEADS, CAUSAL))
            raise EditError(f"'{role}' must be one of {known}.")
    n_heads = n_heads or _joined_heads(picks, shapes)
    return Assignment(picks, n_heads, causal, title=title)


def _joined_heads(picks: Mapping[str, Pick], shapes: Mapping[str, Shape]) -> int:
    """Return how many heads the pick of the queries, or of their weights, joins."""
    for role in ("W_Q", "Q"):
        pick = picks.get(role)
        if pick is not None and HEADS in pick.index:
            axis, shape = pick.index.index(HEADS), shapes[pick.array]
            return shape[axis] if axis < len(shape) else 1
    return 1


def _pick(text: str, shapes: Mapping[str, Shape], role: str) -> Pick:
    try:
        pick = parse_pick(text, shapes)
    except ValueError as error:
        raise EditError(f"{role}: {error}") from None
    if not pick.index:
        return pick
    index = whole_index(pick.index, len(shapes[pick.array]))
    return Pick(pick.array, index, pick.transposed, pick.third)
