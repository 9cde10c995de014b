"""The operation on the scores, with the selected row of the result as bars."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF

from attnviewer.ui.views.step.how.bars import (
    PADDING,
    column_width,
    compose_bars,
    panel_width,
)
from attnviewer.ui.views.step.how.chain import (
    EDGE,
    Link,
    chain_fit,
    chain_width,
    compose_chain,
)
from attnviewer.ui.views.step.how.cross import SIDE
from attnviewer.ui.views.step.how.drawing import Drawing, Shape
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.matrix_beside_bars import SMALLEST_BESIDE, to_bars
from attnviewer.ui.views.step.how.subject import Subject

SMALLEST = 36.0
"""The least size that cells are reduced to so that the bars fit."""


def chain_with_bars(
    subject: Subject, links: Sequence[Link], groups: Sequence[Group], room: QRectF
) -> list[Shape]:
    """Return the shapes of a chain and of the bars; none if they would be too small.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    links : sequence of Link
        The matrices; the last one is the step.
    groups : sequence of Group
        The parts of its selected row.
    room : QRectF
        Where it is drawn, centred.
    """
    measures, result = subject.measures, links[-1].operand
    n_keys = result.values.shape[1]
    beside = measures(SIDE) + 2 * measures(PADDING)
    alone = chain_fit(links, room, measures)
    fit = chain_fit(links, room, measures, n_keys, beside)
    if fit.cell < min(alone.cell, measures(SMALLEST)):
        return []
    width = chain_width(links, fit, measures)
    inside = room.adjusted(0, measures.margin(EDGE), 0, -measures.margin(EDGE))
    free = inside.width() - width - measures(SIDE) - 2 * measures(EDGE)
    column = column_width(
        QSizeF(free, inside.height()), n_keys, fit.cell, len(groups), measures
    )
    if column < measures(SMALLEST_BESIDE):
        return []
    panel = panel_width(free, n_keys, column, measures)
    left = (room.width() - width - measures(SIDE) - panel) / 2
    chain = QRectF(room.left() + left, room.top(), width, room.height())
    shapes = compose_chain(subject, links, chain, fit)
    if subject.progress is not None:
        # The bars of a row are added when its numbers are complete.
        return shapes
    at_side = QRectF(
        chain.right() + measures(SIDE), inside.top(), panel, inside.height()
    )
    shapes += compose_bars(subject, groups, result.columns, at_side, column)
    if subject.cell is not None:
        last = Drawing(tuple(shapes), frozenset()).sheets[len(links) - 1]
        row = last.line_rect(subject.focus[0], None)
        shapes.append(to_bars(row, at_side, measures))
    return shapes
