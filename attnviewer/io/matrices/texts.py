"""Arrays of texts in a file of NumPy: tokens, and what an export tells of itself."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.io.export_markers import CONTEXT_TOKENS, STATEMENT, TOKENS
from attnviewer.io.npy import NpyError, read_npy
from attnviewer.io.strict_json import SchemaError, decode

_NAMES = {
    STATEMENT: re.compile(STATEMENT),
    TOKENS: re.compile(
        "(?:str_|input_|query_|target_)?tokens|token_(?:strings|texts)|words|labels",
        re.IGNORECASE,
    ),
    CONTEXT_TOKENS: re.compile(
        "(?:context|key|memory|source|encoder)_(?:tokens|words)", re.IGNORECASE
    ),
}
"""What arrays of texts are by their names."""
_SUFFIX = ".npy"


def take_texts(parts: dict[str, bytes]) -> dict[str, NDArray[np.generic]]:
    """Take the arrays of texts that are known out of the parts of an archive.

    Parameters
    ----------
    parts : dict of str to bytes
        The parts by name; those that are taken are removed.

    Returns
    -------
    dict of str to ndarray
        By what they are: `STATEMENT`, `TOKENS` or `CONTEXT_TOKENS`, the first of each.
    """
    texts: dict[str, NDArray[np.generic]] = {}
    for part in list(parts):
        called = part.removesuffix(_SUFFIX)
        what = next((w for w, name in _NAMES.items() if name.fullmatch(called)), None)
        if what is None or what in texts or not part.endswith(_SUFFIX):
            continue
        array = _text_array(parts[part])
        if array is not None and array.ndim == int(what != STATEMENT):
            texts[what] = array
            del parts[part]
    return texts


def listed(texts: Mapping[str, NDArray[np.generic]], what: str) -> tuple[str, ...]:
    """Return the texts of an array as `take_texts` has it; () if there is none."""
    array = texts.get(what)
    if array is None:
        return ()
    return tuple(
        text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        for text in array.tolist()
    )


def statement_of(texts: Mapping[str, NDArray[np.generic]]) -> dict[str, Any]:
    """Return how a file that was exported was computed; {} if it does not tell."""
    if STATEMENT not in texts:
        return {}
    try:
        return decode(str(texts[STATEMENT]).encode(), dict[str, Any])
    except (SchemaError, UnicodeEncodeError):
        return {}


def _text_array(data: bytes) -> NDArray[np.generic] | None:
    try:
        array = read_npy(data)
    except NpyError:
        return None
    return array if array.dtype.kind in "SU" else None
