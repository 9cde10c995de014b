"""Matrices placed in a picture, with their labels and titles."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QRectF

from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.theme import part_of
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.drawing import Hue, Sheet, Text
from attnviewer.ui.views.step.how.measures import SMALLEST, Measures
from attnviewer.ui.views.step.how.numbers import Fitted, fitted_numbers
from attnviewer.ui.views.step.how.subject import Operand, Subject

_tr = translate_in("How")

WIDE, NARROW = 44, 24
"""Cells of at least so many pixels have gaps of 3 pixels, and of 1 pixel."""
LABEL, SMALL, TITLE = 13.0, 12.0, 17.0
"""Heights of fonts at the usual text size."""
SMALLER, _APART = 0.75, 4.0
"""The share that labels of narrow columns shrink to, and the distance of labels."""
LONGEST_LABEL = 130.0
"""The most room for the label of a row, or for one that stands upright."""
_LINE = 12.0
"""The height of a line of labels that stand in two lines."""
_LETTERS = 3
"""The fewest letters of a shortened label."""
_MOST_CHOSEN = 0.5
"""The most that the label of the selected column takes of the width of all."""


def gap_of(cell: float, measures: Measures) -> float:
    """Return the distance of two cells."""
    if cell >= measures(WIDE):
        return 3.0
    return 1.0 if cell >= measures(NARROW) else 0.0


def hue_of(step: str) -> Hue:
    """Return the colour of a step's name."""
    *_, made = step.split(" ")  # such as "split Q"
    return part_of(made) or "text"


def place(
    subject: Subject,
    operand: Operand,
    left: float,
    top: float,
    cell: float,
    *,
    transposed: bool = False,
    lit: tuple[int | None, int | None] = (None, None),
    dims: bool = False,
    framed: Position | None = None,
    lane: Hue | None = None,
) -> Sheet:
    """Place a matrix at a point.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    operand : Operand
        The matrix.
    left, top : float
        The upper left corner of its cells.
    cell : float
        The side of a cell, with its gap.
    transposed : bool
        Whether its rows are drawn as columns.
    lit, dims, framed, lane
        See `Sheet`.
    """
    values, hidden, pinned = operand.values, operand.hidden, operand.pinned
    if transposed:
        values, hidden = values.T, None if hidden is None else hidden.T
        pinned = None if pinned is None else pinned.T
    gap = gap_of(cell, subject.measures)
    fitted = Fitted()
    if subject.tells(operand.step):
        fitted = fitted_numbers(values, hidden, cell, subject.measures)
    empty = subject.empty(operand)
    if transposed and empty is not None:
        empty = empty.T
    down, across = values.shape
    return Sheet(
        operand.step,
        operand.head,
        tuple(operand.rows),
        tuple(operand.columns),
        transposed,
        QRectF(left, top, across * cell - gap, down * cell - gap),
        cell,
        gap,
        values,
        hidden,
        cell_colors(values, subject.scale(operand.step), subject.theme, hidden),
        fitted.texts,
        fitted.size,
        fitted.decimals,
        lit,
        dims,
        framed,
        lane,
        empty,
        pinned,
        operand.given and len(operand.rows) == _all_rows(subject, operand),
    )


def _all_rows(subject: Subject, operand: Operand) -> int:
    return subject.trace.matrix_shape(operand.step)[0]


def labels_beside(
    sheet: Sheet, labels: tuple[str, ...], width: float, measures: Measures
) -> tuple[Text, ...]:
    """Return the labels of a sheet's drawn rows, on its left."""
    column = sheet.rect.left() - width - measures(8), sheet.rect.top(), width
    return _labels_in_column(
        column, sheet.cell, sheet.gap, labels, sheet.lit[0], measures
    )


# They are the same after each edit, as those of columns are.
@lru_cache(maxsize=16)
def _labels_in_column(
    column: tuple[float, float, float],
    cell: float,
    gap: float,
    labels: tuple[str, ...],
    chosen: int | None,
    measures: Measures,
) -> tuple[Text, ...]:
    left, top, width = column
    size = min(measures(LABEL), max(measures(9.0), 0.8 * cell))
    return tuple(
        Text(
            label,
            QRectF(left, top + row * cell, width, cell - gap),
            size,
            "text" if row == chosen else "muted",
            "right",
            "bold" if row == chosen else "normal",
        )
        for row, label in enumerate(labels)
    )


def upright_height(labels: tuple[str, ...], cell: float, measures: Measures) -> float:
    """Return how high labels above columns stand; 0 where they are level.

    Parameters
    ----------
    labels : tuple of str
        The labels.
    cell : float
        The width of a column.
    measures : Measures
        Sizes.
    """
    if not measures.printed:
        return 0.0
    widest = measures.widest(labels, measures(SMALLEST))
    if widest <= cell - measures(_APART):
        return 0.0
    return min(widest, measures(LONGEST_LABEL)) + measures(_APART)


