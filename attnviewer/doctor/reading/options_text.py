"""Options as typed on the command line: ``n_heads=2,causal=true,positions=rope``."""

import contextlib
import re
from typing import Any

from attnviewer.doctor.reading.intention import Intention
from attnviewer.document.array_roles.choices import CHOICES, bracketed
from attnviewer.document.text.parsing import parse_number

_COMMA = re.compile(r",(?![^\[\]]*\])")  # not inside brackets
_WORDS = {"true": True, "false": False, "none": None, "null": None}
_WHOLE = re.compile("[+-]?[0-9]{1,15}")


def parse_options(text: str) -> dict[str, Any]:
    """Return options by name, for `read_case`.

    Parameters
    ----------
    text : str
        ``name=value`` pairs separated by commas. A value is a number (``1/8`` too),
        true, false or none, a word, or a list in brackets. A name alone stands for
        true. ``positions=rope[base=500000]`` has the scheme's own options in brackets;
        a side of ``window=[3,]`` that is left empty has no limit.

    Raises
    ------
    ValueError
        With the part that cannot be parsed, or why there is no such option.
    """
    options: dict[str, Any] = {}
    for part in _COMMA.split(text) if text.strip() else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not name or (sign and not value):
            raise ValueError(
                "The 'spec' must be like n_heads=2,causal=true. "
                f"Got '{part.strip()}' in it instead."
            )
        if name in options:
            raise ValueError(f"The '{name}' must be given once. Got it twice instead.")
        options[name] = _value(name, value) if sign else True
    Intention.of(options)
    return options


def _value(name: str, text: str) -> Any:
    try:
        if name == "positions" and "[" in text:
            return CHOICES["positions"](text)
        if text.startswith("["):
            return [_single(part.strip()) for part in bracketed(text, "[1,2]")]
    except ValueError as error:
        raise ValueError(f"The '{name}' is not understood. {error}") from None
    return _single(text)


def _single(text: str) -> Any:
    if not text:
        return None
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _WHOLE.fullmatch(text):
        return int(text)
    with contextlib.suppress(ValueError):
        return parse_number(text)
    return text
