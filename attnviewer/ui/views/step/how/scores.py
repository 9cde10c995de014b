"""Queries and keys as the factors of their scores, with a row of these as bars."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF, QSizeF

from attnviewer.compute.stages.base import grouped
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.bars import (
    column_width,
    compose_bars,
    panel_width,
)
from attnviewer.ui.views.step.how.cross import (
    EDGE,
    FOLDED_CELL,
    GAP,
    SIDE,
    SMALLEST_CELL,
    cell_for,
    cell_in,
    compose_cross,
    width_of,
)
from attnviewer.ui.views.step.how.drawing import Drawing
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.matrix_beside_bars import SMALLEST_BESIDE, to_bars
from attnviewer.ui.views.step.how.reducing import (
    Crossing,
    Every,
    filling,
    product_of,
    reduced,
)
from attnviewer.ui.views.step.how.subject import Subject

_tr = translate_in("How")

SMALLEST_REDUCED, READABLE = 32.0, 36.0
"""The least size of cells if only some are shown beside bars, and the size at which all
are shown even without bars, as their numbers are readable."""
LEAST_WIDE = 0.7
"""The least share of the width that smaller cells without bars take."""


def compose_scores(subject: Subject, groups: Sequence[Group], room: QRectF) -> Drawing:
    """Return the scores as a product of queries and keys, with a row as bars.

    Where there is little room, it is that of the selected query alone, or without bars.

    Parameters
    ----------
    subject : Subject
        What the picture is about; its step is that of the scores.
    groups : sequence of Group
        The parts of the selected row.
    room : QRectF
        Where it is drawn.
    """
    measures = subject.measures
    cross, every = _product(subject)
    whole = cross(*every)
    cell, labels = cell_for(whole, room, measures)
    if cell >= measures.least_cell(measures(SMALLEST_CELL)):
        if cell < measures(SMALLEST_REDUCED) and not measures.printed:
            subject, cell, labels = _roomier(subject, whole, room, (cell, labels))
            measures = subject.measures
        column = _beside(subject, whole.left.row_labels, every, groups, room, cell)
        if column is not None:
            return _drawing(subject, whole, groups, room, column)
        wide = width_of(whole, cell, labels, measures) >= LEAST_WIDE * room.width()
        if wide or measures.printed or cell >= measures(READABLE):
            return _drawing(subject, whole, groups, room, None)
    found = reduced(subject, cross, every)
    rows, columns, terms = map(range, found.size)
    size = rows, columns, terms
    least = measures(SMALLEST_REDUCED)
    names = found.left.row_labels
    column = _beside(subject, names, size, groups, room, least)
    if column is None:
        found = filling(subject, cross, every, room)
    return _drawing(subject, found, groups, room, column)


def _roomier(
    subject: Subject, whole: Cross, room: QRectF, usual: tuple[float, float]
) -> tuple[Subject, float, float]:
    """Return a subject without captions where its cells have numbers only then.

    And the side of a cell, and the width of the labels.
    """
    low = subject.with_measures(subject.measures.without_captions())
    cell, labels = cell_for(whole, room, low.measures)
    if cell >= subject.measures(SMALLEST_REDUCED):
        return low, cell, labels
    return subject, *usual


def with_bars(
    subject: Subject, groups: Sequence[Group], room: QRectF
) -> Drawing | None:
    """Return scores as a product, with the selected row as bars; None if too small.

    Scores and weights have the same layout where there is room, so that nothing moves
    between these steps.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    groups : sequence of Group
        The parts of the row.
    room : QRectF
        Where it is drawn.
    """
    cross, every = _product(subject)
    comparison = subject.comparison
    assert comparison is not None
    names = subject.labels(comparison.inputs[0])[0]
    least = subject.measures(FOLDED_CELL)
    column = _beside(subject, names, every, groups, room, least)
    if column is None:
        return None
    return _drawing(subject, cross(*every), groups, room, column)


def _beside(
    subject: Subject,
    names: tuple[str, ...],
    every: Every,
    groups: Sequence[Group],
    room: QRectF,
    least: float,
) -> tuple[float, float, float] | None:
    """Return the side of a cell beside bars, and the widths of their columns and panel.

    None if the cells were smaller than `least` and than usual, or the bars too small.
    """
    measures = subject.measures
    n_queries, n_keys, n_terms = map(len, every)
    down, across = n_terms + n_queries, n_terms + n_keys
    assert subject.comparison is not None
    n_weights = len(subject.comparison.inputs[2:])
    size = down, across + n_keys
    cell, labels = cell_in(
        size, names, room, measures, n_weights=n_weights, at_side=True
    )
    if cell < min(least, measures(FOLDED_CELL)):
        return None
    beside = labels + measures(GAP + SIDE + 2 * EDGE) + across * cell
    free = QSizeF(room.width() - beside, room.height() - 2 * measures.margin(EDGE))
    column = column_width(free, n_keys, cell, len(groups), measures)
    side = panel_width(free.width(), n_keys, column, measures)
    return (cell, column, side) if column >= measures(SMALLEST_BESIDE) else None


def _drawing(
    subject: Subject,
    found: Cross,
    groups: Sequence[Group],
    room: QRectF,
    beside: tuple[float, float, float] | None,
) -> Drawing:
    """Return a product with or without bars."""
    measures, comparison = subject.measures, subject.comparison
    assert comparison is not None
    covers = frozenset({*comparison.inputs, comparison.name})
    if beside is None:
        return Drawing(tuple(compose_cross(subject, found, room)[0]), covers)
    cell, column, side = beside
    shapes, at_side = compose_cross(subject, found, room, cell, side)
    if subject.step == comparison.name and subject.progress is not None:
        # The bars of a row are added when its scores are complete.
        return Drawing(tuple(shapes), covers)
    bars = compose_bars(subject, groups, found.result.columns, at_side, column)
    result = Drawing(tuple(shapes), frozenset()).sheets[2]
    arrow = to_bars(result.line_rect(found.row, None), at_side, measures)
    assert subject.normalize is not None
    covers |= subject.trace.pipeline.between(comparison, subject.normalize)
    return Drawing((*shapes, *bars, arrow), covers)


def _product(subject: Subject) -> tuple[Crossing, Every]:
    """Return the product of queries and keys, and all its rows, columns and terms."""
    trace, comparison = subject.trace, subject.comparison
    assert comparison is not None
    step, (queries, keys, *weights) = comparison.name, comparison.inputs
    caption = _tr("one cell = one row of {left} · one column of {above}")
    if comparison.slope is None:
        caption = _tr("one cell = {formula}").format(formula=comparison.formula)
    n_queries, n_keys = trace.matrix_shape(step)

    def cross(
        rows: Sequence[int], columns: Sequence[int], inner: Sequence[int]
    ) -> Cross:
        product = product_of(
            subject,
            subject.operand(queries, rows, inner),
            subject.operand(keys, columns, inner),
            subject.operand(step, rows, columns),
            caption,
            f"{grouped(keys)}ᵀ",
            transposed=True,
        )
        others = tuple(subject.operand(weight, [0], inner) for weight in weights)
        return replace(product, comparison=comparison, weights=others)

    inner = range(trace.matrix_shape(queries)[1])
    return cross, (range(n_queries), range(n_keys), inner)
