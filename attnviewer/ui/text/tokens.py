"""Tokens in running text."""

import unicodedata
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from attnviewer.compute import Axis
from attnviewer.document import Labels
from attnviewer.document.labels import axis_labels

LONGEST = 18
"""The most characters of a token before it is cut."""

_SHOWN = {"\n": "⏎", "\t": "⇥"}
_UNSEEN = {"Zs", "Zl", "Zp", "Cf"}
"""Categories of characters that leave no mark."""
_RIGHT_TO_LEFT = {"R", "AL"}
_NONCHARACTERS = "\ufffe\uffff"
"""No file in XML may have them."""
_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def token_label(token: str) -> str:
    """Return a token in a form that fits on one line of a formula.

    Blanks and line breaks are made visible, long tokens cut. A number is quoted, as it
    would be read as an index otherwise. Layout control characters are replaced and
    right-to-left scripts isolated: neither may reverse the formula.
    """
    line = token_line(token)
    if not line.strip() or line.isdecimal():
        return f"“{line}”"
    line = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in line):
        return f"{_ISOLATE}{line}{_END_OF_ISOLATE}"
    return line


def quoted(label: str) -> str:
    """Return a `token_label` in quotes, unless it is quoted already."""
    return label if label.startswith("“") else f"“{label}”"


def quoted_token(token: str) -> str:
    """Return a token in quotes, as a `token_label`."""
    return quoted(token_label(token))


def how_many_tokens(count: int) -> str:
    """Return a number of tokens in words, singular or plural."""
    if count == 1:
        return QCoreApplication.translate("Tokens", "1 token")
    return QCoreApplication.translate("Tokens", "{count:,} tokens").format(count=count)


def token_line(token: str) -> str:
    """Return a token with visible line breaks and without layout control characters.

    One of invisible characters alone, such as a zero-width space, is spelled out.
    """
    if token.isprintable():  # as nearly all tokens are
        return token
    line = "".join(_shown(sign) for sign in token)
    unseen = all(unicodedata.category(sign) in _UNSEEN for sign in line)
    return "".join(map(_spelled, line)) if unseen else line


@lru_cache(maxsize=8)  # cleaning thousands of them takes longer than computing an edit
def lines_along(axis: Axis, labels: Labels, count: int) -> tuple[str, ...]:
    """Return the labels of rows or columns, each on one line; see `axis_labels`.

    Blank and empty ones can be seen.
    """
    return tuple(map(visible_token, axis_labels(axis, labels, count)))


def visible_token(token: str) -> str:
    """Return a token on one line; a blank or an empty one can be seen."""
    if not token:
        return "∅"
    return token_line(token) if token.strip(" ") else "␣" * len(token)


def _spelled(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":
        return f"U+{ord(sign):04X}"
    return "␣"


def _shown(sign: str) -> str:
    if sign in _SHOWN:
        return _SHOWN[sign]
    controls = (
        unicodedata.category(sign) in ("Cc", "Cs")
        or sign in _NONCHARACTERS
        or unicodedata.bidirectional(sign) in _CONTROLS
    )
    return "�" if controls else sign
