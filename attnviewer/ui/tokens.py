"""Tokens in running text."""

import unicodedata

LONGEST = 18
"""Letters of a token before it is cut: one long word must not widen its place."""

_SHOWN = {"\n": "⏎", "\t": "⇥"}
_RIGHT_TO_LEFT = {"R", "AL"}
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def token_label(token: str) -> str:
    """Return a token fit for one line of a formula.

    Blanks and breaks are visible, long tokens cut. Signs that control how others
    are laid out are replaced, and right-to-left scripts kept to themselves: neither
    may turn the formula around.
    """
    line = "".join(_shown(sign) for sign in token)
    if not line.strip():
        return f"“{line}”"
    line = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in line):
        return f"{_ISOLATE}{line}{_END_OF_ISOLATE}"
    return line


def _shown(sign: str) -> str:
    if sign in _SHOWN:
        return _SHOWN[sign]
    return "�" if unicodedata.category(sign) in ("Cc", "Cf", "Cs") else sign
