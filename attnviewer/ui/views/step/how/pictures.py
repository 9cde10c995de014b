"""Which picture each kind of stage has.

A stage whose kind is not in `PICTURES` gets the general picture: its inputs, the
operation, and the step itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF

from attnviewer.compute import Stage
from attnviewer.compute.stages import (
    Comparison,
    Concatenate,
    Mix,
    Normalize,
    PointWise,
    Project,
    Rotate,
)
from attnviewer.ui.views.step.how.bars import (
    PADDING,
    Group,
    compose_bars,
    groups_of,
    least_height,
)
from attnviewer.ui.views.step.how.beside import (
    SMALLEST_BESIDE,
    beside_cell,
    compose_beside,
    to_bars,
)
from attnviewer.ui.views.step.how.chain import Link, chain_cell, compose_chain
from attnviewer.ui.views.step.how.cross import (
    FOLDED_CELL,
    SMALLEST_CELL,
    cell_for,
    cell_in,
    compose_cross,
    tr,
)
from attnviewer.ui.views.step.how.desk import compose_desk, desk_cell, strongest_keys
from attnviewer.ui.views.step.how.dials import compose_dials, dial_cell
from attnviewer.ui.views.step.how.drawing import FANNED, Drawing, Fan, Sheet
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.rows import compose_rows
from attnviewer.ui.views.step.how.subject import Operand, Subject

MOST_FANNED = 3
"""The most sheets of other heads that are seen behind the one in front."""
FEW, FEW_TERMS = 12, 6
"""How many rows or columns, and terms of a sum, are drawn where all of them would be
too small."""

LOW_BARS = 240.0
"""The height of a picture that has no room for the bars of scores and weights."""

Composer = Callable[[Subject, QRectF], Drawing]
Crossing = Callable[[Sequence[int], Sequence[int], Sequence[int]], Cross]
"""Returns the product of some rows, columns and terms."""
Every = tuple[range, range, range]
"""All rows, columns and terms of a product."""


def compose(subject: Subject, room: QRectF) -> Drawing:
    """Return the picture of a step.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    room : QRectF
        Where it is drawn.
    """
    heads = subject.trace.n_heads(subject.step)
    fanned = min(heads - 1, MOST_FANNED)
    front = room.adjusted(0, 0, -fanned * FANNED, -fanned * FANNED)
    composer = _composer(subject)
    if not fanned:
        return composer(subject, front)
    drawing = composer(subject, front.adjusted(FANNED, 0, -FANNED, -FANNED))
    return replace(drawing, shapes=(Fan(front, fanned), *drawing.shapes))


def _composer(subject: Subject) -> Composer:
    """Return what draws a step; where a mistake is made, only what is read and made."""
    stage, compared = subject.stage, subject.trace.pipeline.comparison
    # The picture of the weights begins with the factors of the scores.
    if stage.mistake or (isinstance(stage, Normalize) and compared.mistake):
        return general
    return next(PICTURES[kind] for kind in type(stage).__mro__ if kind in PICTURES)


def general(subject: Subject, room: QRectF) -> Drawing:
    """Return the inputs of a step, the operation, and the step."""
    stage = subject.stage
    links = [Link(subject.operand(name)) for name in stage.inputs]
    sign = stage.operation if stage.inputs else ""
    links.append(Link(subject.operand(subject.step), sign))
    return _chain(subject, links, room)


def point_wise(subject: Subject, room: QRectF) -> Drawing:
    """Return the scores before and after, with what is added or hidden between."""
    stage = subject.stage
    before, *others = stage.inputs
    links = [Link(subject.operand(before))]
    links += [Link(subject.operand(name), "+") for name in others]
    sign = "=" if others else stage.operation
    links.append(Link(subject.operand(subject.step), sign))
    return _chain(subject, links, room)


def concatenation(subject: Subject, room: QRectF) -> Drawing:
    """Return the heads side by side, and the rows they become."""
    (source,) = subject.stage.inputs
    links = [
        Link(subject.operand(source, head=head), title=f"H{head}")
        for head in range(subject.trace.n_heads(source))
    ]
    links.append(Link(subject.operand(subject.step), subject.stage.operation))
    return _chain(subject, links, room)


def projection(subject: Subject, room: QRectF) -> Drawing:
    """Return a product with a weight matrix, as on paper."""
    source, weight, *bias = subject.stage.inputs
    width = subject.trace.matrix_shape(subject.step)[1]
    head = subject.trace.head_of(subject.step, subject.head)
    inner = range(subject.trace.matrix_shape(source)[1])
    columns = range(width)

    def cross(
        rows: Sequence[int], columns: Sequence[int], inner: Sequence[int]
    ) -> Cross:
        own = [head * width + column for column in columns]
        result = subject.operand(subject.step, rows, columns)
        above = subject.operand(weight, inner, own)
        return _cross(
            subject,
            subject.operand(source, rows, inner),
            _renamed(above, result.column_labels),
            result,
            tr("one cell = one row of {left} · one column of {above}"),
            weight,
            subject.operand(bias[0], None, own) if bias else None,
        )

    rows = range(subject.trace.matrix_shape(subject.step)[0])
    found = _fitted(subject, cross, (rows, columns, inner), room)
    shapes, _ = compose_cross(subject, found, room)
    return Drawing(tuple(shapes), frozenset({*subject.stage.inputs, subject.step}))


def scores(subject: Subject, room: QRectF) -> Drawing:
    """Return queries and keys as the factors of their scores."""
    step = subject.trace.pipeline.comparison.name
    with_bars = _with_bars(subject, step, groups_of(subject, subject.focus[0]), room)
    if with_bars is not None:
        return with_bars
    cross, every = _score_cross(subject, step)
    shapes, _ = compose_cross(subject, _fitted(subject, cross, every, room), room)
    return Drawing(tuple(shapes), _factors_and(subject, step))


def normalization(subject: Subject, room: QRectF) -> Drawing:
    """Return the scores as a product, and the selected row of them as bars."""
    trace, measures = subject.trace, subject.measures
    step = trace.pipeline.comparison.name
    row, column = subject.focus
    groups = groups_of(subject, row)
    n_keys = trace.matrix_shape("weights")[1]
    if _has_factors(subject):
        with_bars = _with_bars(subject, step, groups, room)
        if with_bars is not None:
            return with_bars
    source = trace.pipeline.normalize.inputs[0]
    shape, names = trace.matrix_shape(source), subject.labels(source)[0]
    cell, labels = beside_cell(shape, names, n_keys, room, measures)
    if cell >= measures(SMALLEST_BESIDE):
        whole = subject.operand(source)
        shapes, at_side = compose_beside(subject, whole, room, cell, labels, n_keys)
        bars = compose_bars(subject, groups, whole.columns, at_side, cell)
        return Drawing((*shapes, *bars), frozenset({source, "weights"}))
    weights = trace.window("weights", slice(row, row + 1), head=subject.head)[0]
    most = int((room.width() - 2 * measures(PADDING)) // measures(36))
    always = column if subject.cell is not None else None
    keys = strongest_keys(weights, max(1, min(n_keys, most, 32)), always)
    widest = (room.width() - 4 * measures(PADDING)) / len(keys)
    cell = min(widest, measures(110), room.height() / 8)
    if room.height() < measures(LOW_BARS):
        row_by_row = compose_rows(subject, keys, room)
        return Drawing(tuple(row_by_row), frozenset({source, "weights"}))
    width = len(keys) * cell + 2 * measures(PADDING)
    box = QRectF(
        room.left() + (room.width() - width) / 2,
        room.top() + measures(12),
        width,
        room.height() - measures(24),
    )
    bars = compose_bars(subject, groups, keys, box, cell)
    return Drawing(tuple(bars), frozenset({source, "weights"}))


def mixing(subject: Subject, room: QRectF) -> Drawing:
    """Return the weighted sum of one query as a mixing desk."""
    weights_step, values_step = subject.stage.inputs
    row = subject.focus[0]
    rows = slice(row, row + 1)
    weights = subject.trace.window(weights_step, rows, head=subject.head)[0]  # (n_k,)
    width = subject.trace.matrix_shape(values_step)[1]
    keys = strongest_keys(weights, weights.size, None)
    if desk_cell(subject, keys, width, room)[0] < SMALLEST_CELL:
        keys = strongest_keys(weights, FEW, None)
    shapes = compose_desk(subject, keys, room)
    drawn = {shape.step for shape in shapes if isinstance(shape, Sheet)}
    return Drawing(tuple(shapes), frozenset(drawn))


def rotation(subject: Subject, room: QRectF) -> Drawing:
    """Return rows before and after, with their pairs of columns as arrows."""
    down, across = subject.trace.matrix_shape(subject.step)
    rows = columns = None
    if dial_cell(subject, down, across, room)[0] < SMALLEST_CELL:
        rows = _around(subject.focus[0], down, FEW)
        columns = _around(subject.focus[1], across, FEW // 2)
    shapes = compose_dials(subject, rows, columns, room)
    return Drawing(tuple(shapes), frozenset({*subject.stage.inputs, subject.step}))


PICTURES: dict[type, Composer] = {
    Project: projection,
    Comparison: scores,
    PointWise: point_wise,
    Normalize: normalization,
    Mix: mixing,
    Rotate: rotation,
    Concatenate: concatenation,
    Stage: general,
}
"""The picture of each kind of stage; that of the nearest base counts."""


def _chain(subject: Subject, links: list[Link], room: QRectF) -> Drawing:
    covers = frozenset(link.operand.step for link in links)
    if chain_cell(links, room, subject.measures)[0] < SMALLEST_CELL:
        links = [_reduced(subject, link) for link in links]
    return Drawing(tuple(compose_chain(subject, links, room)), covers)


def _reduced(subject: Subject, link: Link) -> Link:
    """Return a link with the rows and columns around the selected cell."""
    operand = link.operand
    down, across = len(operand.rows), len(operand.columns)
    row, column = subject.focus
    same = (down, across) == subject.trace.matrix_shape(subject.step)
    rows = _around(row if same else min(row, down - 1), down, FEW)
    columns = _around(column if same else min(column, across - 1), across, FEW)
    return Link(subject.operand(operand.step, rows, columns), link.sign, link.title)


def _around(index: int, count: int, most: int) -> list[int]:
    first = max(0, min(index - most // 2, count - most))
    return list(range(first, min(first + most, count)))


def _has_factors(subject: Subject) -> bool:
    """Return whether queries and keys are factors of the scores."""
    return len(subject.trace.pipeline.comparison.inputs) >= 2


def _factors_and(subject: Subject, step: str) -> frozenset[str]:
    return frozenset({*subject.trace.stages[step].inputs, step})


def _with_bars(
    subject: Subject, step: str, groups: Sequence[Group], room: QRectF
) -> Drawing | None:
    """Return scores as a product, with the selected row as bars; None if too small.

    The same for scores and weights, so that nothing moves from one to the other.
    """
    trace, measures = subject.trace, subject.measures
    n_keys = trace.matrix_shape("weights")[1]
    cross, every = _score_cross(subject, step)
    rows, columns, inner = map(len, every)
    names = subject.labels(trace.stages[step].inputs[0])[0]
    size = inner + rows, inner + columns + n_keys
    cell, _ = cell_in(size, names, room, measures, at_side=True)
    least = measures(FOLDED_CELL)
    if subject.step == step:
        alone, _ = cell_in((inner + rows, inner + columns), names, room, measures)
        least = min(least, max(alone, measures(SMALLEST_BESIDE)))
    if cell < least or least_height(len(groups), cell, measures) > room.height():
        return None
    found = cross(*every)
    shapes, at_side = compose_cross(subject, found, room, n_keys)
    covers = _factors_and(subject, step)
    if subject.step == step and subject.progress is not None:
        # The bars of a row follow when its scores are there.
        return Drawing(tuple(shapes), covers)
    bars = compose_bars(subject, groups, found.result.columns, at_side, cell)
    result = Drawing(tuple(shapes), frozenset()).sheets[2]
    arrow = to_bars(result.line_rect(found.row, None), at_side, measures)
    covers |= {"weights", *(stage.name for stage in trace.pipeline.on_scores)}
    return Drawing((*shapes, *bars, arrow), covers)


def _score_cross(subject: Subject, step: str) -> tuple[Crossing, Every]:
    trace = subject.trace
    queries, keys = trace.stages[step].inputs[:2]
    n_queries, n_keys = trace.matrix_shape(step)

    def cross(
        rows: Sequence[int], columns: Sequence[int], inner: Sequence[int]
    ) -> Cross:
        return _cross(
            subject,
            subject.operand(queries, rows, inner),
            subject.operand(keys, columns, inner),
            subject.operand(step, rows, columns),
            tr("one cell = one row of {left} · one column of {above}"),
            f"{keys}ᵀ",
            transposed=True,
        )

    inner = range(trace.matrix_shape(queries)[1])
    return cross, (range(n_queries), range(n_keys), inner)


def _fitted(
    subject: Subject,
    cross: Crossing,
    every: Every,
    room: QRectF,
) -> Cross:
    """Return a product, reduced to what is readable around the selected cell."""
    whole = cross(*every)
    if cell_for(whole, room, subject.measures)[0] >= SMALLEST_CELL:
        return whole
    row, column = subject.focus
    rows, columns, inner = every
    line = whole.result.values[row]  # (columns,)
    few = strongest_keys(line, min(FEW, len(columns)), column)
    terms = whole.left.values[row] * (
        whole.above.values[column]
        if whole.transposed
        else whole.above.values[:, column]
    )  # (inner,)
    largest = strongest_keys(np.asarray(terms), min(FEW_TERMS, len(inner)), None)
    return cross(_around(row, len(rows), 1), few, largest)


def _cross(
    subject: Subject,
    left: Operand,
    above: Operand,
    result: Operand,
    caption: str,
    title: str,
    bias: Operand | None = None,
    *,
    transposed: bool = False,
) -> Cross:
    row, column = subject.focus
    return Cross(
        left,
        above,
        result,
        transposed,
        result.rows.index(row) if row in result.rows else 0,
        result.columns.index(column) if column in result.columns else 0,
        caption.format(left=left.step, above=title),
        title,
        subject.cell is not None,
        bias,
    )


def _renamed(operand: Operand, labels: tuple[str, ...]) -> Operand:
    return replace(operand, column_labels=labels)
