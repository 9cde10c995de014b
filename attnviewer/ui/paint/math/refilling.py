"""The layout of a formula whose numbers alone have changed, from the one before."""

from attnviewer.ui.paint.math.filled import Filled, Line
from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.nodes import Atom

_DIGITS = str.maketrans("123456789", "000000000")


def refilled(before: LaidOut, old: Line, new: Line) -> LaidOut | None:
    """Return the layout of a formula, taken from that of another one.

    Parameters
    ----------
    before : LaidOut
        The other one's layout.
    old, new : line
        The other formula, and this one.

    Returns
    -------
    LaidOut or None
        None unless they differ in nothing but digits of numbers, which are all equally
        wide.
    """
    if old == new:
        return before
    if not isinstance(old, Filled) or not isinstance(new, Filled):
        return None
    if old.template is not new.template:
        return None
    others = list(new.replaced(old))
    if not all(_are_as_wide(*pair) for pair in others):
        return None
    changed = {id(was): atom for was, atom in others}
    marks, places, same_links = list(before.marks), [], True
    for place, (left, base, width, face, was) in enumerate(before.marks):
        found = changed.get(id(was))
        if found is not None:
            marks[place] = left, base, width, face, found
            places.append(place)
            if found.cell != was.cell or found.color != was.color:
                same_links = False
    # A text that was broken between its letters may be broken elsewhere now.
    if len(places) != len(changed):
        return None
    return before.with_marks(marks, places, same_links=same_links)


def _are_as_wide(one: Atom, other: Atom) -> bool:
    """Return whether two numbers differ in nothing but their digits."""
    return one.text.translate(_DIGITS) == other.text.translate(_DIGITS)
