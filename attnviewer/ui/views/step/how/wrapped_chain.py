"""Matrices side by side, in two rows where that makes them larger."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF

from attnviewer.ui.views.step.how.chain import (
    ChainFit,
    Link,
    chain_fit,
    chain_width,
    compose_chain,
    sign_width,
    titles_height,
    upright_above,
)
from attnviewer.ui.views.step.how.drawing import Shape
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.subject import Subject

LARGER = 1.15
"""How much larger the cells of two rows are than those of one, at least."""


def compose_wrapped(
    subject: Subject, links: Sequence[Link], room: QRectF
) -> list[Shape]:
    """Return the shapes of a chain in one row, or in two if cells are larger then.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    links : sequence of Link
        The matrices; the last one is the result.
    room : QRectF
        Where it is drawn, centred.
    """
    measures = subject.measures
    # The title of a matrix tells what is left out of it.
    whole = all(
        link.operand.values.shape == subject.trace.matrix_shape(link.operand.step)
        for link in links
    )
    alone = chain_fit(links, room, measures, may_line=whole)
    splits = {at: _two_rows(links, at, room, measures) for at in range(1, len(links))}
    at = max(splits, key=lambda at: splits[at][0].cell, default=0)
    if not at or splits[at][0].cell <= LARGER * alone.cell:
        return compose_chain(subject, links, room, alone)
    fit, upper, lower = splits[at]
    _align(links, at, (upper, lower), fit, measures)
    return [
        *compose_chain(subject, links[:at], upper, fit),
        *compose_chain(subject, links[at:], lower, fit),
    ]


def _align(
    links: Sequence[Link],
    at: int,
    rows: tuple[QRectF, QRectF],
    fit: ChainFit,
    measures: Measures,
) -> None:
    """Let the first matrices of two rows begin at one line, and centre both."""
    parts = links[:at], links[at:]
    signs = [sign_width(part[0], measures) for part in parts]
    leads = [max(signs) - sign for sign in signs]
    widths = [
        lead + chain_width(part, fit, measures)
        for part, lead in zip(parts, leads, strict=True)
    ]
    margin = max(0.0, (rows[0].width() - max(widths)) / 2)
    for row, lead, width in zip(rows, leads, widths, strict=True):
        left = row.left() + margin
        row.setLeft(left + lead)
        row.setRight(left + width)


def _two_rows(
    links: Sequence[Link], at: int, room: QRectF, measures: Measures
) -> tuple[ChainFit, QRectF, QRectF]:
    """Return the sizes of two rows, and the room of each."""
    down = [
        max(link.operand.values.shape[0] for link in row)
        for row in (links[:at], links[at:])
    ]
    alone = chain_fit(links, room, measures, may_line=False)
    titles = titles_height(measures) + upright_above(links, alone.cell, measures)
    free = max(0.0, room.height() - 2 * titles) / max(1, sum(down))
    upper = QRectF(room)
    upper.setHeight(titles + free * down[0])
    lower = QRectF(room)
    lower.setTop(upper.bottom())
    fits = [
        chain_fit(row, part, measures, may_line=False)
        for row, part in ((links[:at], upper), (links[at:], lower))
    ]
    cell = min(fit.cell for fit in fits)
    return ChainFit(cell, max(fit.labels for fit in fits)), upper, lower
