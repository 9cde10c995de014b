"""The row of scores above the row of weights: the normalisation without its bars."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.views.step.how.bar_titles import strongest_of
from attnviewer.ui.views.step.how.drawing import Rule, Shape, Text
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    labels_above,
    place,
)
from attnviewer.ui.views.step.how.subject import Subject

PADDING, LABELS, ARROW, LARGEST, _NAME_GAP = 6.0, 22.0, 26.0, 110.0, 12.0


def compose_rows(subject: Subject, keys: Sequence[int], room: QRectF) -> list[Shape]:
    """Return the shapes of the two rows, in a room that is too low for bars.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    keys : sequence of int
        The keys that are drawn.
    room : QRectF
        Where it is drawn, centred.
    """
    measures, normalize = subject.measures, subject.normalize
    assert normalize is not None
    row, column = subject.focus
    steps = normalize.inputs[0], normalize.name
    names = min(measures.widest(steps, measures(LABEL)), measures(LONGEST_LABEL))
    beside, between = names + measures(_NAME_GAP), measures(ARROW)
    inside = measures(PADDING)
    room = room.adjusted(inside, inside, -inside, -inside)
    cell = min(
        (room.width() - beside) / len(keys),
        (room.height() - measures(LABELS) - between) / 2,
        measures(LARGEST),
    )
    left = room.left() + (room.width() - beside - len(keys) * cell) / 2 + beside
    height = 2 * cell + between + measures(LABELS)
    top = room.top() + (room.height() - height) / 2
    lit = keys.index(column) if column in keys and subject.cell is not None else None
    shapes: list[Shape] = []
    tops = top, top + cell + between
    for step, own_top in zip(steps, tops, strict=True):
        framed = lit if step == normalize.name else None
        sheet = place(
            subject,
            subject.operand(step, [row], keys),
            left,
            own_top,
            cell,
            lit=(0 if lit is not None else None, lit),
            framed=None if framed is None else (0, framed),
        )
        name = QRectF(left - beside, own_top, names, sheet.rect.height())
        shapes += [sheet, Text(step, name, measures(LABEL), "muted", "right")]
    middle = left + len(keys) * cell / 2
    start, end = top + cell, top + cell + between - measures(4)
    shapes.append(
        Rule(QPointF(middle, start), QPointF(middle, end), "text", 1.5, arrow=True)
    )
    sign = QRectF(middle + measures(8), top + cell - 2, room.width() / 3, between)
    title = normalize.normalizer.title
    shapes.append(Text(title, sign, measures(LABEL), "muted", "left"))
    labels = subject.labels(normalize.name)[1]
    if len(keys) < len(labels):
        corner = QRectF(left, sign.top(), middle - measures(8) - left, between)
        text = strongest_of(len(keys), len(labels))
        shapes.append(Text(text, corner, measures(LABEL), "muted", "left"))
    drawn = tuple(labels[key] for key in keys)
    shapes += labels_above(sheet, drawn, measures, below=True)
    return shapes
