"""An array that is pasted with its label, alone or among others."""

import numpy as np

from attnviewer.document.text.blocks import Block
from attnviewer.document.text.expression import shortened
from attnviewer.document.text.printed import UNNAMED, printed_arrays

_MOST_LISTED = 8


def parse_labelled(text: str, name: str) -> Block | None:
    """Return the array for a matrix from a text with labels, such as ``W_Q: [[1, 2]]``.

    Parameters
    ----------
    text : str
        The copied text.
    name : str
        The name of the matrix that gets the array.

    Returns
    -------
    Block or None
        The only array, or that of this name; None if the text has no labelled ones.

    Raises
    ------
    ValueError
        If several arrays have other names, or the array is no matrix.
    """
    try:
        found = printed_arrays(text).values
    except ValueError:
        return None
    if not found or any(other.startswith(UNNAMED) for other in found):
        return None
    listed = ", ".join(map(shortened, list(found)[:_MOST_LISTED]))
    if len(found) > 1 and name not in found:
        raise ValueError(
            f"The text has several arrays: {listed}. Copy one of them, or choose "
            "“Paste as new document…” for all."
        )
    values = found[name] if name in found else next(iter(found.values()))
    if values.ndim > 2:
        raise ValueError(
            f"The array must have 2 dimensions. Got {values.ndim} instead."
        )
    notice = f"The text has several arrays ({listed}); {name} was pasted."
    return Block(np.atleast_2d(values), (notice,) if len(found) > 1 else ())
