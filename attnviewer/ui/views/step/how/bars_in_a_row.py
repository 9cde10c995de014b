"""The bars of a row where there is little height: the groups beside each other."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.views.step.how.bar_titles import HEADING, PANEL_TITLE, panel_title
from attnviewer.ui.views.step.how.bars import (
    BAR_LABEL,
    NARROW,
    ROW_LABELS,
    TITLE_HEIGHT,
    USUAL_GROUPS,
    Drawn,
    Parts,
    eased,
    group_shapes,
    hidden_keys,
    parts_of,
    that_fit,
)
from attnviewer.ui.views.step.how.drawing import Panel, Rule, Shape, Text
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import LABEL, labels_above, place
from attnviewer.ui.views.step.how.subject import ARRIVED, Subject

PADDING, BETWEEN, EDGE = 16.0, 40.0, 4.0
LEAST_COLUMN, LARGEST_CELL, LEAST_BAR = 30.0, 64.0, 24.0
"""The least width of a column, the largest cell of the weights and the least height
that the highest bar has."""


def compose_bars_in_a_row(
    subject: Subject, groups: Sequence[Group], room: QRectF
) -> list[Shape]:
    """Return the shapes of the groups from left to right, the last above its weights.

    None where a column of groups has all that are usual, or where not all keys fit.

    Parameters
    ----------
    subject : Subject
        What the picture is about; its step is that of the weights.
    groups : sequence of Group
        The parts of the row.
    room : QRectF
        Where it is drawn.
    """
    usual, narrow = min(USUAL_GROUPS, len(groups)), subject.measures(NARROW)
    column = parts_of(room.height(), narrow, len(groups), subject.measures)
    if column.groups >= usual or not groups:
        return []
    groups, measures = that_fit(groups, usual), subject.measures
    n_keys = groups[-1].values.size
    free = room.width() - 2 * measures(PADDING) - (usual - 1) * measures(BETWEEN)
    cell = min(free / usual / n_keys, measures(LARGEST_CELL))
    high = room.height() - _around(measures) - cell
    titled = max(measures.width(group.title, measures(LABEL)) for group in groups)
    if high < measures(LEAST_BAR) or cell < max(LEAST_COLUMN, titled / n_keys):
        return []
    parts = Parts(measures, tight=False, groups=usual, control=False)
    return _shapes(subject, groups, room, cell, parts)


def _around(measures: Measures) -> float:
    """Return the height of all but the bars and the cells of the weights."""
    texts = TITLE_HEIGHT + HEADING + BAR_LABEL + ROW_LABELS
    return measures(texts + 2 * EDGE + 14)


def _shapes(
    subject: Subject,
    groups: Sequence[Group],
    room: QRectF,
    cell: float,
    parts: Parts,
) -> list[Shape]:
    measures, normalize = parts.measures, subject.normalize
    assert normalize is not None
    row, column = subject.focus
    n_keys = groups[-1].values.size
    width, between = n_keys * cell, measures(BETWEEN)
    whole = len(groups) * width + (len(groups) - 1) * between
    left = room.left() + (room.width() - whole) / 2
    inside = measures(PADDING)
    panel = QRectF(left - inside, room.top(), whole + 2 * inside, room.height())
    names, keys = subject.labels(normalize.name)
    title = panel_title(normalize.normalizer, names[row], whole, measures)
    heading = QRectF(left, room.top() + measures(EDGE), whole, measures(TITLE_HEIGHT))
    bottom = room.bottom() - measures(EDGE + ROW_LABELS)
    lit = column if subject.cell is not None else None
    sheet = place(
        subject,
        subject.operand(normalize.name, [row]),
        left + whole - width,
        bottom - cell,
        cell,
        lit=(0 if lit is not None else None, lit),
        framed=None if lit is None else (0, lit),
    )
    shapes: list[Shape] = [
        Panel(panel),
        Text(title, heading, measures(PANEL_TITLE), "text", "left", "bold"),
    ]
    top, apart = heading.bottom(), width + between
    box = QRectF(left, top, width, bottom - top)
    below = labels_above(sheet, keys, measures, below=True)
    grown = subject.row_share / ARRIVED
    middle = box.center().y()
    for number, group in enumerate(groups):
        colors = None
        if group.is_weights:
            colors = sheet.colors[0]
            box.setBottom(sheet.rect.top() - measures(6))
        share = eased(min(1.0, max(0.0, grown * len(groups) - number)))
        drawn = Drawn(group.values, hidden_keys(sheet), cell, lit, colors, share)
        shapes += group_shapes(group, drawn, box, parts)
        if number:
            end = QPointF(box.left() - measures(8), middle)
            start = QPointF(end.x() - between + measures(16), middle)
            shapes.append(Rule(start, end, "text", 1.5, arrow=True))
        offset = (len(groups) - 1 - number) * apart
        shapes += (replace(one, rect=one.rect.translated(-offset, 0)) for one in below)
        box.translate(apart, 0)
    return [*shapes, sheet]
