"""How the lines of a table, its rows or its columns, changed, told by their names."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LineChange:
    """Neighbouring lines that came, went or moved.

    Parameters
    ----------
    kind : str
        ``come``, ``go`` or ``move``.
    first, last : int
        The lines: those after the change that came, those before it that went or
        moved.
    before : int
        The line before which they moved, as it was counted before the change.
    """

    kind: Literal["come", "go", "move"]
    first: int
    last: int
    before: int = 0

    def order(self, count: int) -> list[int]:
        """Return which of so many lines each one was; any for those that came."""
        lines, block = list(range(count)), slice(self.first, self.last + 1)
        if self.kind == "come":
            lines[self.first : self.first] = [0] * (self.last + 1 - self.first)
        elif self.kind == "go":
            del lines[block]
        else:
            lines[self.before : self.before] = lines[block]
            del lines[block]
        return lines


def line_change(before: Sequence[object], after: Sequence[object]) -> LineChange | None:
    """Return what takes the lines from one list of names to another.

    Only as many lines come or go as there are more or fewer; where more than that has
    changed, lines that stay bear other names.

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
        return LineChange("come", old, new - 1)
    if new < old:
        return LineChange("go", new, old - 1)
    turned = _turn(before[start:old], after[start:old])
    if turned:
        return LineChange("move", start, start + turned - 1, old)
    return None


def _turn(before: Sequence[object], after: Sequence[object]) -> int:
    """Return how many names went from the beginning to the end; 0 for none."""
    signs = {name: sign for sign, name in enumerate({*before, *after})}
    if len(signs) > sys.maxunicode:
        return 0
    # As texts, in which Python finds one in another in time that grows as they do.
    one, other = (
        "".join(chr(signs[name]) for name in side) for side in (before, after)
    )
    return max((one + one).find(other, 1), 0)
