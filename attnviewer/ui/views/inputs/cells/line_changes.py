"""A diff of a table's lines, its rows or columns, by their names."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LineChange:
    """Adjacent lines that were inserted, removed or moved.

    Parameters
    ----------
    kind : str
        ``insert``, ``remove`` or ``move``.
    first, last : int
        The lines: inserted ones by their index after the change, removed or moved ones
        by that before.
    before : int
        The line before which they moved, as it was counted before the change.
    """

    kind: Literal["insert", "remove", "move"]
    first: int
    last: int
    before: int = 0

    def order(self, count: int) -> list[int]:
        """Return the old index of each line; an arbitrary one for inserted lines."""
        lines, block = list(range(count)), slice(self.first, self.last + 1)
        if self.kind == "insert":
            lines[self.first : self.first] = [0] * (self.last + 1 - self.first)
        elif self.kind == "remove":
            del lines[block]
        else:
            lines[self.before : self.before] = lines[block]
            del lines[block]
        return lines


def line_change(before: Sequence[object], after: Sequence[object]) -> LineChange | None:
    """Return the change that leads from one list of names to another.

    The number of inserted or removed lines is the difference in length; any further
    difference counts as renaming.

    Parameters
    ----------
    before, after : sequence
        The names.

    Returns
    -------
    LineChange or None
        None if all lines stay where they are.
    """
    shorter = min(len(before), len(after))
    pairs = zip(before, after, strict=False)
    start = next((i for i, (a, b) in enumerate(pairs) if a != b), shorter)
    ends = zip(reversed(before), reversed(after), strict=False)
    alike = next((i for i, (a, b) in enumerate(ends) if a != b), shorter)
    end = min(alike, shorter - start)
    old, new = len(before) - end, len(after) - end
    if new > old:
        return LineChange("insert", old, new - 1)
    if new < old:
        return LineChange("remove", new, old - 1)
    turned = _turn(before[start:old], after[start:old])
    if turned:
        return LineChange("move", start, start + turned - 1, old)
    return None


def _turn(before: Sequence[object], after: Sequence[object]) -> int:
    """Return by how many names the list was rotated; 0 if it was not."""
    signs = {name: sign for sign, name in enumerate({*before, *after})}
    if len(signs) > sys.maxunicode:
        return 0
    # As strings, as Python searches for substrings in linear time.
    one, other = (
        "".join(chr(signs[name]) for name in side) for side in (before, after)
    )
    return max((one + one).find(other, 1), 0)
