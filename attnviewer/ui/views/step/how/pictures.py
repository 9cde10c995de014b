"""The picture of each kind of stage.

A stage says of which kind it is. Where that is not in `PICTURES`, it gets the general
picture: its inputs, the operation, and the step itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF

from attnviewer.ui.state.heads import query_head
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.bars import (
    PADDING,
    column_width,
    compose_bars,
    panel_width,
)
from attnviewer.ui.views.step.how.bars_in_a_row import compose_bars_in_a_row
from attnviewer.ui.views.step.how.chain import Link, chain_fit
from attnviewer.ui.views.step.how.chain_with_bars import chain_with_bars
from attnviewer.ui.views.step.how.cross import (
    SMALLEST_CELL,
    compose_cross,
)
from attnviewer.ui.views.step.how.desk import compose_desk, desk_cell, strongest_keys
from attnviewer.ui.views.step.how.dials import compose_dials, dial_cell
from attnviewer.ui.views.step.how.drawing import FANNED, Drawing, Fan, Sheet
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.given import compose_given
from attnviewer.ui.views.step.how.groups import groups_of
from attnviewer.ui.views.step.how.matrix_beside_bars import compose_beside
from attnviewer.ui.views.step.how.reducing import FEW, around, fitted, product_of
from attnviewer.ui.views.step.how.rows import compose_rows
from attnviewer.ui.views.step.how.scores import READABLE, compose_scores, with_bars
from attnviewer.ui.views.step.how.subject import Operand, Subject
from attnviewer.ui.views.step.how.wrapped_chain import compose_wrapped

_tr = translate_in("How")

MOST_FANNED = 3
"""The most sheets of other heads that are seen behind the one in front."""
FEWEST = 4
"""How many rows and columns of a sum's terms are drawn at least."""
WIDEST_COLUMN = 60.0
"""What the width of a column of bars alone is measured by."""
LOW_BARS = 240.0
"""The height of a picture that has no room for the bars of scores and weights."""

Composer = Callable[[Subject, QRectF], Drawing]


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
    """Return what draws a step.

    Where a mistake is made or asked for, or something is withheld that the step is
    computed from, only what is read and made.
    """
    stage, compared = subject.stage, subject.comparison
    found = PICTURES.get(stage.kind, general)
    # The picture of the weights begins with the factors of the scores.
    mistaken = compared is not None and compared.mistake
    reads_scores = found is normalization and mistaken
    known = subject.works_out and subject.tells(*stage.inputs)
    return general if stage.mistake or reads_scores or not known else found


def general(subject: Subject, room: QRectF) -> Drawing:
    """Return the inputs of a step, the operation, and the step."""
    return _chain(subject, _links(subject), room)


def point_wise(subject: Subject, room: QRectF) -> Drawing:
    """Return the scores before and after, with what is added or hidden between."""
    return _with_bars(subject, _links(subject), room)


def _links(subject: Subject) -> list[Link]:
    """Return the inputs of a step and the step, with signs between them."""
    stage = subject.stage
    is_sum = len(stage.inputs) > 1 and stage.formula == " + ".join(stage.inputs)
    # A mistake that is asked for is in a step whose formula is the right one.
    adds = is_sum and subject.works_out
    # Side by side without a sign, two inputs would look like one.
    between, last = ("+", "=") if adds else (",", stage.operation)
    links = [
        Link(subject.operand(name), between if number else "")
        for number, name in enumerate(stage.inputs)
    ]
    links.append(Link(subject.operand(subject.step), last if stage.inputs else ""))
    return links


def given_scores(subject: Subject, room: QRectF) -> Drawing:
    """Return the given matrix, and the scores that it is taken as."""
    given, stage = subject.stage.inputs[0], subject.stage
    links = [Link(subject.operand(given))]
    links.append(Link(subject.operand(subject.step), stage.operation))
    return _with_bars(subject, links, room)


