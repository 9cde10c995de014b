"""Rotation by position: a pair of columns of each row as a rotating arrow."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.chain import TITLES
from attnviewer.ui.views.step.how.drawing import Dial, Shape, Text
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    SMALL,
    TITLE,
    hue_of,
    labels_above,
    labels_beside,
    place,
)
from attnviewer.ui.views.step.how.subject import ARRIVED, Subject

_tr = translate_in("How")

PADDING, ABOVE, BELOW = 14.0, 56.0, 40.0
_DIALS = 2.6
"""Width of the column of dials, in cells."""
_ZEROS = str.maketrans("123456789", "000000000")
"""Digits by the widest one."""


def dial_cell(
    subject: Subject, down: int, across: int, room: QRectF
) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels."""
    measures = subject.measures
    names = subject.labels(subject.step)[0]
    labels = min(measures.widest(names, measures(LABEL)), measures(LONGEST_LABEL))
    free = room.width() - labels - measures(8 + 2 * PADDING)
    beside_caption = (free - _caption_width(subject)) / (2 * across)
    wide = min(free / (2 * across + _DIALS), beside_caption)
    around = measures(ABOVE) + measures.caption(BELOW) + measures.margin(2 * PADDING)
    high = (room.height() - around) / down
    return max(0.0, 2 * (min(wide, high) // 2)), labels


def compose_dials(
    subject: Subject, rows: list[int] | None, columns: list[int] | None, room: QRectF
) -> list[Shape]:
    """Return the shapes of a rotation.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    rows, columns : list of int or None
        The rows and columns that are drawn; None for all.
    room : QRectF
        Where it is drawn, centred.
    """
    measures = subject.measures
    before = subject.operand(subject.stage.inputs[0], rows, columns)
    after = subject.operand(subject.step, rows, columns)
    down, across = after.values.shape
    cell, labels = dial_cell(subject, down, across, room)
    between = max(_DIALS * cell, _caption_width(subject))
    total = labels + measures(8) + 2 * across * cell + between
    left = room.left() + max(0.0, (room.width() - total) / 2) + labels + measures(8)
    height = down * cell + measures(ABOVE) + measures.caption(BELOW)
    top = room.top() + max(0.0, (room.height() - height) / 2) + measures(ABOVE)
    pair, axis = pair_of(subject), axis_of(subject)
    row = after.rows.index(subject.focus[0]) if subject.cell is not None else None
    chosen = subject.cell is not None
    column = subject.focus[1]
    own = after.columns.index(column) if column in after.columns else None
    one = place(
        subject, before, left, top, cell, lit=(row, None), dims=chosen, lane="bar"
    )
    two = place(
        subject,
        after,
        left + across * cell + between,
        top,
        cell,
        lit=(row, own if chosen else None),
        dims=chosen,
        framed=(row, own) if row is not None and own is not None else None,
    )
    shapes: list[Shape] = [one, two]
    if pair is not None:
        radius = 0.46 * (cell - one.gap)
        reach = _longest(one.values, before.columns, pair) or 1.0
        for number, own_row in enumerate(after.rows):
            center = QPointF(
                left + across * cell + 0.5 * between - 0.2 * _DIALS * cell,
                one.cell_rect(number, 0).center().y(),
            )
            shapes.append(
                _dial(
                    center,
                    radius,
                    _vector(one.values[number], before.columns, pair, reach),
                    _vector(two.values[number], after.columns, pair, reach),
                    _turned(subject, own_row),
                    measures(SMALL),
                    lit=number == row,
                )
            )
        middle = left + across * cell
        rect = QRectF(middle, top - measures(24), between, measures(22))
        text = _caption(*pair)
        shapes.append(Text(text, rect, measures(SMALL), "muted"))
        if axis is not None:
            by = _tr("along axis {axis}").format(axis=axis)
            rect = rect.translated(0, -measures(20))
            shapes.append(Text(by, rect, measures(SMALL), "muted"))
    for sheet in (one, two):
        shapes += labels_above(sheet, before.column_labels, measures)
        rect = QRectF(
            sheet.rect.left(),
            sheet.rect.top() - measures(24 + TITLES),
            max(sheet.rect.width(), measures(110)),
            measures(TITLES),
        )
        hue = hue_of(sheet.step)
        shapes.append(Text(sheet.step, rect, measures(TITLE), hue, "left", "bold"))
    shapes += labels_beside(one, before.row_labels, labels, measures)
    return shapes


def _caption(first: int, second: int) -> str:
    return _tr("columns {first} and {second}").format(first=first, second=second)


def _caption_width(subject: Subject) -> float:
    """Return the room for the longest caption, so that a choice moves nothing."""
    measures, last = subject.measures, subject.trace.matrix_shape(subject.step)[1] - 1
    text = _caption(last, last).translate(_ZEROS)
    return measures.width(text, measures(SMALL)) + measures(10)


def _turned(subject: Subject, row: int) -> float:
    """Return the share of its rotation that a row has made during playback."""
    progress, at = subject.progress, subject.focus[0]
    if progress is None or row < at:
        return 1.0
    return min(1.0, progress.share / ARRIVED) if row == at else 0.0


def pair_of(subject: Subject) -> tuple[int, int] | None:
    """Return the two columns that rotate together with the selected one."""
    lead = subject.trace.matrix_index(subject.step, subject.head)
    formula = subject.trace.explain(subject.step, (*lead, *subject.focus))
    source = subject.stage.inputs[0]
    columns = sorted({cell.index[-1] for cell in formula.cells if cell.step == source})
    return (columns[0], columns[1]) if len(columns) == 2 else None


def axis_of(subject: Subject) -> int | None:
    """Return the axis by whose position the selected pair turns, of several."""
    lead = subject.trace.matrix_index(subject.step, subject.head)
    formula = subject.trace.explain(subject.step, (*lead, *subject.focus))
    cells = (cell for cell in formula.cells if cell.step == "position_ids")
    return next((cell.index[-1] for cell in cells), None)


def _longest(values: object, columns: Sequence[int], pair: tuple[int, int]) -> float:
    rows = values[:, [columns.index(k) for k in pair if k in columns]]  # type: ignore[index]
    return max((math.hypot(*row) for row in rows.tolist()), default=0.0)


def _vector(
    row: object, columns: Sequence[int], pair: tuple[int, int], reach: float
) -> QPointF:
    x, y = (
        float(row[columns.index(k)]) if k in columns else 0.0  # type: ignore[index]
        for k in pair
    )
    return QPointF(x / reach, y / reach)


def _dial(
    center: QPointF,
    radius: float,
    before: QPointF,
    after: QPointF,
    share: float,
    size: float,
    *,
    lit: bool,
) -> Dial:
    first = math.atan2(before.y(), before.x())
    angle = (math.atan2(after.y(), after.x()) - first) % math.tau
    length = math.hypot(after.x(), after.y())
    turned = first + share * angle
    end = QPointF(length * math.cos(turned), length * math.sin(turned))
    label = f"{math.degrees(angle):.0f}°" if length and share else ""
    return Dial(center, radius, before, end, label, size, lit)
