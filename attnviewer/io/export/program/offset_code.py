"""The offsets of positions as code."""

import numpy as np

from attnviewer.compute.notation import Library
from attnviewer.compute.stages import PerItem


def plus(number: int) -> str:
    """Return what adds a number; "" for 0."""
    return f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""


def plain(number: PerItem) -> str:
    """Return a number, or a list of one per batch item."""
    return str(np.asarray(number).tolist())


def per_item(numbers: PerItem, axes: str, library: Library) -> str:
    """Return one number per batch item, shaped to broadcast over the other axes."""
    return f"{library.call('array', plain(numbers))}[..., {axes}]"


def plus_items(offset: PerItem, library: Library) -> str:
    """Return what adds an offset to positions, (n_q, 1); "" for 0."""
    if isinstance(offset, tuple):
        return f" + {per_item(offset, 'None, None, None', library)}"
    return plus(offset)