def _with_bars(subject: Subject, links: list[Link], room: QRectF) -> Drawing:
    """Return scores before and after a step, with a row as bars where it has room."""
    normalize, groups = subject.normalize, groups_of(subject, subject.focus[0])
    shapes = chain_with_bars(subject, links, groups, room)
    if not shapes or normalize is None:
        return _chain(subject, links, room)
    covers = {link.operand.step for link in links} | {normalize.name}
    return Drawing(tuple(shapes), frozenset(covers))


def concatenation(subject: Subject, room: QRectF) -> Drawing:
    """Return the heads side by side, and the rows they become."""
    (source,) = subject.stage.inputs
    links = [
        Link(subject.operand(source, head=head), title=f"H{head}")
        for head in range(subject.trace.n_heads(source))
    ]
    links.append(Link(subject.operand(subject.step), subject.stage.operation))
    return _chain(subject, links, room)


def gating(subject: Subject, room: QRectF) -> Drawing:
    """Return what a head has found, the logits of its gate, and their product."""
    heads, gates = (subject.operand(name) for name in subject.stage.inputs)
    result = subject.operand(subject.step)
    links = [Link(heads), Link(gates, "·σ"), Link(result, "=")]
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
        return product_of(
            subject,
            subject.operand(source, rows, inner),
            _renamed(above, result.column_labels),
            result,
            _tr("one cell = one row of {left} · one column of {above}"),
            weight,
            subject.operand(bias[0], None, own) if bias else None,
        )

    rows = range(subject.trace.matrix_shape(subject.step)[0])
    found = fitted(subject, cross, (rows, columns, inner), room)
    shapes, _ = compose_cross(subject, found, room)
    return Drawing(tuple(shapes), frozenset({*subject.stage.inputs, subject.step}))


def scores(subject: Subject, room: QRectF) -> Drawing:
    """Return queries and keys as the factors of their scores."""
    groups = groups_of(subject, subject.focus[0])
    return compose_scores(subject, groups, room)


