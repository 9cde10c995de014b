"""Rows and columns by position or by what their tokens contain."""

from collections.abc import Sequence

from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Navigation")

_QUOTES = "\"'“”„"


def found_places(labels: Sequence[str], text: str) -> list[int]:
    """Return the rows or columns that a text means, in order.

    Parameters
    ----------
    labels : sequence of str
        Their labels.
    text : str
        A position, counted from zero, or part of a label, whatever its case; in quotes,
        a number is part of a label, too.

    Raises
    ------
    ValueError
        If there is none, or the text is empty.
    """
    wanted = text.strip()
    if not wanted:
        raise ValueError(_tr("Type a position or a part of a token."))
    if wanted.isdecimal():
        position = int(wanted)
        if position >= len(labels):
            raise ValueError(
                _tr(
                    "The position must be from 0 to {last}. Got {text} instead."
                ).format(last=len(labels) - 1, text=wanted)
            )
        return [position]
    part = part_of(wanted)
    places = [i for i, label in enumerate(labels) if part in label.casefold()]
    if not places:
        raise ValueError(_tr("No token here contains “{text}”.").format(text=wanted))
    return places


def offered_places(labels: Sequence[str], text: str, most: int) -> list[int]:
    """Return the first places whose labels contain a text, a number included."""
    part = part_of(text.strip())
    found = (i for i, label in enumerate(labels) if part and part in label.casefold())
    return [place for place, _ in zip(found, range(most), strict=False)]


def part_of(text: str) -> str:
    """Return what a label has to contain."""
    inner = text.strip(_QUOTES)
    return (inner or text).casefold()
