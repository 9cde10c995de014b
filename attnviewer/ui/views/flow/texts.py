"""The words on the strip's edges: broken into lines, however long their numbers are."""

import re
from collections.abc import Callable

Width = Callable[[str], int]
"""Returns the width of a text in pixels."""

_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?:e[+−-]?\d+)?")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_UNBROKEN = "\u00a0"


def steady(text: str) -> str:
    """Return a text with every number written alike, for sizes that never twitch."""
    return _NUMBER.sub("0.00", text)


def wrapped(text: str, width_of: Width, width: int, most: int) -> tuple[str, ...]:
    """Wrap a text at word boundaries into lines of about a width.

    Another number breaks it into the same lines. What is in brackets stays together,
    and the last permitted line ends in an ellipsis if the text is longer.

    Parameters
    ----------
    text : str
        The text.
    width_of : callable
        Returns the width of a text.
    width : int
        The width that only a single word may exceed.
    most : int
        The most lines.
    """
    text = _IN_BRACKETS.sub(lambda found: found[0].replace(" ", _UNBROKEN), text)
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        # Never break after an operator.
        alone = lines[-1] in ("", "+", "×", "÷")
        if alone or width_of(steady(longer)) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    return tuple(line.replace(_UNBROKEN, " ") for line in lines)