def normalization(subject: Subject, room: QRectF) -> Drawing:
    """Return the scores as a product, and the selected row of them as bars."""
    trace, measures, normalize = subject.trace, subject.measures, subject.normalize
    assert normalize is not None
    row, column = subject.focus
    groups = groups_of(subject, row)
    n_keys = trace.matrix_shape(normalize.name)[1]
    if _has_factors(subject):
        product = with_bars(subject, groups, room)
        if product is not None:
            return product
    source = normalize.inputs[0]
    covers = frozenset({source, normalize.name})
    in_a_row = compose_bars_in_a_row(subject, groups, room)
    if in_a_row:
        return Drawing(tuple(in_a_row), covers)
    shapes = compose_beside(subject, source, groups, room)
    if shapes:
        return Drawing(tuple(shapes), covers)
    weights = trace.window(normalize.name, slice(row, row + 1), head=subject.head)[0]
    most = int((room.width() - 2 * measures(PADDING)) // measures(36))
    always = column if subject.cell is not None else None
    keys = strongest_keys(weights, max(1, min(n_keys, most, 32)), always)
    if room.height() < measures(LOW_BARS):
        row_by_row = compose_rows(subject, keys, room)
        return Drawing(tuple(row_by_row), covers)
    inside = room.adjusted(
        measures(PADDING), measures(12), -measures(PADDING), -measures(12)
    )
    cell = column_width(
        inside.size(), len(keys), measures(WIDEST_COLUMN), len(groups), measures
    )
    width = panel_width(inside.width(), len(keys), cell, measures)
    left = room.left() + (room.width() - width) / 2
    box = QRectF(left, inside.top(), width, inside.height())
    bars = compose_bars(subject, groups, keys, box, cell)
    return Drawing(tuple(bars), covers)


def mixing(subject: Subject, room: QRectF) -> Drawing:
    """Return the weighted sum of one query as a mixing desk."""
    weights_step, values_step = subject.stage.inputs
    row = subject.focus[0]
    rows = slice(row, row + 1)
    weights = subject.trace.window(weights_step, rows, head=subject.head)[0]  # (n_k,)
    width = subject.trace.matrix_shape(values_step)[1]
    keys = strongest_keys(weights, weights.size, None)
    least = subject.measures.least_cell(SMALLEST_CELL)
    if desk_cell(subject, keys, width, room)[0] < least:
        keys = strongest_keys(weights, FEW, None)
    shapes = compose_desk(subject, keys, room)
    drawn = {shape.step for shape in shapes if isinstance(shape, Sheet)}
    return Drawing(tuple(shapes), frozenset(drawn))


def rotation(subject: Subject, room: QRectF) -> Drawing:
    """Return rows before and after, with their pairs of columns as arrows."""
    down, across = subject.trace.matrix_shape(subject.step)
    rows = columns = None
    least = subject.measures.least_cell(SMALLEST_CELL)
    if dial_cell(subject, down, across, room)[0] < least:
        rows = around(subject.focus[0], down, FEW)
        columns = around(subject.focus[1], across, FEW // 2)
    shapes = compose_dials(subject, rows, columns, room)
    return Drawing(tuple(shapes), frozenset({subject.stage.inputs[0], subject.step}))


def encoding(subject: Subject, room: QRectF) -> Drawing:
    """Return a table by itself: of its input it reads no number, only the shape."""
    return _chain(subject, [Link(subject.operand(subject.step))], room)


PICTURES: dict[str, Composer] = {
    "projection": projection,
    "comparison": scores,
    "given scores": given_scores,
    "scores one by one": point_wise,
    "normalization": normalization,
    "weighted sum": mixing,
    "rotation": rotation,
    "encoding": encoding,
    "gate": gating,
    "concatenation": concatenation,
}
"""The picture of each kind of stage."""


def _chain(subject: Subject, links: list[Link], room: QRectF) -> Drawing:
    covers = frozenset(link.operand.step for link in links)
    measures = subject.measures
    if chain_fit(links, room, measures).cell < measures.least_cell(SMALLEST_CELL):
        shapes = {link.operand.values.shape for link in links}
        if len(links) != 2 and len(shapes) == 1 and not measures.printed:
            links = _readable(subject, links, room)
        else:
            links = [_reduced(subject, link) for link in links]
    if len(links) == 1:
        alone = compose_given(subject, links[0], room)
        covers = frozenset(shape.step for shape in alone if isinstance(shape, Sheet))
        return Drawing(tuple(alone), covers)
    return Drawing(tuple(compose_wrapped(subject, links, room)), covers)


def _readable(subject: Subject, links: list[Link], room: QRectF) -> list[Link]:
    """Return matrices of one shape, of which as much as has room for its numbers."""

    def reduced(rows: int, columns: int) -> list[Link]:
        return [_reduced(subject, link, rows, columns) for link in links]

    def is_readable(some: list[Link]) -> bool:
        measures = subject.measures
        return chain_fit(some, room, measures).cell >= measures(READABLE)

    few = range(FEW, FEWEST - 1, -1)
    columns = next((n for n in few if is_readable(reduced(FEWEST, n))), FEWEST)
    rows = next((n for n in few if is_readable(reduced(n, columns))), FEWEST)
    return reduced(rows, columns)


def _reduced(
    subject: Subject, link: Link, most_rows: int = FEW, most_columns: int = FEW
) -> Link:
    """Return a link with the rows and columns around the selected cell."""
    operand = link.operand
    down, across = len(operand.rows), len(operand.columns)
    row, column = subject.focus
    same = (down, across) == subject.trace.matrix_shape(subject.step)
    rows = around(row if same else min(row, down - 1), down, most_rows)
    # Of heads side by side, each has as many columns.
    columns = around(column % across, across, most_columns)
    head = query_head(subject.trace, operand.step, operand.head, subject.head)
    part = subject.operand(operand.step, rows, columns, head)
    return Link(part, link.sign, link.title)


def _has_factors(subject: Subject) -> bool:
    """Return whether queries and keys are factors of the scores, and may be shown."""
    compared = subject.comparison
    if compared is None or not subject.tells(compared.name, *compared.inputs):
        return False
    return PICTURES.get(compared.kind) is scores


def _renamed(operand: Operand, labels: tuple[str, ...]) -> Operand:
    return replace(operand, column_labels=labels)
