"""The picture of a matrix by itself, with what is computed from it at its side."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviewer.ui.views.step.how.chain import (
    EDGE,
    GAP,
    PADDING,
    SIGN,
    ChainFit,
    Link,
    chain_fit,
    chain_width,
    compose_chain,
)
from attnviewer.ui.views.step.how.cross import SIDE
from attnviewer.ui.views.step.how.drawing import Rule, Shape, Sheet, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.reducing import FEW, around
from attnviewer.ui.views.step.how.sheets import TITLE, hue_of, place
from attnviewer.ui.views.step.how.subject import Operand, Subject

MOST = 3
"""The most steps computed from a matrix that are drawn."""
LIKE = 0.8
"""How large cells stay in one row with these steps, as a share of those without."""
SMALLEST_BRANCH, LONGEST_LEAD = 8.0, 2.5 * SIDE
_TITLES, _APART = 24.0, 10.0
"""The height of a branch's titles, and the distance of branches."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """The matrices of a branch, with a sign before each."""

    operands: tuple[Operand, ...]
    signs: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """How many cells it is high and wide."""
        shapes = [operand.values.shape for operand in self.operands]
        return max(down for down, _ in shapes), sum(across for _, across in shapes)

    def signs_width(self, measures: Measures) -> float:
        size = measures(SIGN)
        return sum(measures.width(s, size) + measures(GAP) for s in self.signs)


def compose_given(subject: Subject, link: Link, room: QRectF) -> list[Shape]:
    """Return the shapes of a matrix as large as it fits, and of what it feeds into.

    Where cells stay about as large, the steps computed from it stand in one row with
    it; else, each on a branch of its own, smaller, as the product that it is if there
    is room.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    link : Link
        The matrix.
    room : QRectF
        Where it is drawn, centred.
    """
    fit, names = chain_fit([link], room, subject.measures), _fed(subject)
    if not names:
        return compose_chain(subject, [link], room, fit)
    results = [_result(subject, link, name) for name in names]
    # A formula is whole, as the matrix before it is not always what it is made of.
    alone = [_Branch((r,), (subject.trace.stages[r.step].formula,)) for r in results]
    products = [_product(subject, link, branch) for branch in alone]
    return (
        _in_a_row(subject, link, alone, room, fit)
        or _forked(subject, link, products, room, fit)
        or _forked(subject, link, alone, room, fit)
        or compose_chain(subject, [link], room, fit)
    )


def _fed(subject: Subject) -> list[str]:
    """Return the steps that are computed from the one on stage, and may be seen."""
    stages = subject.trace.stages.items()
    # Of a table of positions, the input tells the size alone.
    names = [
        name
        for name, stage in stages
        if subject.step in stage.inputs and stage.kind != "encoding"
    ]
    return [n for n in names if subject.works_out and subject.tells(n)][:MOST]


def _result(subject: Subject, link: Link, name: str) -> Operand:
    """Return a step computed from the matrix: the same rows if it has as many."""
    down, across = subject.trace.matrix_shape(name)
    same = down == subject.trace.matrix_shape(subject.step)[0]
    rows = link.operand.rows if same else around(0, down, FEW)
    return subject.operand(name, rows, around(0, across, FEW))


def _product(subject: Subject, link: Link, branch: _Branch) -> _Branch:
    """Return a branch with the weights of the product, if the matrix is its left."""
    (result,) = branch.operands
    stage = subject.trace.stages[result.step]
    is_left = stage.inputs[0] == subject.step
    if stage.kind != "projection" or not is_left or len(stage.inputs) != 2:
        return branch
    width = subject.trace.matrix_shape(result.step)[1]
    head = subject.trace.head_of(result.step, subject.head)
    own = [head * width + column for column in result.columns]
    weight = subject.operand(stage.inputs[1], link.operand.columns, own)
    return _Branch((weight, result), ("×", "="))


def _in_a_row(
    subject: Subject,
    link: Link,
    branches: Sequence[_Branch],
    room: QRectF,
    alone: ChainFit,
) -> list[Shape]:
    """Return the matrix and the others in one row; none if cells get too small."""
    others = [Link(b.operands[0], b.signs[0]) for b in branches]
    links = [link, *others]
    fit = chain_fit(links, room, subject.measures)
    small = fit.cell < LIKE * alone.cell
    return [] if small else compose_chain(subject, links, room, fit)


def _forked(
    subject: Subject,
    link: Link,
    branches: Sequence[_Branch],
    room: QRectF,
    alone: ChainFit,
) -> list[Shape]:
    """Return the matrix, and a branch for each step; none if these get too small."""
    measures = subject.measures
    own = chain_width([link], alone, measures)
    titles, apart = measures(_TITLES), measures(_APART)
    inside = room.height() - 2 * measures.margin(EDGE)
    height = (inside - (len(branches) - 1) * apart) / len(branches)
    free = room.width() - own - measures(SIDE + 2 * PADDING)
    cell = alone.cell
    for branch in branches:
        down, across = branch.shape
        wide = (free - branch.signs_width(measures)) / across
        cell = min(cell, (height - titles) / down, wide)
    cell = 2 * (cell // 2)
    if cell < measures(SMALLEST_BRANCH):
        return []
    width = max(b.shape[1] * cell + b.signs_width(measures) for b in branches)
    lead = min(free - width, measures(LONGEST_LEAD)) + measures(SIDE)
    left = room.left() + (room.width() - own - lead - width) / 2
    shapes = compose_chain(
        subject, [link], QRectF(left, room.top(), own, room.height()), alone
    )
    source = next(shape for shape in shapes if isinstance(shape, Sheet)).rect
    high = max(b.shape[0] for b in branches) * cell + titles
    top = room.center().y() - (len(branches) * (high + apart) - apart) / 2
    start = QPointF(source.right() + measures(PADDING), room.center().y() + titles / 2)
    for number, branch in enumerate(branches):
        box = QRectF(left + own + lead, top + number * (high + apart), width, high)
        middle = box.top() + titles + (high - titles) / 2
        end = QPointF(box.left(), middle)
        shapes.append(Rule(start, end, hue_of(branch.operands[-1].step), arrow=True))
        shapes += _compose_branch(subject, branch, box, middle, cell)
    return shapes


def _compose_branch(
    subject: Subject, branch: _Branch, box: QRectF, middle: float, cell: float
) -> list[Shape]:
    measures, x = subject.measures, box.left()
    shapes: list[Shape] = []
    for sign, operand in zip(branch.signs, branch.operands, strict=True):
        width = measures.width(sign, measures(SIGN)) + measures(GAP)
        line = measures(2 * SIGN)
        rect = QRectF(x, middle - line / 2, width, line)
        shapes.append(Text(sign, rect, measures(SIGN), "muted"))
        x += width
        down, across = operand.values.shape
        sheet = place(subject, operand, x, middle - down * cell / 2, cell)
        title, size = operand.step, measures(TITLE)
        wide = max(sheet.rect.width(), measures.width(title, size))
        above = QRectF(x, sheet.rect.top() - measures(_TITLES), wide, measures(_TITLES))
        hue = hue_of(operand.step)
        shapes += [sheet, Text(title, above, size, hue, "left", "bold")]
        x += across * cell
    return shapes
