"""The layout of a formula whose numbers alone have changed, from the one before."""

from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.nodes import (
    Atom,
    Big,
    Columns,
    Fenced,
    Grid,
    Node,
    Row,
    Script,
    parts_of,
)

_DIGITS = str.maketrans("123456789", "000000000")


def refilled(before: LaidOut, old: Node, new: Node) -> LaidOut | None:
    """Return the layout of a formula, taken from that of another one.

    Parameters
    ----------
    before : LaidOut
        The other one's layout.
    old, new : node
        The other formula, and this one.

    Returns
    -------
    LaidOut or None
        None unless they differ in nothing but digits of numbers, which are all equally
        wide.
    """
    changed: dict[int, Atom] = {}
    if not _pair(old, new, changed):
        return None
    if not changed:
        return before
    marks, places, same_links = list(before.marks), [], True
    for place, (left, base, width, face, was) in enumerate(before.marks):
        atom = changed.get(id(was))
        if atom is not None:
            marks[place] = left, base, width, face, atom
            places.append(place)
            if atom.cell != was.cell or atom.color != was.color:
                same_links = False
    # A text that was broken between its letters may be broken elsewhere now.
    if len(places) != len(changed):
        return None
    return before.with_marks(marks, places, same_links=same_links)


def _pair(old: Node, new: Node, changed: dict[int, Atom]) -> bool:
    """Note the atoms that changed; return whether the formulas are laid out alike."""
    if old is new:
        return True
    kind = type(old)
    if kind is not type(new):
        return False
    if isinstance(old, Atom):
        assert isinstance(new, Atom)
        if old == new:
            return True
        if id(old) in changed or not _are_alike(old, new):
            return False
        changed[id(old)] = new
        return True
    if isinstance(old, Row):
        assert isinstance(new, Row)
        parts, others = old.parts, new.parts
    else:
        if _form(old) != _form(new):
            return False
        parts, others = tuple(parts_of(old)), tuple(parts_of(new))
    if len(parts) != len(others):
        return False
    for part, other in zip(parts, others, strict=True):
        if part is not other and not _pair(part, other, changed):
            return False
    return True


def _form(node: Node) -> tuple[object, ...]:
    """Return what distinguishes nodes of a type besides their parts."""
    match node:
        case Script(_, sub, sup):
            return sub is None, sup is None
        case Big(sign, below, above):
            return sign, below is None, above is None
        case Fenced(_, opening, closing):
            return opening, closing
        case Grid(rows, align, ruled, gap):
            return align, ruled, gap, tuple(map(len, rows))
        case Columns(entries, align, most):
            return align, most, tuple(map(len, entries))
    return ()


def _are_alike(old: Atom, new: Atom) -> bool:
    return (
        old.mono
        and new.mono
        and old.bold == new.bold
        and old.italic == new.italic
        and old.role == new.role
        and (old.cell is None) == (new.cell is None)
        and old.text.translate(_DIGITS) == new.text.translate(_DIGITS)
    )
