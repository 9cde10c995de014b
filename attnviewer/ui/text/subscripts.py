"""Names such as W_Q and d_k: the letter after the underscore is a subscript."""

import re

SMALLER = 0.7
"""The size of a subscript, as a share of its line's."""
LOWERED = 0.2
"""How far it stands below the line, in the same unit."""
_UNDERSCORE = re.compile(r"(?<=\b[Wwbd])_([A-Za-z])\b")


def has_subscripts(line: str) -> bool:
    """Return whether a line holds such a name."""
    return "_" in line and _UNDERSCORE.search(line) is not None


def parts_of(line: str) -> list[str]:
    """Split a line at its subscripts, which are every second part from the second on.

    Only names of weights, biases and widths have subscripts: tokens keep their signs.
    """
    return _UNDERSCORE.split(line)
