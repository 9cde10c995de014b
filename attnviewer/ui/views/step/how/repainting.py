"""The dirty region of a picture after an edit."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QRegion

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.looks.looks import ACROSS
from attnviewer.ui.views.step.how.drawing import (
    Bars,
    Beam,
    Drawing,
    Panel,
    Ribbon,
    Rule,
    Shape,
    Sheet,
    Text,
)

_AROUND_SHEET = 8.0
"""The extent of the selection frames beyond a matrix."""
_HEAD = 10.0
"""The extent of an arrow head beside its line."""
_NEAR = 24.0
"""Changes at most this far apart are merged into one rectangle."""
Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_EVERYWHERE: Sides = (-math.inf, -math.inf, math.inf, math.inf)


def still_shows(drawing: Drawing, before: DisplayedStep, shown: DisplayedStep) -> bool:
    """Return whether the picture of one result also shows the next one."""
    if (before.step, before.head, before.look, before.theme) != (
        shown.step,
        shown.head,
        shown.look,
        shown.theme,
    ):
        return False
    steps = {shown.step, *drawing.covers, *(sheet.step for sheet in drawing.sheets)}
    if steps & set(ACROSS):  # all of them may share a scale
        steps |= set(ACROSS) & set(shown.computed.trace)
    return shown.computed.keeps(before.computed, steps)


def changed_region(before: Drawing, after: Drawing) -> QRegion | None:
    """Return where two pictures differ; None for everywhere."""
    if len(before.shapes) != len(after.shapes):
        return None
    parts: list[Sides] = []
    reaches = reaches_of(before), reaches_of(after)
    for place, (old, new) in enumerate(zip(before.shapes, after.shapes, strict=True)):
        if type(old) is not type(new):
            return None
        if isinstance(old, Sheet) and isinstance(new, Sheet):
            for part in _changed_cells(old, new):
                _join(parts, part)
        elif isinstance(old, Bars) and isinstance(new, Bars):
            span = _changed_bars(old, new)
            if span is not None:
                _join(parts, span)
        elif old is not new and old != new:
            _join(parts, _around(np.array([reach[place] for reach in reaches])))
    if any(part[2] == math.inf for part in parts):
        return None
    region = QRegion()
    for left, top, right, bottom in parts:
        x, y = math.floor(left), math.floor(top)
        region += QRect(x, y, math.ceil(right) - x, math.ceil(bottom) - y)
    return region


def _join(parts: list[Sides], part: Sides) -> None:
    """Add a part, merged with the last one if they are neighbours."""
    if parts and _meet(_widened(parts[-1]), part):
        parts[-1] = _union(parts[-1], part)
    else:
        parts.append(part)


def _meet(one: Sides, other: Sides) -> bool:
    return (
        one[0] < other[2]
        and other[0] < one[2]
        and one[1] < other[3]
        and other[1] < one[3]
    )


def _union(one: Sides, other: Sides) -> Sides:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _widened(part: Sides) -> Sides:
    left, top, right, bottom = part
    return left - _NEAR, top, right + _NEAR, bottom


# Two: for the picture on the screen and its successor.
@lru_cache(maxsize=2)
def reaches_of(drawing: Drawing) -> Array:
    """Return rectangles around all that is painted of each shape.

    Parameters
    ----------
    drawing : Drawing
        The picture.

    Returns
    -------
    ndarray, shape (n_shapes, 4)
        Left, top, right and bottom; of infinite size where it is not known.
    """
    reaches = [_reach_of(shape) for shape in drawing.shapes]
    return np.array(reaches, np.float64).reshape(-1, 4)


def sides_of(region: QRegion) -> Array:
    """Return left, top, right and bottom of the parts of a region, shape (n, 4)."""
    boxes = [part.getRect() for part in region]  # type: ignore[attr-defined]  # unknown to stubs
    sides = np.array(boxes, np.float64).reshape(-1, 4)
    sides[:, 2:] += sides[:, :2]
    return sides


def reach_into(reaches: Array, exposed: Array) -> list[bool]:
    """Return which rectangles intersect any of some others.

    Parameters
    ----------
    reaches, exposed : ndarray, shape (n, 4) and (n_others, 4)
        Left, top, right and bottom of each.
    """
    left, top, right, bottom = reaches.T[..., np.newaxis]  # (n, 1)
    lefts, tops, rights, bottoms = exposed.T
    met = (left < rights) & (lefts < right) & (top < bottoms) & (tops < bottom)
    reaching: list[bool] = met.any(axis=1).tolist()
    return reaching


def _reach_of(shape: Shape) -> Sides:
    sides = _REACHES.get(type(shape))
    return _EVERYWHERE if sides is None else sides(shape)


def _text_sides(text: Text) -> Sides:
    # Letters may begin before their rectangle, but are never above or below it.
    left, top, right, bottom = _sides(text.rect, 0.0)
    return left - 1.0, top, right + 1.0, bottom


def _rect_sides(shape: Beam | Panel) -> Sides:
    return _sides(shape.rect, 1.0)


def _sheet_sides(sheet: Sheet) -> Sides:
    return _sides(sheet.rect, _AROUND_SHEET)


def _bars_sides(bars: Bars) -> Sides:
    return _around(bars.reaches)


def _rule_sides(rule: Rule) -> Sides:
    around = rule.width + (_HEAD if rule.arrow else 0.0)
    return _sides(_between(rule.start, rule.end), around)


def _ribbon_sides(ribbon: Ribbon) -> Sides:
    return _sides(_between(ribbon.start, ribbon.end), ribbon.thickness)


_REACHES: dict[type, Callable[[Any], Sides]] = {
    Text: _text_sides,
    Beam: _rect_sides,
    Panel: _rect_sides,
    Sheet: _sheet_sides,
    Bars: _bars_sides,
    Rule: _rule_sides,
    Ribbon: _ribbon_sides,
}


def _sides(rect: QRectF, around: float) -> Sides:
    """Return the sides of a rectangle with a margin added on each side."""
    box: Sides = rect.getRect()  # type: ignore[assignment]  # untyped in stubs
    left, top, across, down = box
    left, top = left - around, top - around
    return left, top, left + (across + 2 * around), top + (down + 2 * around)


def _changed_bars(old: Bars, new: Bars) -> Sides | None:
    """Return the rectangle from the first to the last bar that differs."""
    count = len(new.labels)
    if (len(old.labels), old.lit, old.size) != (count, new.lit, new.size):
        return _union(_bars_sides(old), _bars_sides(new))
    differ = (old.rects != new.rects).any(axis=-1)  # (n_bars,)
    differ |= [one != other for one, other in zip(old.labels, new.labels, strict=True)]
    if old.colors is None or new.colors is None:
        differ |= old.colors is not new.colors
    else:
        differ |= (old.colors != new.colors).any(axis=-1)
    changed = np.flatnonzero(differ).tolist()
    if not changed:
        return None
    among = slice(changed[0], changed[-1] + 1)
    return _around(np.concatenate([old.reaches[among], new.reaches[among]]))


def _around(reaches: Array) -> Sides:
    """Return the rectangle around some, shape (n, 4)."""
    left, top = reaches[:, :2].min(axis=0).tolist()
    right, bottom = reaches[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def _changed_cells(old: Sheet, new: Sheet) -> list[Sides]:
    """Return rectangles around the cells that differ in two matrices."""
    if old is new:
        return []
    if not _lie_alike(old, new):
        return [_sheet_sides(old), _sheet_sides(new)]
    differ = (old.colors != new.colors).any(axis=-1)  # (down, across)
    for row, (one, other) in enumerate(zip(old.texts, new.texts, strict=False)):
        if one != other:
            pairs = zip(one, other, strict=True)
            differ[row] |= [a != b for a, b in pairs]
    parts = []
    for row, line in enumerate(differ.tolist()):
        columns = [column for column, differs in enumerate(line) if differs]
        if columns:
            first, last = (new.cell_rect(row, columns[end]) for end in (0, -1))
            parts.append(_sides(first.united(last), 1.0))
    return parts


def _lie_alike(old: Sheet, new: Sheet) -> bool:
    """Return whether two matrices differ in numbers and colours alone."""
    return (
        _place(old) == _place(new)
        and len(old.texts) == len(new.texts)
        and _same(old.hidden, new.hidden)
        and _same(old.empty, new.empty)
    )


def _place(sheet: Sheet) -> tuple[object, ...]:
    return (
        sheet.step,
        sheet.head,
        sheet.rows,
        sheet.columns,
        sheet.transposed,
        sheet.rect,
        sheet.cell,
        sheet.gap,
        sheet.size,
        sheet.lit,
        sheet.dims,
        sheet.framed,
        sheet.lane,
    )


def _same(one: BoolArray | None, other: BoolArray | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def _between(start: QPointF, end: QPointF) -> QRectF:
    return QRectF(start, end).normalized()
