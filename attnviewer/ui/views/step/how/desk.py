"""The weighted sum of values as a mixing desk, on which thickness shows weight."""

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.text.tokens import quoted
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.desk_notes import contributions, weights_map
from attnviewer.ui.views.step.how.desk_sum import (
    TO_VALUES_BY,
    back_at,
    channels,
    sum_texts,
)
from attnviewer.ui.views.step.how.drawing import Ribbon, Shape, Sheet, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    SMALL,
    TITLE,
    labels_above,
    labels_beside,
    place,
)
from attnviewer.ui.views.step.how.subject import Subject

_tr = translate_in("How")

PADDING, ABOVE, BELOW = 14.0, 58.0, 40.0
TO_VALUES, TO_SUM = 1.0, 1.9
"""Lengths of the ribbons, in cells."""
THINNEST = 1.0
NOTES = 220.0
"""The width of the sum in numbers below its cells."""
SMALLEST_AFTER = 12.0
"""The least size of a cell in the steps that follow."""


def desk_cell(
    subject: Subject, keys: Sequence[int], width: int, room: QRectF
) -> tuple[float, float]:
    """Return the largest size of a cell, and the width of the labels.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    keys : sequence of int
        The keys that are drawn.
    width : int
        Columns of the values.
    room : QRectF
        The room.
    """
    measures = subject.measures
    names = subject.labels(subject.stage.inputs[1])[0]
    labels = min(
        measures.widest(tuple(names[key] for key in keys), measures(LABEL)),
        measures(LONGEST_LABEL),
    )
    beside = labels + measures(8 + 2 * PADDING)
    across = 1 + TO_VALUES + width + TO_SUM + width
    wide = (room.width() - beside) / across
    around = measures(ABOVE) + measures.caption(BELOW) + measures.margin(2 * PADDING)
    high = (room.height() - around) / max(len(keys), 1)
    return max(0.0, 2 * (min(wide, high) // 2)), labels


def compose_desk(subject: Subject, keys: Sequence[int], room: QRectF) -> list[Shape]:
    """Return the shapes of a mixing desk for one query.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    keys : sequence of int
        The keys that are drawn.
    room : QRectF
        Where it is drawn, centred.
    """
    measures = subject.measures
    weights_step, values_step = subject.stage.inputs
    row, column = subject.focus
    chosen = subject.cell is not None
    weights = subject.operand(weights_step, [row], keys)
    values = subject.operand(values_step, keys)
    result = subject.operand(subject.step, [row])
    width = values.values.shape[1]
    cell, labels = desk_cell(subject, keys, width, room)
    across = (1 + TO_VALUES + width + TO_SUM + width) * cell
    # The texts below and above the sum are part of what is centred.
    across += max(0.0, measures(NOTES) - width * cell)
    total = min(labels + measures(8) + across, room.width() - measures(PADDING))
    left = room.left() + max(0.0, (room.width() - total) / 2) + labels + measures(8)
    height = len(keys) * cell + measures(ABOVE) + measures.caption(BELOW)
    top = room.top() + max(0.0, (room.height() - height) / 2) + measures(ABOVE)
    desk = place(
        subject,
        weights,
        left,
        top,
        cell,
        transposed=True,
        lane="bar" if chosen else None,
        lit=(None, 0 if chosen else None),
    )
    sheet = place(
        subject,
        values,
        left + (1 + TO_VALUES) * cell,
        top,
        cell,
        lit=(None, column if chosen else None),
        dims=chosen,
        lane="value" if chosen else None,
    )
    sum_left = left + (1 + TO_VALUES + width + TO_SUM) * cell
    middle = top + (len(keys) * cell - desk.gap) / 2
    mixed = place(
        subject,
        result,
        sum_left,
        middle - cell / 2,
        cell,
        lit=(0, column) if chosen else (None, None),
        framed=(0, column) if chosen else None,
    )
    shapes: list[Shape] = [*_ribbons(subject, desk, sheet, mixed), desk, sheet, mixed]
    shapes += _names(subject, desk, sheet, mixed, labels, room)
    shapes += _masked(desk, measures)
    written = sum_texts(subject, desk, sheet, mixed, room)
    shapes += written
    below = max((text.rect.bottom() for text in written), default=mixed.rect.bottom())
    shapes += _after(subject, mixed, below, room)
    shapes += weights_map(subject, weights_step, mixed, room)
    below_desk = QRectF(
        left - labels, top, sum_left - left + labels, room.bottom() - top
    )
    row_of_all = subject.operand(weights_step, [row])
    shapes += contributions(subject, row_of_all, below_desk, desk.rect.bottom())
    return shapes


def _ribbons(
    subject: Subject, desk: Sheet, values: Sheet, mixed: Sheet
) -> Iterator[Ribbon]:
    """Yield a ribbon from each weight to its value, and on to the sum."""
    weights = desk.values[:, 0]  # (keys,)
    side = desk.cell - desk.gap
    with np.errstate(all="ignore"):
        shares = np.nan_to_num(np.abs(weights), posinf=0.0)  # (keys,)
    total = float(shares.sum()) or 1.0
    scale = side / max(total, 1.0)
    strongest = int(np.argmax(shares)) if shares.size else 0
    at = mixed.rect.center().y() - total * scale / 2
    there_at = min(1.0, subject.row_share / TO_VALUES_BY)
    keys = channels(desk)
    arriving = len(keys) * back_at(subject)
    for number, key in enumerate(keys):
        share = float(shares[key])
        thickness = max(share * scale, THINNEST)
        y = desk.cell_rect(key, 0).center().y()
        lit = key == strongest
        start, end = QPointF(desk.rect.right(), y), QPointF(values.rect.left(), y)
        yield Ribbon(start, end, thickness, "value", lit, False, there_at)
        stop = at + share * scale / 2
        at += share * scale
        if arriving > number:
            here = QPointF(values.rect.right(), y)
            there = QPointF(mixed.rect.left(), stop)
            yield Ribbon(
                here, there, thickness, "value", lit, reach=min(1.0, arriving - number)
            )


def _names(
    subject: Subject,
    desk: Sheet,
    values: Sheet,
    mixed: Sheet,
    width: float,
    room: QRectF,
) -> Iterator[Text]:
    measures = subject.measures
    names = subject.labels(values.step)[0]
    yield from labels_beside(
        desk, tuple(names[key] for key in desk.columns), width, measures
    )
    columns = subject.labels(values.step)[1]
    yield from labels_above(values, columns, measures)
    yield from labels_above(mixed, columns, measures)
    token = quoted(subject.labels(subject.step)[0][subject.focus[0]])
    line, size = measures(24), measures(TITLE)
    above = desk.rect.top() - 2 * line
    wide = max(desk.rect.width() + width, measures(90))
    rect = QRectF(desk.rect.right() - wide, above, wide, line)
    yield Text(desk.step, rect, size, "text", "right", "bold")
    row = _tr("row {token}").format(token=token)
    yield Text(row, rect.translated(0, line), measures(LABEL), "muted", "right")
    rect = QRectF(
        values.rect.left(), above, max(values.rect.width(), measures(90)), line
    )
    yield Text(values.step, rect, size, "value", "left", "bold")
    left = mixed.rect.left()
    rect = QRectF(left, mixed.rect.top() - 2 * line, room.right() - left, line)
    title = _tr("{step} of {token}").format(step=mixed.step, token=token)
    if measures.width(title, size) > rect.width():
        title = mixed.step  # the row is named beside the weights, too
    yield Text(title, rect, size, "text", "left", "bold")


def _masked(desk: Sheet, measures: Measures) -> Iterator[Text]:
    """Yield a word on each channel that a mask hides."""
    text, size = _tr("masked"), measures(SMALL)
    if desk.hidden is None or measures.width(text, size) > desk.cell:
        return
    for key, hidden in enumerate(desk.hidden[:, 0].tolist()):
        if hidden:
            yield Text(text, desk.cell_rect(key, 0), size, "muted")


def _after(
    subject: Subject, mixed: Sheet, below: float, room: QRectF
) -> Iterator[Shape]:
    """Yield the row in the steps that follow, such as the heads side by side."""
    if subject.progress is not None:
        return  # not computed yet
    measures = subject.measures
    row = subject.focus[0]
    top = below + measures(18)
    wide = room.right() - mixed.rect.left() - measures(PADDING)
    for stage in subject.trace.pipeline.after:
        if not subject.tells(stage.name):
            return
        operand = subject.operand(stage.name, [row])
        cell = min(mixed.cell / 2, wide / operand.values.shape[1])
        line = measures(24)
        if cell < SMALLEST_AFTER or top + line + cell > room.bottom():
            return
        title = QRectF(mixed.rect.left(), top, wide, line)
        joined = stage.kind == "concatenation"  # its name says the operation, too
        text = stage.name if joined else f"{stage.operation} → {stage.name}"
        yield Text(text, title, measures(LABEL), "muted", "left")
        yield place(subject, operand, mixed.rect.left(), top + line, cell)
        top += line + cell + measures(8)


def strongest_keys(weights: "np.ndarray", most: int, always: int | None) -> list[int]:
    """Return the positions of the largest weights, in their order.

    Parameters
    ----------
    weights : ndarray, shape (n_k,)
        The weights.
    most : int
        How many.
    always : int or None
        A key that is among them.
    """
    if weights.size <= most:
        return list(range(weights.size))
    order = np.argsort(-np.nan_to_num(np.abs(weights)), kind="stable")[:most].tolist()
    if always is not None and always not in order:
        order[-1] = always
    return sorted(order)