def _upright(
    sheet: Sheet, labels: tuple[str, ...], height: float, measures: Measures
) -> Iterator[Text]:
    for column, label in enumerate(labels):
        rect = sheet.cell_rect(0, column)
        rect.moveBottom(sheet.rect.top() - measures(_APART) / 2)
        rect.setTop(rect.bottom() - height)
        lit = sheet.lit[1] == column
        yield Text(
            label,
            rect,
            measures(SMALLEST),
            "text" if lit else "muted",
            "left",
            "bold" if lit else "normal",
            upright=True,
        )


def labels_above(
    sheet: Sheet, labels: tuple[str, ...], measures: Measures, *, below: bool = False
) -> tuple[Text, ...]:
    """Return the labels of a sheet's drawn columns, above or below it."""
    upright = 0.0 if below else upright_height(labels, sheet.cell, measures)
    if upright:
        return tuple(_upright(sheet, labels, upright, measures))
    rect = sheet.rect
    n_lines = 2 if _in_turn(labels, sheet.cell, measures) else 1
    height = measures(20 if n_lines == 1 else _LINE)
    if below:
        # Letters fill two lines, so that these begin below the selection frame.
        top = rect.bottom() + measures(2 * n_lines)
    else:
        top = rect.top() - height - (n_lines - 1)
    return _labels_in_line(
        (rect.left(), top, height),
        sheet.cell,
        sheet.gap,
        labels,
        sheet.lit[1],
        measures,
        n_lines,
        below=below,
    )


def _in_turn(labels: tuple[str, ...], cell: float, measures: Measures) -> bool:
    """Return whether labels of columns stand in two lines in turn.

    So do those that would be shortened or shrink too much in one line, where two fit
    below each other.
    """
    widest = measures.widest(labels, max(SMALLEST, measures(SMALLER * LABEL)))
    return widest > cell - measures(_APART) and measures(_LINE) > SMALLEST


@lru_cache(maxsize=16)
def _labels_in_line(
    line: tuple[float, float, float],
    cell: float,
    gap: float,
    labels: tuple[str, ...],
    chosen: int | None,
    measures: Measures,
    n_lines: int,
    *,
    below: bool,
) -> tuple[Text, ...]:
    left, top, height = line
    outwards = height if below else -height
    size = measures(LABEL if n_lines == 1 else SMALLEST)
    spread = n_lines * cell
    widest, apart = measures.widest(labels, size), spread - measures(_APART)
    if widest > apart > 0:
        fitting = size * apart / widest
        size = fitting if fitting >= SMALLEST else max(SMALLEST, SMALLER * size)
    rooms = [
        QRectF(
            left + column * cell - (spread - cell) / 2,
            top + column % n_lines * outwards,
            spread - gap,
            height,
        )
        for column in range(len(labels))
    ]
    first, last = left, left + len(labels) * cell - gap
    widths = [measures.width(label, size) for label in labels]
    if n_lines > 1:
        # Beside the first label stands a title, or the edge of a panel, as beside the
        # last one of those below.
        if widths[0] > cell - gap:
            rooms[0].setLeft(first)
        if below and widths[-1] > cell - gap:
            rooms[-1].setRight(last)
    whole = QRectF()
    if chosen is not None:
        # The label of the selected column may take of the room of those beside it.
        most = max(rooms[chosen].width(), _MOST_CHOSEN * (last - first))
        wide = min(widths[chosen] + 2, most)
        start = rooms[chosen].center().x() - wide / 2
        start = max(first, min(start, last - wide))
        whole = QRectF(start, rooms[chosen].top(), wide, height)
    texts = []
    for column, (label, room) in enumerate(zip(labels, rooms, strict=True)):
        if column == chosen:
            lit = whole if whole.width() > room.width() else room
            texts.append(Text(label, lit, size, "text", "center", "bold"))
            continue
        free = _beside(room, widths[column], whole, measures(_APART))
        begins = measures.width(f"{label[:_LETTERS]}…", size)
        if min(begins, widths[column]) <= free.width():
            texts.append(Text(label, free, size, "muted", "center", "normal"))
    return tuple(texts)


def _beside(room: QRectF, width: float, whole: QRectF, apart: float) -> QRectF:
    """Return what the label of the selected column leaves of the room of another."""
    drawn = QRectF(room)
    drawn.setWidth(min(width, room.width()))
    drawn.moveCenter(room.center())
    if not drawn.intersects(whole):
        return room
    free = QRectF(room)
    if room.center().x() < whole.center().x():
        free.setRight(max(room.left(), whole.left() - apart))
    else:
        free.setLeft(min(room.right(), whole.right() + apart))
    return free


def left_out(drawn: Sequence[int], every: Sequence[int]) -> list[str]:
    """Return how many rows, columns and terms are drawn, of those that not all are."""
    texts = (
        _tr("{drawn} of {all} rows"),
        _tr("{drawn} of {all} columns"),
        _tr("{drawn} of {all} terms"),
    )
    return [
        text.format(drawn=some, all=count)
        for text, some, count in zip(texts, drawn, every, strict=False)
        if some < count
    ]
