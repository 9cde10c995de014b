"""A matrix beside the bars of its selected row."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF

from attnviewer.ui.views.step.how import bars
from attnviewer.ui.views.step.how.cross import EDGE, SIDE
from attnviewer.ui.views.step.how.drawing import Rule, Shape, Text
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    TITLE,
    labels_above,
    labels_beside,
    place,
)
from attnviewer.ui.views.step.how.subject import Subject

SMALLEST_BESIDE = 30
"""The least width of a column; narrower bars would have no numbers."""
SMALLEST_MATRIX = 24
"""The least size of a cell of the matrix, as its row is repeated by the bars."""
PADDING, ABOVE, LABELS = 14.0, 54.0, 26.0
"""The margin at the sides; the height above the cells with the title and without it."""


def compose_beside(
    subject: Subject, step: str, groups: Sequence[Group], room: QRectF
) -> list[Shape]:
    """Return the shapes of a matrix and of the bars; none if they are too small.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    step : str
        The step that the matrix shows.
    groups : sequence of Group
        The parts of the row.
    room : QRectF
        Where it is drawn, centred.
    """
    measures = subject.measures
    down, across = subject.trace.matrix_shape(step)
    cell, labels = _cell_and_labels(subject, step, room)
    beside = labels + measures(8) + across * cell + measures(SIDE)
    height = room.height() - 2 * measures.margin(EDGE)
    free = QSizeF(room.width() - 2 * measures(EDGE) - beside, height)
    column = bars.column_width(free, across, cell, len(groups), measures)
    if cell < measures(SMALLEST_MATRIX) or column < measures(SMALLEST_BESIDE):
        return []
    side = bars.panel_width(free.width(), across, column, measures)
    # The arrow takes its share of the free room, as the margins do.
    longer = min(measures(SIDE), max(0.0, room.width() - beside - side) / 3)
    width = beside + longer + side
    left = room.left() + max(0.0, (room.width() - width) / 2) + labels + measures(8)
    above = measures(LABELS if measures.low else ABOVE)
    top = room.top() + max(0.0, (room.height() - above - down * cell) / 2) + above
    matrix = subject.operand(step)
    row = subject.focus[0]
    chosen = subject.cell is not None
    sheet = place(
        subject,
        matrix,
        left,
        top,
        cell,
        lit=(row, None) if chosen else (None, None),
        dims=chosen,
        lane="bar" if chosen else None,
    )
    at_side = QRectF(
        sheet.rect.right() + measures(SIDE) + longer,
        room.top() + measures.margin(EDGE),
        side,
        height,
    )
    title = QRectF(left, top - measures(ABOVE), sheet.rect.width(), measures(28))
    if measures.low:
        title = QRectF(
            left - labels - measures(8), top - above, labels, measures(LABELS - 4)
        )
    shapes: list[Shape] = [
        sheet,
        Text(step, title, measures(TITLE), "text", "left", "bold"),
        *labels_beside(sheet, matrix.row_labels, labels, measures),
        *labels_above(sheet, matrix.column_labels, measures),
    ]
    if chosen:
        shapes.append(to_bars(sheet.line_rect(row, None), at_side, measures))
    return [
        *shapes,
        *bars.compose_bars(subject, groups, matrix.columns, at_side, column),
    ]


def to_bars(row: QRectF, bars_room: QRectF, measures: Measures) -> Rule:
    """Return the arrow from a row to its bars."""
    start = QPointF(row.right() + measures(6), row.center().y())
    end = QPointF(bars_room.left() - measures(6), start.y())
    return Rule(start, end, "text", 1.5, arrow=True)


def _cell_and_labels(subject: Subject, step: str, room: QRectF) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels."""
    measures = subject.measures
    labels = measures.widest(subject.labels(step)[0], measures(LABEL))
    if measures.low:
        labels = max(labels, measures.width(step, measures(TITLE)) + 2)
    labels = min(labels, measures(LONGEST_LABEL))
    beside = labels + measures(8 + SIDE + 2 * PADDING + 2 * bars.PADDING)
    down, across = subject.trace.matrix_shape(step)
    wide = (room.width() - beside) / (2 * across)
    above = measures(LABELS if measures.low else ABOVE)
    high = (room.height() - above - measures.margin(2 * EDGE)) / down
    return max(0.0, 2 * (min(wide, high) // 2)), labels
