"""The normalisation of a row as bars: scores, what the rule makes of them, shares."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from attnviewer.compute import Array, BoolArray
from attnviewer.compute.number_text import rounded
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.text.matrix_numbers import picture_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.bar_titles import (
    HEADING,
    PANEL_TITLE,
    panel_title,
    strongest_of,
    titles,
)
from attnviewer.ui.views.step.how.drawing import (
    Bars,
    Control,
    Panel,
    Rule,
    Shape,
    Sheet,
    Text,
)
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.numbers import without_exponents
from attnviewer.ui.views.step.how.sheets import SMALL, labels_above, place
from attnviewer.ui.views.step.how.subject import ARRIVED, Subject

_tr = translate_in("How")

TITLE_HEIGHT, CONTROL, BAR_LABEL, ROW_LABELS = 26.0, 34.0, 18.0, 24.0
PADDING = 20.0
TIGHT_HEADING, TIGHT_LABEL = 18.0, 15.0
"""Heights of the title and of the numbers of bars where there is little room."""
LEAST_GROUP, TIGHT_GROUP, LOW_GROUP = 70.0, 58.0, 52.0
USUAL_GROUPS = 3
"""Scores, exponentials and shares."""
NARROW, WIDEST = 46.0, 1.8
"""The width that columns are narrowed to so that one more group fits, and their largest
width as a multiple of a cell of the matrix beside them."""
LEAST_INSIDE = 160.0
"""Width in which the titles and the temperature are whole, however few the keys are."""
_NARROWEST = 26.0
"""Width of a column below which bars have no numbers."""
_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""Before %, where there is room; in a monospaced font it may be as wide as a digit."""
_APART = 3.0
"""The least distance of two numbers beside each other."""
_FULL = 0.74
"""Share of a column that its bar takes."""
_BEYOND = 1.25
"""Height of a bar of +∞, as a multiple of that of the largest finite number."""


def column_width(
    room: QSizeF, columns: int, cell: float, groups: int, measures: Measures
) -> float:
    """Return the width of the columns of a panel beside a matrix.

    The cells of the row of weights are squares of this width, so that wider columns
    leave less height for the bars. The result is the largest width at which no further
    group of bars is lost; 0 if not even one group has room.

    Parameters
    ----------
    room : QSizeF
        The room of the panel.
    columns : int
        How many there are.
    cell : float
        The side of a cell of the matrix.
    groups : int
        How many groups of bars the panel has.
    measures : Measures
        Sizes.
    """
    free = (room.width() - 2 * measures(PADDING)) / columns
    least = min(free, cell, measures(NARROW))
    parts = parts_of(room.height(), least, groups, measures)
    if not parts.groups:
        return 0.0
    wider = range(int(min(free, WIDEST * cell)), int(least), -1)
    same = (c for c in wider if parts_of(room.height(), c, groups, measures) == parts)
    return next(same, least)


def panel_width(room: float, columns: int, column: float, measures: Measures) -> float:
    """Return the width of a panel with columns of a width, in a room of a width."""
    margins = 2 * measures(PADDING)
    least = min(measures(LEAST_INSIDE), room - margins)
    return max(columns * column, least) + margins


@dataclass(frozen=True, slots=True)
class Parts:
    """The layout of a panel: groups of bars, the control, and the size of texts."""

    measures: Measures
    tight: bool
    groups: int
    control: bool


# Asked for the same sizes several times, and after each edit.
@lru_cache(maxsize=256)
def parts_of(height: float, cell: float, groups: int, measures: Measures) -> Parts:
    """Return what a panel has room for.

    Where the usual groups do not fit, texts shrink first, then groups are set tight.
    """
    found = [
        _parts_at(height, cell, groups, smaller, tight=tight)
        for tight in (False, True)
        for smaller in measures.down_to_usual
    ]
    return max(found, key=lambda parts: min(parts.groups, USUAL_GROUPS))


