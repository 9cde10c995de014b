"""Assignments as typed on the command line: ``X=emb,W_Q=q_proj.weight.T,heads=2``."""

import re
from collections.abc import Mapping
from typing import Any

from attnviewer.document.array_roles.assignment import ROLES, Assignment, joined_heads
from attnviewer.document.array_roles.choices import CHOICES
from attnviewer.document.array_roles.pick import Pick, Shape, parse_pick, whole_index
from attnviewer.document.edits import EditError
from attnviewer.document.matrices import MASK

N_HEADS = "heads"
_HIDES = "~"
"""Prefix of a mask's array in which 1 hides a key."""
_TOKENS = "tokens", "context_tokens"
_NESTED = r"\[[^\[\]]*\]"  # such as the token [CLS]
_QUOTED = r'(?<![^\s,\[])"(?>[^"]|"")*"(?=\s*(?:[,\]]|\Z))'
_LIST = rf"\[(?>{_QUOTED}|{_NESTED}|[^\[\]])*\]"
_BETWEEN_PARTS = re.compile(rf"{_LIST}|,")
_BETWEEN_TOKENS = re.compile(rf"{_QUOTED}|{_NESTED}|,")
_COUNT = re.compile("[1-9][0-9]{0,5}")
_KNOWN = (*ROLES, N_HEADS, *CHOICES, *_TOKENS)


def parse_assignment(
    text: str, shapes: Mapping[str, Shape], *, title: str = "Imported"
) -> Assignment:
    """Parse an assignment.

    Parameters
    ----------
    text : str
        ``role=pick`` pairs separated by commas, see `parse_pick`, with ``~`` before a
        mask in which 1 hides a key. Also ``heads=8``, by default the number of heads
        that the pick of the queries or of their weights joins; `CHOICES` such as
        ``scale=1/8``, ``softcap=30``, ``window=[3,0]``,
        ``positions=rope[base=500000]``; and ``tokens=[the,cat]``, where a token with
        a comma or a single bracket is quoted: ``[the,",",cat]``.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    title : str
        The document's title.

    Raises
    ------
    EditError
        With the part that cannot be parsed, and why.
    """
    entries = _parts(text)
    picks: dict[str, Pick] = {}
    choices: dict[str, Any] = {}
    tokens: dict[str, tuple[str, ...]] = {}
    n_heads, hides = 0, False
    for name, value in entries.items():
        try:
            if name == N_HEADS:
                n_heads = _count(value)
            elif name in CHOICES:
                choices[name] = CHOICES[name](value)
            elif name in _TOKENS:
                tokens[name] = _token_list(value)
            else:
                hides = hides or (name == MASK and value.startswith(_HIDES))
                called = value.removeprefix(_HIDES) if name == MASK else value
                picks[name] = _pick(called, shapes)
        except ValueError as error:
            raise EditError(f"{name}: {error}") from None
    return Assignment(
        picks,
        n_heads or joined_heads(picks, shapes, ("W_Q", "Q")),
        choices.pop("causal", False),
        title=title,
        mask_hides=hides,
        choices=choices,
        tokens=tokens.get("tokens", ()),
        context_tokens=tokens.get("context_tokens", ()),
    )


def assignment_text(assignment: Assignment, n_heads: str = "") -> str:
    """Write the picks and heads of an assignment as `parse_assignment` reads them.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    n_heads : str
        Text to write in place of the number of heads.
    """
    parts = [
        f"{role}={_HIDES if role == MASK and assignment.mask_hides else ''}{pick}"
        for role, pick in assignment.picks.items()
    ]
    if n_heads or assignment.n_heads > 1:
        parts.append(f"{N_HEADS}={n_heads or assignment.n_heads}")
    return ",".join(parts)


def _parts(text: str) -> dict[str, str]:
    """Return the values by name."""
    entries: dict[str, str] = {}
    for part in _split(_BETWEEN_PARTS, text):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign:
            last, begun = next(reversed(entries.items()), ("", ""))
            if begun.startswith("[") and not begun.endswith("]"):
                raise EditError(
                    f"{last}: The list must be closed by a bracket, as in [the,cat]. "
                    f"Got '{begun},{part}' instead."
                )
            raise EditError(f"'{part}' must be like X=emb or W_Q=q_proj.weight.T.")
        if name in entries:
            raise EditError(f"'{name}' is there twice.")
        if name not in _KNOWN:
            raise EditError(f"'{name}' must be one of {', '.join(_KNOWN)}.")
        entries[name] = value
    return entries


def _token_list(text: str) -> tuple[str, ...]:
    """Return the tokens in brackets, those in quotes as they are."""
    if not (text.startswith("[") and text.endswith("]")):
        raise EditError(
            f"It must be a list in brackets, as in [the,cat]. Got '{text}' instead."
        )
    tokens = (token.strip() for token in _split(_BETWEEN_TOKENS, text[1:-1]))
    return tuple(
        token[1:-1].replace('""', '"') if re.fullmatch(_QUOTED, token) else token
        for token in tokens
    )


def _split(between: re.Pattern[str], text: str) -> list[str]:
    """Split a text at the commas among the matches of a pattern."""
    commas = [at.start() for at in between.finditer(text) if at[0] == ","]
    starts, stops = [0, *(comma + 1 for comma in commas)], [*commas, len(text)]
    return [text[start:stop] for start, stop in zip(starts, stops, strict=True)]


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise EditError(f"It must be a whole number from 1. Got '{text}' instead.")
    return int(text)


def _pick(text: str, shapes: Mapping[str, Shape]) -> Pick:
    pick = parse_pick(text, shapes)
    if not pick.index:
        return pick
    index = whole_index(pick.index, len(shapes[pick.array]))
    return Pick(pick.array, index, pick.transposed, pick.third)
