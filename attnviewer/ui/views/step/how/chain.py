"""Matrices side by side, with the operation between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from attnviewer.compute import Cell
from attnviewer.ui.views.step.how.cross import SIDE
from attnviewer.ui.views.step.how.drawing import Hue, Shape, Sheet, Text
from attnviewer.ui.views.step.how.measures import LARGEST, Measures
from attnviewer.ui.views.step.how.sheets import (
    LABEL,
    LONGEST_LABEL,
    TITLE,
    hue_of,
    labels_above,
    labels_beside,
    left_out,
    place,
    upright_height,
)
from attnviewer.ui.views.step.how.subject import Operand, Subject
from attnviewer.ui.views.step.how.sum_of_cell import is_sum, sum_of

GAP, PADDING, EDGE, TITLES, LABELS_ABOVE = 16.0, 14.0, 6.0, 28.0, 22.0
SIGN = 20.0
WORKED, MOST_WORKED = 36.0, 2.5
"""The height of the line with the sum behind the selected cell, and how many times it
may be as high."""
LONGEST_SIGN = 2 * SIDE
"""The most free room that a sign takes beyond its usual width."""
LARGER = 1.08
"""How much larger cells are, at least, for titles to stand beside the labels."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A matrix of a chain, after a sign.

    Parameters
    ----------
    operand : Operand
        The matrix.
    sign : str
        The operation before it; "" for none.
    title : str
        What it is called; "" for the step.
    """

    operand: Operand
    sign: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ChainFit:
    """Sizes of the largest chain that fits a room.

    Parameters
    ----------
    cell : float
        The side of a cell.
    labels : float
        The width of the labels of rows.
    in_line : bool
        Whether titles stand beside the labels of columns, not above them.
    """

    cell: float
    labels: float
    in_line: bool = False


def chain_fit(
    links: Sequence[Link],
    room: QRectF,
    measures: Measures,
    columns: int = 0,
    side: float = 0.0,
    *,
    may_line: bool = True,
) -> ChainFit:
    """Return the largest sizes, with titles in line where height limits the cells.

    Parameters
    ----------
    links : sequence of Link
        The matrices.
    room : QRectF
        The room.
    measures : Measures
        Sizes.
    columns : int
        How many cells of the same size are drawn at the side.
    side : float
        The width of everything else.
    may_line : bool
        Whether titles may stand in line with the labels of columns.
    """
    above = _fit(links, room, measures, columns, side, in_line=False)
    signed = all(link.sign for link in links[1:])
    if not may_line or not signed or measures.printed:
        return above
    in_line = _fit(links, room, measures, columns, side, in_line=True)
    return in_line if in_line.cell >= LARGER * above.cell else above


def _fit(
    links: Sequence[Link],
    room: QRectF,
    measures: Measures,
    columns: int,
    side: float,
    *,
    in_line: bool,
) -> ChainFit:
    labels = min(
        max(
            measures.widest(link.operand.row_labels, measures(LABEL)) for link in links
        ),
        measures(LONGEST_LABEL),
    )
    if in_line:
        labels = max(labels, _title_width(links[0], measures))
    groups = sum(_has_own_labels(links, number) for number in range(len(links)))
    beside = groups * (labels + measures(8)) + 2 * measures(PADDING) + side
    beside += sum(sign_width(link, measures, titled=in_line) for link in links)
    across = columns + sum(link.operand.values.shape[1] for link in links)
    down = max(link.operand.values.shape[0] for link in links)
    above = titles_height(measures, in_line=in_line) + measures.margin(2 * EDGE)
    wide = (room.width() - beside) / max(1, across)
    cell = min(wide, (room.height() - above) / max(1, down))
    upright = upright_above(links, cell, measures)
    if upright:
        cell = min(wide, (room.height() - above - upright) / max(1, down))
    return ChainFit(max(0.0, 2 * (cell // 2)), labels, in_line)


def titles_height(measures: Measures, *, in_line: bool = False) -> float:
    """Return the height of the titles and of the labels of columns."""
    return measures(LABELS_ABOVE if in_line else TITLES + LABELS_ABOVE)


def upright_above(links: Sequence[Link], cell: float, measures: Measures) -> float:
    """Return how high the labels of columns stand; 0 where they are level."""
    names = (link.operand.column_labels for link in links)
    return max(upright_height(labels, cell, measures) for labels in names)


def chain_width(links: Sequence[Link], fit: ChainFit, measures: Measures) -> float:
    """Return the width of a chain of some size."""
    own = sum(_has_own_labels(links, number) for number in range(len(links)))
    width = own * (fit.labels + measures(8))
    for link in links:
        width += link.operand.values.shape[1] * fit.cell
        width += sign_width(link, measures, titled=fit.in_line)
    return width


def compose_chain(
    subject: Subject,
    links: Sequence[Link],
    room: QRectF,
    fit: ChainFit,
) -> list[Shape]:
    """Return the shapes of a chain, or of a row of it; its end is the step on stage.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    links : sequence of Link
        The matrices; that of the step is the result.
    room : QRectF
        Where it is drawn, centred.
    fit : ChainFit
        Its sizes.
    """
    measures, cell, labels = subject.measures, fit.cell, fit.labels
    own = [_has_own_labels(links, number) for number in range(len(links))]
    width = chain_width(links, fit, measures)
    # Signs take their share of the free room, as the margins do.
    signs = sum(bool(link.sign) for link in links)
    longer = min(measures(LONGEST_SIGN), max(0.0, room.width() - width) / (signs + 2))
    width += signs * longer
    down = max(link.operand.values.shape[0] for link in links)
    above = titles_height(measures, in_line=fit.in_line)
    above += upright_above(links, cell, measures)
    # Below, where there is room: the sum behind the selected cell.
    free, line = room.height() - above - down * cell, measures(WORKED)
    adds = is_sum([link.sign for link in links])
    below = max(line, min(MOST_WORKED * line, free / 2)) if adds else 0.0
    below = below if free >= below else 0.0
    height = above + down * cell + below
    x = room.left() + max(0.0, (room.width() - width) / 2)
    top = room.top() + max(0.0, (room.height() - height) / 2)
    top += above
    origins = _origins(subject)
    results = [link.operand.step == subject.step for link in links]
    lines = [
        _lit(subject, link.operand, origins, is_result=is_result)
        for link, is_result in zip(links, results, strict=True)
    ]
    # Of several heads, those are dimmed, too, that the selected cell is not from.
    dimmed = {
        link.operand.step
        for link, lit in zip(links, lines, strict=True)
        if lit != (None, None)
    }
    worked = sum_of(subject, [link.operand for link in links], lines) if below else ()
    shapes: list[Shape] = []
    for number, link in enumerate(links):
        is_result, lit = results[number], lines[number]
        sign = sign_width(link, measures, titled=fit.in_line)
        middle = top + down * cell / 2
        if link.sign:
            sign += longer
            box = QRectF(x, middle - measures(30), sign, measures(60))
            shapes += _sign(link.sign, box, measures)
        x += sign
        if own[number]:
            x += labels + measures(8)
        operand = link.operand
        own_top = top + (down - operand.values.shape[0]) * cell / 2
        sheet = place(
            subject,
            operand,
            x,
            own_top,
            cell,
            lit=lit,
            dims=operand.step in dimmed,
            framed=lit if is_result and None not in lit else None,  # type: ignore[arg-type]
            lane=None if is_result or lit == (None, None) else _lane(operand.step),
        )
        shapes.append(sheet)
        shapes += labels_above(sheet, operand.column_labels, measures)
        if fit.in_line:
            beside = sign + (labels + measures(8) if own[number] else 0.0)
            shapes.append(_title_beside(link, sheet, beside, measures))
        else:
            shapes.append(_title_above(link, sheet, room.right(), measures))
            if not number:
                shapes += _omitted(subject, sheet, shapes[-1])
        if own[number]:
            shapes += labels_beside(sheet, operand.row_labels, labels, measures)
        if worked and not (sheet.empty is not None and sheet.empty[lit]):
            bottom, size = top + down * cell, min(below / 2, measures(LARGEST))
            under = QRectF(x, bottom, sheet.rect.width(), below)
            if link.sign:
                before = QRectF(x - sign, bottom, sign, below)
                shapes.append(Text(link.sign, before, size, "muted"))
            shapes.append(Text(worked[number], under, size, face="number"))
        x += operand.values.shape[1] * cell
    return shapes


def _title_above(link: Link, sheet: Sheet, end: float, measures: Measures) -> Text:
    height = measures(TITLES)
    title = link.title or link.operand.step
    width = max(sheet.rect.width(), _title_width(link, measures))
    labels, names = measures(LABELS_ABOVE), link.operand.column_labels
    labels = max(labels, upright_height(names, sheet.cell, measures))
    rect = QRectF(
        min(sheet.rect.left(), end - width),
        sheet.rect.top() - labels - height,
        width,
        height,
    )
    hue = hue_of(link.operand.step)
    return Text(title, rect, measures(TITLE), hue, "left", "bold")


def _title_beside(link: Link, sheet: Sheet, width: float, measures: Measures) -> Text:
    """Return the title in the corner of the labels of rows and columns."""
    height, apart = measures(LABELS_ABOVE), measures(8)
    rect = QRectF(sheet.rect.left() - width, sheet.rect.top() - height, width, height)
    title, hue = link.title or link.operand.step, hue_of(link.operand.step)
    rect.setRight(rect.right() - apart)
    return Text(title, rect, measures(TITLE), hue, "right", "bold")


def _title_width(link: Link, measures: Measures) -> float:
    return measures.width(link.title or link.operand.step, measures(TITLE)) + 4


def _omitted(subject: Subject, sheet: Sheet, title: Shape) -> Iterator[Text]:
    """Yield what is left out of a matrix, beside its title if there is room."""
    assert isinstance(title, Text)
    measures, size = subject.measures, subject.measures(LABEL)
    note = ", ".join(left_out(sheet.shape, subject.trace.matrix_shape(sheet.step)))
    beside = measures.width(title.text, title.size) + measures(10)
    if note and beside + measures.width(note, size) <= title.rect.width():
        rect = title.rect.adjusted(beside, 0, 0, 0)
        yield Text(note, rect, size, "muted", "right")


def _has_own_labels(links: Sequence[Link], number: int) -> bool:
    if not number:
        return True
    return links[number].operand.row_labels != links[number - 1].operand.row_labels


def sign_width(link: Link, measures: Measures, *, titled: bool = False) -> float:
    """Return the width of the sign before a matrix, or of its title above the sign."""
    if not link.sign:
        return 0.0
    words = max(link.sign.split(), key=len)
    size = measures(SIGN if len(link.sign) < 3 else LABEL)
    sign = measures.width(words, size) + 2 * measures(GAP)
    return max(sign, _title_width(link, measures) + measures(GAP)) if titled else sign


def _sign(sign: str, box: QRectF, measures: Measures) -> Iterator[Text]:
    if len(sign) < 3:
        yield Text(sign, box, measures(SIGN), "muted")
        return
    words = sign.split(" ")
    line = measures(17)
    lines = _wrapped(words, box.width() - measures(GAP), measures)
    top = box.center().y() - (len(lines) + 1) * line / 2
    for number, text in enumerate([*lines, "→"]):
        rect = QRectF(box.left(), top + number * line, box.width(), line)
        yield Text(text, rect, measures(LABEL if text != "→" else SIGN), "muted")


def _wrapped(words: list[str], width: float, measures: Measures) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or measures.width(longer, measures(LABEL)) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _origins(subject: Subject) -> tuple[Cell, ...]:
    """Return the cells that the selected one is computed from."""
    if subject.cell is None:
        return ()
    lead = subject.trace.matrix_index(subject.step, subject.head)
    shape = subject.trace.shape(subject.step)
    index = (*lead, *subject.focus)[-len(shape) :]
    return subject.trace.explain(subject.step, index, limit=1000).cells


def _lit(
    subject: Subject,
    operand: Operand,
    origins: Sequence[Cell],
    *,
    is_result: bool,
) -> tuple[int | None, int | None]:
    """Return the drawn row and column of an operand that belong to the selection."""
    if subject.cell is None:
        return None, None
    if is_result:
        cells = [subject.focus]
    else:
        lead = subject.trace.matrix_index(operand.step, 0)[:-1]
        cells = [
            _matrix_cell(cell.index)
            for cell in origins
            if cell.step == operand.step
            and (len(cell.index) < 3 or cell.index[-3] == operand.head)
            and cell.index[: len(lead)] == lead
        ]
    drawn = [
        (operand.rows.index(row), operand.columns.index(column))
        for row, column in cells
        if row in operand.rows and column in operand.columns
    ]
    if not drawn:
        return None, None
    rows, columns = {row for row, _ in drawn}, {column for _, column in drawn}
    return (
        rows.pop() if len(rows) == 1 else None,
        columns.pop() if len(columns) == 1 else None,
    )


def _matrix_cell(index: tuple[int, ...]) -> tuple[int, int]:
    row, column = (0, *index)[-2:]
    return row, column


def _lane(step: str) -> Hue:
    hue = hue_of(step)
    return "bar" if hue == "text" else hue
