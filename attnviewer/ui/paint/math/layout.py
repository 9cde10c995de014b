"""Layout of formulas: positions of their parts, in units of the font's height."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from attnviewer.ui.paint.math.breaking import Breaking, Item, width_of
from attnviewer.ui.paint.math.faces import Faces
from attnviewer.ui.paint.math.laid_out import LaidOut, Mark, Stroke
from attnviewer.ui.paint.math.nodes import (
    Atom,
    Big,
    Fenced,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
)

# In em.
_SPACES = {
    "ordinary": (0.0, 0.0),
    "relation": (0.3, 0.3),
    "binary": (0.24, 0.24),
    "times": (0.1, 0.1),
    "punctuation": (0.0, 0.25),
    "space": (0.0, 0.0),
}
"""Space before and after an atom of each role."""
_RAISED, _LOWERED = 0.36, 0.22
"""How far the baselines of scripts are above and below that of their base."""
_LIMIT_GAP, _BAR_GAP, _BAR_AROUND = 0.12, 0.2, 0.15
_FENCE, _FENCE_GAP, _FENCE_LINE = 0.26, 0.08, 0.07
_HIGH = 1.35
"""From this height on, brackets are drawn instead of set."""
_BIG = 1.35
"""Size of a big sign."""
_LINE_GAP, _LEAST_PITCH = 0.45, 1.35
"""Distance of lines: between their letters, and of their baselines at least."""
_ROW_GAP = 0.3
_UNDER = 2.0
"""Room for the line under a link, in pixels."""


_MOST_KEPT = 4096
_Kept = dict[tuple[int, int, int], tuple[Node, LaidOut]]
"""Layouts by identity of the part, depth and place; the part is kept with its own."""


@lru_cache(maxsize=16)
def _kept_in(_faces: Faces) -> _Kept:
    return {}


def lay_out(node: Node, faces: Faces, room: float = math.inf) -> LaidOut:
    """Lay a formula out.

    Parameters
    ----------
    node : node
        The formula.
    faces : Faces
        Its fonts, from `faces_of`.
    room : float
        The most width, in pixels. A longer one is broken into lines at = and +, then
        inside of fractions and brackets, then wherever it must be.
    """
    return _Layout(faces).laid(node, 0, room)


class _Layout:
    def __init__(self, faces: Faces, *, display: bool = True) -> None:
        self._faces = faces
        self._kept = _kept_in(faces)
        self._inside = 0 if display else 1
        self._by_type: dict[type, Callable[..., LaidOut]] = {
            Atom: self._atom,
            Row: self._row,
            Fraction: self._fraction,
            Root: self._root,
            Script: self._script,
            Big: self._big,
            Fenced: self._fenced,
            Grid: self._grid,
        }

    def size(self, level: int) -> float:
        """Return the font size at a depth of scripts, in pixels."""
        return self._faces.size(level)

    def laid(self, node: Node, level: int, room: float = math.inf) -> LaidOut:
        """Lay a part out at a depth of scripts."""
        if room != math.inf:
            return self._by_type[type(node)](node, level, room)
        # Names and signs are the same objects from one edit to the next; numbers, the
        # only monospaced texts, are not.
        if type(node) is Atom and node.mono:
            return self._atom(node, level, room)
        key = id(node), level, self._inside
        kept = self._kept.get(key)
        if kept is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            kept = node, self._by_type[type(node)](node, level, room)
            self._kept[key] = kept
        return kept[1]

    def item(self, part: Node, level: int) -> Item:
        """Return a part with its layout, however wide it is, and its spaces."""
        laid = self.laid(part, level)
        role = part.role if type(part) is Atom else "ordinary"
        if role == "ordinary":
            return Item(part, laid, 0.0, 0.0, role)
        em = self._faces.size(level)
        before, after = _SPACES[role]
        return Item(part, laid, before * em, after * em, role)

    def beside(self, parts: Sequence[LaidOut], lefts: Sequence[float]) -> LaidOut:
        """Return parts on one baseline."""
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        ascent = descent = right = 0.0
        for part, left in zip(parts, lefts, strict=True):
            for x, base, width, face, atom in part.marks:
                marks.append((left + x, base, width, face, atom))
            if part.strokes:
                _add_strokes(strokes, part, left, 0.0)
            if part.ascent > ascent:
                ascent = part.ascent
            if part.descent > descent:
                descent = part.descent
            right = left + part.width
        return LaidOut(right, ascent, descent, marks, strokes)

    def stacked(self, lines: Sequence[LaidOut], level: int) -> LaidOut:
        """Return lines below each other, on the baseline of the first."""
        em = self._faces.size(level)
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        base, below, width = 0.0, 0.0, 0.0
        for place, line in enumerate(lines):
            if place:
                least = below + _LINE_GAP * em + line.ascent
                base += max(least, _LEAST_PITCH * em)
            _add(marks, strokes, line, 0.0, base)
            below, width = line.descent, max(width, line.width)
        first = lines[0].ascent if lines else 0.0
        return LaidOut(width, first, base + below, marks, strokes)

    def split(self, atom: Atom, level: int, room: float) -> tuple[Atom, Atom | None]:
        """Return as much of an atom as fits, at least one letter, and the rest."""
        face, text = self._faces.face(atom, level), atom.text
        most = len(text)
        while most > 1 and face.extent(text[:most])[0] > room:
            most -= 1
        if most == len(text):
            return atom, None
        return _with_text(atom, text[:most]), _with_text(atom, text[most:])

    def _atom(self, atom: Atom, level: int, room: float) -> LaidOut:
        face = self._faces.face(atom, level)
        width, ascent, descent = face.extent(atom.text)
        if width > room:
            return Breaking(self, level, room).broken((self.item(atom, level),))
        descent += _UNDER if atom.cell is not None else 0.0
        return LaidOut(width, ascent, descent, [(0.0, 0.0, width, face, atom)], [])

    def _row(self, node: Row, level: int, room: float) -> LaidOut:
        if not node.parts:
            return LaidOut(0.0, 0.0, 0.0, [], [])
        items = [self.item(part, level) for part in node.parts]
        if room != math.inf and width_of(items) > room:
            return Breaking(self, level, room).broken(items)
        lefts, x = [], -items[0].before
        for item in items:
            lefts.append(x + item.before)
            x += item.before + item.laid.width + item.after
        return self.beside([item.laid for item in items], lefts)

    def _fraction(self, node: Fraction, level: int, room: float) -> LaidOut:
        faces, em = self._faces, self._faces.size(level)
        around = _BAR_AROUND * em
        inner = _Layout(faces, display=False)
        above = inner.laid(node.above, level, room - 2 * around)
        below = inner.laid(node.below, level, room - 2 * around)
        width = max(above.width, below.width) + 2 * around
        axis, rule = -faces.axis * em / faces.em, faces.rule * em / faces.em
        up = axis - rule / 2 - _BAR_GAP * em - above.descent
        down = axis + rule / 2 + _BAR_GAP * em + below.ascent
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        _add(marks, strokes, above, (width - above.width) / 2, up)
        _add(marks, strokes, below, (width - below.width) / 2, down)
        inset = around / 3
        strokes.append((rule, ((inset, axis), (width - inset, axis))))
        return LaidOut(width, above.ascent - up, down + below.descent, marks, strokes)

    def _root(self, node: Root, level: int, room: float) -> LaidOut:
        em = self._faces.size(level)
        line = 0.75 * self._faces.rule * em / self._faces.em
        hook, gap = 0.5 * em, 0.12 * em
        body = self.laid(node.body, level, room - hook - gap)
        top = -(body.ascent + gap + line / 2)
        bottom = max(body.descent, 0.05 * em)
        width = hook + body.width + gap
        middle = (top + bottom) / 2
        points = (
            (0.04 * em, middle + 0.08 * em),
            (0.14 * em, middle),
            (0.26 * em, bottom),
            (hook - 0.04 * em, top),
            (width, top),
        )
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        _add(marks, strokes, body, hook, 0.0)
        strokes.append((line, points))
        return LaidOut(width, line / 2 - top, bottom + line / 2, marks, strokes)

    def _script(self, node: Script, level: int, room: float) -> LaidOut:
        em = self._faces.size(level)
        base = self.laid(node.base, level)
        marks, strokes = list(base.marks), list(base.strokes)
        ascent, descent, right = base.ascent, base.descent, base.width
        left = base.width + 0.03 * em
        if node.sub is not None:
            sub = self.laid(node.sub, level + 1)
            down = max(_LOWERED * em, base.descent - 0.2 * em)
            _add(marks, strokes, sub, left, down)
            descent, right = max(descent, down + sub.descent), left + sub.width
        if node.sup is not None:
            sup = self.laid(node.sup, level + 1)
            up = max(_RAISED * em + sup.descent, base.ascent - 0.55 * sup.ascent)
            _add(marks, strokes, sup, left, -up)
            ascent, right = max(ascent, up + sup.ascent), max(right, left + sup.width)
        return LaidOut(right + 0.04 * em, ascent, descent, marks, strokes)

    def _big(self, node: Big, level: int, room: float) -> LaidOut:
        if level or self._inside:
            sign = Script(Atom(node.sign), node.below, node.above)
            laid = self._script(sign, level, room)
            laid.width += 0.1 * self._faces.size(level)
            return laid
        faces, em = self._faces, self._faces.em
        large = faces.enlarged(_BIG).face(Atom(node.sign), 0)
        wide, high, low = large.extent(node.sign)
        sunk = (high - low) / 2 - faces.axis  # so that its middle is on the axis
        limits = [
            self.laid(limit, 1) if limit is not None else None
            for limit in (node.below, node.above)
        ]
        width = max([wide, *(limit.width for limit in limits if limit is not None)])
        marks: list[Mark] = [
            ((width - wide) / 2, sunk, wide, large, Atom(node.sign)),
        ]
        strokes: list[Stroke] = []
        ascent, descent = high - sunk, low + sunk
        below, above = limits
        if below is not None:
            down = descent + _LIMIT_GAP * em + below.ascent
            _add(marks, strokes, below, (width - below.width) / 2, down)
            descent = down + below.descent
        if above is not None:
            up = ascent + _LIMIT_GAP * em + above.descent
            _add(marks, strokes, above, (width - above.width) / 2, -up)
            ascent = up + above.ascent
        return LaidOut(width + 0.15 * em, ascent, descent, marks, strokes)

    def _fenced(self, node: Fenced, level: int, room: float) -> LaidOut:
        em, fence = self._faces.size(level), _FENCE * self._faces.size(level)
        body = self.laid(node.body, level, room - 2 * fence)
        if body.height < _HIGH * em and node.opening in "([|":
            signs = [self._set(sign, level) for sign in (node.opening, node.closing)]
            width = signs[0].width
            return self.beside(
                [signs[0], body, signs[1]], [0.0, width, width + body.width]
            )
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        _add(marks, strokes, body, fence, 0.0)
        width = body.width + 2 * fence
        gap = _FENCE_GAP * em
        top, bottom = -body.ascent - gap, body.descent + gap
        for points in _bracket(node.opening, fence, top, bottom):
            strokes.append((_FENCE_LINE * em, points))
        for points in _bracket(node.opening, fence, top, bottom):
            mirrored = tuple((width - x, y) for x, y in points)
            strokes.append((_FENCE_LINE * em, mirrored))
        return LaidOut(width, -top, bottom, marks, strokes)

    def _set(self, sign: str, level: int) -> LaidOut:
        return self._atom(Atom(sign), level, math.inf)

    def _grid(self, node: Grid, level: int, room: float) -> LaidOut:
        em, faces = self._faces.size(level), self._faces
        inner, gap = _Layout(faces, display=False), node.gap * em
        rows = [[inner.laid(part, level) for part in entries] for entries in node.rows]
        widths = _widths(rows)
        over = sum(widths) + gap * (len(widths) - 1) - room
        if over > 0:
            # The widest column gives way.
            place = widths.index(max(widths))
            left = max(widths[place] - over, 1.5 * em)
            for entries, parts in zip(rows, node.rows, strict=True):
                entries[place] = inner.laid(parts[place], level, left)
            widths = _widths(rows)
        marks: list[Mark] = []
        strokes: list[Stroke] = []
        base = below = total = 0.0
        for place, entries in enumerate(rows):
            ascent = max((part.ascent for part in entries), default=0.0)
            ruled = node.ruled and place == len(rows) - 1
            if place:
                least = below + (_ROW_GAP + 0.25 * ruled) * em + ascent
                base += max(least, _LEAST_PITCH * em)
            x = 0.0
            for column, (part, width) in enumerate(zip(entries, widths, strict=True)):
                free = width - part.width
                letter = node.align[min(column, len(node.align) - 1)]
                shift = {"l": 0.0, "c": free / 2, "r": free}[letter]
                _add(marks, strokes, part, x + shift, base)
                x += width + gap
            total = max(x - gap, 0.0)
            if ruled and place:
                line = base - ascent - 0.2 * em
                strokes.append((0.7 * faces.rule, ((0.0, line), (total, line))))
            below = max((part.descent for part in entries), default=0.0)
        first = max((part.ascent for part in rows[0]), default=0.0) if rows else 0.0
        return LaidOut(total, first, base + below, marks, strokes)


def _widths(rows: Sequence[Sequence[LaidOut]]) -> list[float]:
    """Return the widths of the columns of parts."""
    return [max(part.width for part in column) for column in zip(*rows, strict=True)]


def _add(
    marks: list[Mark], strokes: list[Stroke], part: LaidOut, x: float, y: float
) -> None:
    """Add a part's marks and strokes at a place."""
    marks += [
        (left + x, base + y, width, face, atom)
        for left, base, width, face, atom in part.marks
    ]
    _add_strokes(strokes, part, x, y)


def _add_strokes(strokes: list[Stroke], part: LaidOut, x: float, y: float) -> None:
    for thickness, points in part.strokes:
        strokes.append((thickness, tuple((a + x, b + y) for a, b in points)))


def _bracket(
    sign: str, width: float, top: float, bottom: float
) -> list[tuple[tuple[float, float], ...]]:
    """Return the lines of an opening bracket."""
    left, right = 0.3 * width, 0.75 * width
    if sign == "[":
        return [((right, top), (left, top), (left, bottom), (right, bottom))]
    middle = width / 2
    if sign == "(":
        turns = [k / 12 for k in range(13)]
        bend = [right - (right - left) * math.sin(math.pi * t) ** 0.7 for t in turns]
        down = [top + (bottom - top) * t for t in turns]
        return [tuple(zip(bend, down, strict=True))]
    if sign == "‖":
        return [((x, top), (x, bottom)) for x in (0.1 * width, 0.55 * width)]
    return [((middle, top), (middle, bottom))]


def _with_text(atom: Atom, text: str) -> Atom:
    return Atom(text, atom.color, atom.bold, atom.italic, atom.mono, atom.cell)