def _parts_at(
    height: float, cell: float, groups: int, measures: Measures, *, tight: bool
) -> Parts:
    room = height - measures(10 + TITLE_HEIGHT + 10 + ROW_LABELS + 12) - cell
    least = measures(TIGHT_GROUP if tight else LEAST_GROUP)
    # Decided for the usual groups, so that it stays where a temperature adds one.
    control = measures.controls and room >= measures(CONTROL) + USUAL_GROUPS * least
    if control:
        room -= measures(CONTROL)
    fitting = int(room // least)
    if not fitting and room >= measures(LOW_GROUP):
        fitting = 1
    return Parts(measures, tight, max(0, min(groups, fitting)), control)


def compose_bars(
    subject: Subject,
    groups: Sequence[Group],
    keys: Sequence[int],
    room: QRectF,
    cell: float,
) -> list[Shape]:
    """Return the shapes of the panel.

    Parameters
    ----------
    subject : Subject
        What the picture is about; its step is one that is normalised.
    groups : sequence of Group
        The parts.
    keys : sequence of int
        The keys that are drawn.
    room : QRectF
        Where the panel is drawn, see `panel_width`.
    cell : float
        The width of a column.
    """
    row, column = subject.focus
    inside = subject.measures(PADDING)
    parts = parts_of(room.height(), cell, len(groups), subject.measures)
    measures = parts.measures
    width = room.width() - 2 * inside
    left, panel = room.left() + inside, room
    shapes: list[Shape] = [Panel(panel)]
    normalize = subject.normalize
    assert normalize is not None
    normalizer, labels = normalize.normalizer, subject.labels(normalize.name)
    title = panel_title(normalizer, labels[0][row], width, measures)
    heading = QRectF(left, room.top() + measures(10), width, measures(TITLE_HEIGHT))
    low = panel.height() < cell + measures(TITLE_HEIGHT + ROW_LABELS + PADDING)
    shapes += (
        []
        if low
        else [
            Text(title, heading, measures(PANEL_TITLE), "text", "left", "bold"),
        ]
    )
    top = panel.top() if low else heading.bottom()
    bottom = panel.bottom() - measures(10 + ROW_LABELS) - cell
    if parts.control:
        control = QRectF(left, top, width, measures(CONTROL))
        shapes.append(Control("temperature", control))
        top += measures(CONTROL)
    n_keys = subject.trace.matrix_shape(normalize.name)[1]
    if len(keys) < n_keys and not low:
        shown_keys = strongest_of(len(keys), n_keys)
        size = measures(SMALL)
        if measures.width(title, measures(PANEL_TITLE)) < width - measures.width(
            shown_keys, size
        ):
            shapes.append(Text(shown_keys, heading, size, "muted", "right"))
    operand = subject.operand(normalize.name, [row], keys)
    lit = keys.index(column) if column in keys and subject.cell is not None else None
    at_weights = subject.step == normalize.name
    sheet = place(
        subject,
        operand,
        left,
        bottom,
        cell,
        lit=(0 if lit is not None else None, lit),
        framed=(0, lit) if lit is not None and at_weights else None,
    )
    groups = that_fit(groups, parts.groups)
    height = (bottom - measures(12) - top) / max(1, len(groups))
    # They grow while the step of the weights is played.
    grown = subject.row_share / ARRIVED if at_weights else 1.0
    for number, group in enumerate(groups):
        box = QRectF(left, top + number * height, width, height)
        values = group.values[list(keys)]
        colors = sheet.colors[0] if group.is_weights else None
        share = eased(min(1.0, max(0.0, grown * len(groups) - number)))
        drawn = Drawn(values, hidden_keys(sheet), cell, lit, colors, share)
        shapes += group_shapes(group, drawn, box, parts)
    shapes.append(sheet)
    names = tuple(labels[1][key] for key in keys)
    shapes += labels_above(sheet, names, measures, below=True)
    return shapes


def that_fit(groups: Sequence[Group], room: int) -> Sequence[Group]:
    """Return the groups that have room: the shares first, then the scores.

    Scores that are divided by a temperature stand for those before, whose numbers are
    in a matrix anyway.
    """
    if room < len(groups) and groups[1].replaces_scores:
        groups = groups[1:]
    if room == len(groups):
        return groups
    return [*groups[: max(0, room - 1)], groups[-1]] if room else []


def hidden_keys(weights: Sheet) -> BoolArray:
    """Return which keys of a row of weights a mask hides, shape (keys,)."""
    if weights.hidden is None:
        return np.zeros(weights.values.shape[1], np.bool_)
    hidden: BoolArray = weights.hidden[0]
    return hidden


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The values of a group at the drawn keys, and how its bars look."""

    values: Array
    hidden: BoolArray
    cell: float
    lit: int | None
    colors: Rgb | None
    share: float


def group_shapes(
    group: Group, drawn: Drawn, box: QRectF, parts: Parts
) -> Iterator[Shape]:
    """Yield the bars of a group with their titles and numbers.

    Parameters
    ----------
    group : Group
        The group.
    drawn : Drawn
        What is drawn of it.
    box : QRectF
        Where it is drawn.
    parts : Parts
        Sizes.
    """
    measures, tight = parts.measures, parts.tight
    numbers, cell, share = drawn.values.tolist(), drawn.cell, drawn.share
    note = group.note if share else ""
    yield from titles(group.title, group.rule, note, box, measures)
    label = measures(TIGHT_LABEL if tight else BAR_LABEL)
    above = measures(TIGHT_HEADING if tight else HEADING) + label
    room = box.height() - above - measures(4 if tight else 8)
    finite = [value for value in numbers if math.isfinite(value)]
    # Divided first: twice the largest number would be infinite.
    unit = max(map(abs, finite), default=0.0) or 1.0
    highest, lowest = max([0.0, *finite]) / unit, min([0.0, *finite]) / unit
    if math.inf in numbers:
        highest = _BEYOND * max(highest, -lowest) or 1.0
    reach = highest - lowest or 1.0
    if lowest < 0:
        room -= label
    zero = box.top() + above + room * highest / reach
    left, aside = box.left(), (1 - _FULL) / 2 * cell
    rects = []
    for key, value in enumerate(numbers):
        height = abs(value) / unit / reach if math.isfinite(value) else 0.0
        if value == math.inf:
            height = highest / reach
        height = share * room * height
        top = zero - height if value > 0 else zero
        rects.append((left + key * cell + aside, top, _FULL * cell, max(height, 1.0)))
    written = _labels(drawn, group, measures) if share else None
    labels = tuple(written or [""] * len(numbers))
    yield Bars(np.array(rects), labels, measures(SMALL), drawn.lit, drawn.colors)
    yield Rule(QPointF(box.left(), zero), QPointF(box.right(), zero), "muted")


def _labels(drawn: Drawn, group: Group, measures: Measures) -> list[str]:
    """Return the numbers of bars, with as many decimals as fit beside each other.

    All have the same. Shares without decimals lose the space before % where it is too
    wide, as in a monospaced font. A number that does not fit even then is left out,
    unless those beside it are short.
    """
    cell, numbers = drawn.cell, drawn.values.tolist()
    if cell < measures(_NARROWEST):
        return ["" for _ in numbers]
    most = 4 if cell >= measures(60) else 2 if cell >= measures(40) else 1
    size, room = measures(SMALL), cell - measures(_APART)
    masked = _tr("masked") if cell > measures(52) else "—"
    plain = without_exponents(drawn.values)

    def written(value: float, hidden: bool, decimals: int, space: str) -> str:
        if hidden and value == -math.inf:
            return masked
        if group.in_percent:
            return _percentage(value, decimals, space)
        if value.is_integer() and plain:
            return rounded(value, 0)
        return picture_number(value, decimals, plain=plain)

    formats = [(decimals, _SPACE) for decimals in range(most, -1, -1)]
    if group.in_percent:
        formats = [(1, _SPACE), (0, _SPACE), (0, "")]
    for decimals, space in formats:
        texts = [
            written(value, hidden, decimals, space)
            for value, hidden in zip(numbers, drawn.hidden.tolist(), strict=True)
        ]
        widths = measures.number_widths(texts, size)
        if max(widths) <= room:
            return texts
    before, after = [0.0, *widths[:-1]], [*widths[1:], 0.0]
    beside = map(max, before, after)
    return [
        text if min(width, (width + other) / 2) <= room else ""
        for text, width, other in zip(texts, widths, beside, strict=True)
    ]


def _percentage(value: float, decimals: int, space: str) -> str:
    """Write a share; only 0 itself is written as 0."""
    least: float = 10.0**-decimals
    small = 0 < 100 * value < least / 2
    text = f"<{least:.{decimals}f}" if small else f"{100 * value:.{decimals}f}"
    return f"{text}{space}%"


def eased(share: float) -> float:
    """Return a fraction of an animation, eased in and out."""
    return share * share * (3 - 2 * share)
