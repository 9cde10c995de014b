"""A product as on paper: one factor on the left, the other above, the result between.

The free corner holds the sum behind the selected cell.
"""

from collections.abc import Iterator

from PySide6.QtCore import QRectF

from attnviewer.ui.views.step.how.drawing import Beam, Hue, Shape, Sheet, Text
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.products import products
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    SMALL,
    TITLE,
    hue_of,
    labels_above,
    labels_beside,
    left_out,
    place,
    upright_height,
)
from attnviewer.ui.views.step.how.subject import Operand, Subject

GAP, PADDING, CAPTION, COLUMN_LABELS, SIDE = 28.0, 14.0, 30.0, 24.0, 46.0
EDGE = 6.0
"""Above and below, besides the margin around the picture."""
SMALLEST_CELL, FOLDED_CELL = 24, 40
_STEP = 2
"""Sides of cells are multiples of it, in pixels."""
_BESIDE_LABELS = 8.0
_ABOVE_WEIGHTS = 8.0
"""Between the matrix on the left and the weights of its columns."""


def cell_for(cross: Cross, room: QRectF, measures: Measures) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels.

    Parameters
    ----------
    cross : Cross
        The matrices.
    room : QRectF
        The room.
    measures : Measures
        Sizes.
    """
    down, across, inner = cross.size
    size = cross.rows_above + down, inner + across
    n_weights, below = len(cross.weights), room
    names = cross.left.row_labels
    cell, labels = cell_in(size, names, room, measures, n_weights=n_weights)
    upright = upright_height(cross.names_above, cell, measures)
    if upright:
        below = room.adjusted(0, upright, 0, 0)
        cell, labels = cell_in(size, names, below, measures, n_weights=n_weights)
    return cell, labels


def cell_in(
    size: tuple[int, int],
    row_labels: tuple[str, ...],
    room: QRectF,
    measures: Measures,
    *,
    n_weights: int = 0,
    at_side: bool = False,
) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels.

    Parameters
    ----------
    size : tuple of two int
        How many cells are below and beside each other.
    row_labels : tuple of str
        The labels of the matrix on the left.
    room : QRectF
        The room.
    measures : Measures
        Sizes.
    n_weights : int
        How many rows of weights are below the matrix on the left.
    at_side : bool
        Whether some of the cells are drawn at the side.
    """
    down, across = size
    above = measures(COLUMN_LABELS) + measures.caption(CAPTION)
    above += measures.margin(GAP + 2 * EDGE) + n_weights * measures(_ABOVE_WEIGHTS)
    high = (room.height() - above) / (down + n_weights)
    if high < _STEP:  # of a long sequence, whose labels take long to be measured
        return 0.0, 0.0
    labels = min(measures.widest(row_labels, measures(LABEL)), measures(LONGEST_LABEL))
    beside = labels + measures(_BESIDE_LABELS + 2 * PADDING) + measures.margin(GAP)
    if at_side:
        beside += measures(SIDE + 2 * PADDING)
    wide = (room.width() - beside) / across
    return max(0.0, _STEP * (min(wide, high) // _STEP)), labels


def width_of(cross: Cross, cell: float, labels: float, measures: Measures) -> float:
    """Return the width of the matrices with the labels of the rows."""
    _, across, inner = cross.size
    beside = labels + measures(_BESIDE_LABELS) + measures.margin(GAP)
    return beside + (inner + across) * cell


def compose_cross(
    subject: Subject,
    cross: Cross,
    room: QRectF,
    cell: float | None = None,
    side: float = 0.0,
) -> tuple[list[Shape], QRectF]:
    """Return the shapes of a product, and the room at its side.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    cross : Cross
        The matrices.
    room : QRectF
        Where it is drawn, centred.
    cell : float, optional
        The side of a cell; the largest possible one by default.
    side : float
        The width of what is drawn at the side.
    """
    measures = subject.measures
    largest, labels = cell_for(cross, room, measures)
    cell = largest if cell is None else cell
    down, _, inner = cross.size
    gap = measures.margin(GAP)
    beside = labels + measures(_BESIDE_LABELS)
    width = width_of(cross, cell, labels, measures)
    if side:
        width += measures(SIDE) + side
    height = measures(COLUMN_LABELS) + measures.caption(CAPTION) + gap
    height += (cross.rows_above + down) * cell
    height += len(cross.weights) * (cell + measures(_ABOVE_WEIGHTS))
    upright = upright_height(cross.names_above, cell, measures)
    height += upright
    left = room.left() + max(0.0, (room.width() - width) / 2) + beside
    top = room.top() + max(0.0, (room.height() - height) / 2)
    top += measures(COLUMN_LABELS) + upright
    result_left = left + inner * cell + gap
    result_top = top + cross.rows_above * cell + gap
    row, column = (cross.row, cross.column) if cross.chosen else (None, None)
    result = place(
        subject,
        cross.result,
        result_left,
        result_top,
        cell,
        lit=(row, column),
        dims=cross.chosen,
        framed=(cross.row, cross.column) if cross.chosen else None,
    )
    left_sheet = place(
        subject,
        cross.left,
        left,
        result_top,
        cell,
        lit=(row, None),
        dims=cross.chosen,
        lane=_lane(cross, cross.left, "query") if cross.chosen else None,
    )
    above = place(
        subject,
        cross.above,
        result_left,
        top,
        cell,
        transposed=cross.transposed,
        lit=(None, column),
        dims=cross.chosen,
        lane=_lane(cross, cross.above, "key") if cross.chosen else None,
    )
    shapes: list[Shape] = []
    if cross.chosen:
        shapes += _beams(left_sheet, above, result, cross)
    shapes += [left_sheet, above, result]
    if cross.bias is not None:
        shapes += _bias(
            subject, cross.bias, result_left, top + inner * cell, cell, column
        )
    lowest = left_sheet
    for weight in cross.weights:
        top_ = lowest.rect.bottom() + lowest.gap + measures(_ABOVE_WEIGHTS)
        lowest = place(subject, weight, left, top_, cell)
        shapes += [lowest, *labels_beside(lowest, (weight.step,), labels, measures)]
    shapes += _labels(subject, cross, left_sheet, above, labels)
    shapes += labels_above(above, cross.names_above, measures)
    if not measures.low:
        inner_labels = cross.left.column_labels
        shapes += labels_above(lowest, inner_labels, measures, below=True)
    corner = QRectF(
        left - beside, above.rect.top(), inner * cell + beside, inner * cell
    )
    if cross.chosen:
        shapes += products(subject, cross, corner, cell)
    if not measures.low:
        end = result.rect.right() + measures(SIDE) if side else room.right()
        free = corner.adjusted(0, 0, -measures(40), 0)
        shapes += _caption(subject, cross, result, free, end)
    at_side = QRectF(
        result.rect.right() + measures(SIDE),
        room.top() + measures.margin(EDGE),
        side,
        room.height() - 2 * measures.margin(EDGE),
    )
    return shapes, at_side


def _lane(cross: Cross, factor: Operand, role: Hue) -> Hue:
    """Return the colour of a factor: its own, or in a score that of its role."""
    hue = hue_of(factor.step)
    if hue != "text":
        return hue
    return role if cross.transposed else "bar"


def _beams(left: Sheet, above: Sheet, result: Sheet, cross: Cross) -> Iterator[Beam]:
    frame = result.cell_rect(cross.row, cross.column)
    line = left.line_rect(cross.row, None)
    yield Beam(
        QRectF(line.right(), frame.top(), frame.left() - line.right(), frame.height()),
        left.lane or "bar",
    )
    line = above.line_rect(None, cross.column)
    yield Beam(
        QRectF(frame.left(), line.bottom(), frame.width(), frame.top() - line.bottom()),
        above.lane or "bar",
    )


def _bias(
    subject: Subject,
    bias: Operand,
    left: float,
    top: float,
    cell: float,
    column: int | None,
) -> Iterator[Shape]:
    measures = subject.measures
    sheet = place(
        subject, bias, left, top, cell, lit=(None, column), dims=column is not None
    )
    yield sheet
    width = measures(60)
    name = QRectF(left - width - measures(8), top, width, sheet.rect.height())
    yield Text(f"+ {bias.step}", name, measures(LABEL), hue_of(bias.step), "right")


def _labels(
    subject: Subject,
    cross: Cross,
    left: Sheet,
    above: Sheet,
    width: float,
) -> Iterator[Text]:
    measures = subject.measures
    yield from labels_beside(left, cross.left.row_labels, width, measures)
    inner = cross.above.column_labels if cross.transposed else cross.above.row_labels
    small = measures(SMALL)
    for number, name in enumerate(inner):
        rect = above.cell_rect(number, 0)
        place_ = QRectF(
            rect.left() - measures(40), rect.top(), measures(32), rect.height()
        )
        if above.cell >= measures.least_cell(measures(16)):
            yield Text(name, place_, small, "muted", "right")
    title = measures(TITLE)
    height = measures(COLUMN_LABELS)
    start = left.rect.left() - width - measures(8)
    above_name = QRectF(
        start,
        above.rect.top() - height,
        above.rect.left() - measures(8) - start,
        height,
    )
    yield Text(
        cross.title_above, above_name, title, hue_of(cross.above.step), "right", "bold"
    )
    left_name = QRectF(
        start,
        left.rect.top() - height,
        width + left.rect.width(),
        height,
    )
    yield Text(
        cross.left.step, left_name, title, hue_of(cross.left.step), "left", "bold"
    )


def _caption(
    subject: Subject, cross: Cross, result: Sheet, corner: QRectF, end: float
) -> Iterator[Text]:
    """Yield the name of the result, and beside it what is left out or what cells are.

    Without a room beside it, what is left out is written in the corner if that is free.
    """
    measures, name = subject.measures, cross.result.step
    size, omitted = measures(LABEL), _omitted(subject, cross)
    note = ", ".join(omitted) or cross.caption
    left, top = result.rect.left(), result.rect.bottom() + measures(4)
    caption = QRectF(left, top, end - left, measures(22))
    yield Text(name, caption, size, "text", "left", "bold")
    beside = measures.width(name, size) + measures(10)
    if caption.left() + beside + measures.width(note, size) <= end:
        caption = caption.adjusted(beside, 0, 0, 0)
        yield Text(note, caption, size, "muted", "left")
    elif not cross.chosen:
        small = measures(SMALL)
        lines = [
            line
            for part in omitted
            for line in _broken(part, small, corner.width(), measures)
        ]
        height = min(measures(18), corner.height() / max(1, len(lines)))
        rect = QRectF(corner.left(), corner.top(), corner.width(), height)
        for line in lines:
            yield Text(line, QRectF(rect), small, "muted", "left")
            rect.translate(0, height)


def _broken(text: str, size: float, width: float, measures: Measures) -> list[str]:
    """Return the lines of a text that is broken between words where it is too wide."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measures.width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _omitted(subject: Subject, cross: Cross) -> list[str]:
    """Return how many rows, columns and terms are drawn, of those that not all are."""
    shape = subject.trace.matrix_shape(cross.result.step)
    return left_out(cross.size, (*shape, cross.size[2] + cross.omitted))
