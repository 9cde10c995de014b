"""A matrix beside the bars of its selected row."""

from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.views.step.how import bars
from attnviewer.ui.views.step.how.cross import LONGEST_LABEL, SIDE
from attnviewer.ui.views.step.how.drawing import Rule, Shape, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    TITLE,
    labels_above,
    labels_beside,
    place,
)
from attnviewer.ui.views.step.how.subject import Operand, Subject

SMALLEST_BESIDE = 30
"""The least size of a cell: bars of smaller ones would have no numbers."""
PADDING, ABOVE = 14.0, 54.0


def beside_cell(
    shape: tuple[int, int],
    row_labels: tuple[str, ...],
    columns: int,
    room: QRectF,
    measures: Measures,
) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels.

    Parameters
    ----------
    shape : tuple of two int
        Rows and columns of the matrix on the left.
    row_labels : tuple of str
        Its labels.
    columns : int
        Columns of the bars.
    room : QRectF
        The room.
    measures : Measures
        Sizes.
    """
    labels = min(measures.widest(row_labels, measures(LABEL)), measures(LONGEST_LABEL))
    beside = labels + measures(8 + SIDE + 2 * PADDING + 2 * bars.PADDING)
    down, across = shape
    wide = (room.width() - beside) / (across + columns)
    high = (room.height() - measures(ABOVE) - measures.margin(2 * PADDING)) / down
    return max(0.0, 2 * (min(wide, high) // 2)), labels


def compose_beside(
    subject: Subject,
    matrix: Operand,
    room: QRectF,
    cell: float,
    labels: float,
    columns: int,
) -> tuple[list[Shape], QRectF]:
    """Return the shapes of the matrix, and the room of the bars.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    matrix : Operand
        The matrix.
    room : QRectF
        Where it is drawn, centred.
    cell, labels : float
        What `beside_cell` returned.
    columns : int
        Columns of the bars.
    """
    measures = subject.measures
    down, across = matrix.values.shape
    side = columns * cell + 2 * measures(bars.PADDING)
    width = labels + measures(8) + across * cell + measures(SIDE) + side
    left = room.left() + max(0.0, (room.width() - width) / 2) + labels + measures(8)
    height = measures(ABOVE) + down * cell
    top = room.top() + max(0.0, (room.height() - height) / 2) + measures(ABOVE)
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
        sheet.rect.right() + measures(SIDE),
        room.top() + measures(PADDING),
        side,
        room.height() - 2 * measures(PADDING),
    )
    title = QRectF(left, top - measures(ABOVE), sheet.rect.width(), measures(28))
    shapes: list[Shape] = [
        sheet,
        Text(matrix.step, title, measures(TITLE), "text", "left", "bold"),
        *labels_beside(sheet, matrix.row_labels, labels, measures),
        *labels_above(sheet, matrix.column_labels, measures),
    ]
    if chosen:
        shapes.append(to_bars(sheet.line_rect(row, None), at_side, measures))
    return shapes, at_side


def to_bars(row: QRectF, bars_room: QRectF, measures: Measures) -> Rule:
    """Return the arrow from a row to its bars."""
    start = QPointF(row.right() + measures(6), row.center().y())
    end = QPointF(bars_room.left() - measures(6), start.y())
    return Rule(start, end, "text", 1.5, arrow=True)
