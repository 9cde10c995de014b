"""The offsets of positions as code."""

import numpy as np

from attnviewer.compute.notation import Library
from attnviewer.compute.stages import PerItem


def plus(number: int) -> str:
    return f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""


def plain(number: PerItem) -> str:
    return str(np.asarray(number).tolist())


def per_item(numbers: PerItem, axes: str, library: Library) -> str:
    """Return one number per batch item, shaped to broadcast over the other axes."""
    return f"{library.call('array', plain(numbers))}[..., {axes}]"
