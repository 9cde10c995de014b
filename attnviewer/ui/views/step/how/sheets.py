"""Matrices placed in a picture, with their labels and titles."""

from collections.abc import Iterator

from PySide6.QtCore import QRectF

from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.how.drawing import Hue, Sheet, Text
from attnviewer.ui.views.step.how.measures import SMALLEST, Measures
from attnviewer.ui.views.step.how.numbers import Fitted, fitted_numbers
from attnviewer.ui.views.step.how.subject import Operand, Subject

WIDE, NARROW = 44, 24
"""Cells of at least so many pixels have gaps of 3 pixels, and of 1 pixel."""
LABEL, SMALL, TITLE = 13.0, 12.0, 17.0
"""Heights of fonts at the usual text size."""
SMALLER, _APART = 0.75, 4.0
"""The share that labels of narrow columns shrink to, and the distance of labels."""
_LETTERS = 3
"""The fewest letters of a shortened label."""

_HUES: dict[str, Hue] = {"Q": "query", "K": "key", "V": "value"}


def gap_of(cell: float, measures: Measures) -> float:
    """Return the distance of two cells."""
    if cell >= measures(WIDE):
        return 3.0
    return 1.0 if cell >= measures(NARROW) else 0.0


def hue_of(step: str) -> Hue:
    """Return the colour of a step's name."""
    last = step.split(" ")[-1].removeprefix("W_").removeprefix("b_")
    return _HUES.get(last, "text")


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
) -> Iterator[Text]:
    """Yield the labels of a sheet's drawn rows, on its left."""
    size = min(measures(LABEL), max(measures(9.0), 0.8 * sheet.cell))
    gap = measures(8)
    for row, label in enumerate(labels):
        rect = sheet.cell_rect(row, 0)
        place_ = QRectF(
            sheet.rect.left() - width - gap, rect.top(), width, rect.height()
        )
        lit = sheet.lit[0] == row
        yield Text(
            label,
            place_,
            size,
            "text" if lit else "muted",
            "right",
            "bold" if lit else "normal",
        )


def labels_above(
    sheet: Sheet, labels: tuple[str, ...], measures: Measures, *, below: bool = False
) -> Iterator[Text]:
    """Yield the labels of a sheet's drawn columns, above or below it."""
    height, size = measures(20), measures(LABEL)
    widest, apart = measures.widest(labels, size), sheet.cell - measures(_APART)
    if widest > apart > 0:
        size = max(SMALLEST, SMALLER * size, size * apart / widest)
    top = sheet.rect.bottom() + measures(2) if below else sheet.rect.top() - height
    whole = QRectF()
    if sheet.lit[1] is not None:
        # The label of the selected column may cover those beside it.
        middle = sheet.cell_rect(0, sheet.lit[1]).center().x()
        wide = measures.width(labels[sheet.lit[1]], size) + 2
        whole = QRectF(middle - wide / 2, top, wide, height)
    for column, label in enumerate(labels):
        rect = sheet.cell_rect(0, column)
        lit = sheet.lit[1] == column
        room = QRectF(rect.left(), top, rect.width(), height)
        if lit and whole.width() > room.width():
            room = whole
        elif not lit and _is_lost(label, room, whole, size, measures):
            continue
        yield Text(
            label,
            room,
            size,
            "text" if lit else "muted",
            "center",
            "bold" if lit else "normal",
        )


def _is_lost(
    label: str, room: QRectF, whole: QRectF, size: float, measures: Measures
) -> bool:
    """Return whether not even the first letters of a label fit."""
    width = measures.width(label, size)
    if width <= room.width():
        drawn = QRectF(room.center().x() - width / 2, room.top(), width, room.height())
        return drawn.intersects(whole)
    begins = f"{label[:_LETTERS]}…"
    return room.intersects(whole) or measures.width(begins, size) > room.width()
