"""Which parts of a picture an edit changes, so that only these are painted."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QRegion

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.looks.looks import ACROSS
from attnviewer.ui.views.step.how.drawing import (
    Bar,
    Beam,
    Drawing,
    Panel,
    Ribbon,
    Rule,
    Shape,
    Sheet,
    Text,
)

LABEL_WIDTH = 120.0
"""The most width of a bar's number, in pixels."""
_AROUND_SHEET = 8.0
"""How far the frames of the selection reach beyond a matrix."""
_HEAD = 10.0
"""How far the head of an arrow reaches beside its line."""


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
    region = QRegion()
    for old, new in zip(before.shapes, after.shapes, strict=True):
        if type(old) is not type(new):
            return None
        if isinstance(old, Sheet) and isinstance(new, Sheet):
            for rect in _changed_cells(old, new):
                region += rect.toAlignedRect()
        elif old != new:
            for shape in (old, new):
                reach = reach_of(shape)
                if reach is None:
                    return None
                region += reach.toAlignedRect()
    return region


def reach_of(shape: Shape) -> QRectF | None:
    """Return a rectangle around all that is painted of a shape; None if unknown."""
    match shape:
        case Text(rect=rect) | Beam(rect=rect) | Panel(rect=rect):
            return _grown(rect, 1.0)
        case Bar():
            return _grown(shape.rect.united(_label_reach(shape)), 1.0)
        case Sheet():
            return _grown(shape.rect, _AROUND_SHEET)
        case Rule():
            around = shape.width + (_HEAD if shape.arrow else 0.0)
            return _grown(_between(shape.start, shape.end), around)
        case Ribbon():
            return _grown(_between(shape.start, shape.end), shape.thickness)
    return None


def label_rect(bar: Bar) -> QRectF:
    """Return the rectangle in which a bar's number is centred, above the bar."""
    height = 1.5 * bar.size
    left = bar.rect.center().x() - LABEL_WIDTH / 2
    return QRectF(left, bar.rect.top() - height, LABEL_WIDTH, height)


def _label_reach(bar: Bar) -> QRectF:
    if not bar.label:
        return QRectF()
    # No letter is wider than the font is high.
    free = max(LABEL_WIDTH - bar.size * len(bar.label), 0.0)
    return label_rect(bar).adjusted(free / 2, 0, -free / 2, 0)


def _changed_cells(old: Sheet, new: Sheet) -> list[QRectF]:
    """Return rectangles around the cells that differ in two matrices."""
    if old is new:
        return []
    if not _lie_alike(old, new):
        return [_grown(sheet.rect, _AROUND_SHEET) for sheet in (old, new)]
    differ = (old.colors != new.colors).any(axis=-1)  # (down, across)
    for row, (one, other) in enumerate(zip(old.texts, new.texts, strict=False)):
        if one != other:
            pairs = zip(one, other, strict=True)
            differ[row] |= [a != b for a, b in pairs]
    rects = []
    for row in np.flatnonzero(differ.any(axis=1)).tolist():
        first, *_, last = 2 * np.flatnonzero(differ[row]).tolist()
        cells = new.cell_rect(row, first).united(new.cell_rect(row, last))
        rects.append(_grown(cells, 1.0))
    return rects


def _lie_alike(old: Sheet, new: Sheet) -> bool:
    """Return whether two matrices differ in nothing but numbers and colours."""
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


def _grown(rect: QRectF, by: float) -> QRectF:
    return rect.adjusted(-by, -by, by, by)
