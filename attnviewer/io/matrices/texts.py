"""String arrays in a NumPy file: tokens, and the statement of an export."""

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
"""The meaning of string arrays by name."""
_SUFFIX = ".npy"


def take_texts(parts: dict[str, bytes]) -> dict[str, NDArray[np.generic]]:
    """Remove the known string arrays from the parts of an archive, and return them.

    Parameters
    ----------
    parts : dict of str to bytes
        The parts by name; those that are taken are removed.

    Returns
    -------
    dict of str to ndarray
        By meaning: `STATEMENT`, `TOKENS` or `CONTEXT_TOKENS`, the first of each.
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
    """Return the strings of an array of `take_texts`; () if there is none."""
    array = texts.get(what)
    if array is None:
        return ()
    return tuple(
        text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        for text in array.tolist()
    )


def statement_of(texts: Mapping[str, NDArray[np.generic]]) -> dict[str, Any]:
    """Return the statement of an exported file; {} if it has none."""
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
