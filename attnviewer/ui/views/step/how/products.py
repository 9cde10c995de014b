"""The sum of products behind a cell, as on paper: factors, products, sum."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from attnviewer.compute import Array
from attnviewer.compute.formula import largest_terms
from attnviewer.compute.number_text import rounded
from attnviewer.ui.views.step.how.drawing import Hue, Rule, Shape, Text, Weight
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.sheets import LABEL, SMALL, hue_of
from attnviewer.ui.views.step.how.subject import Subject

if TYPE_CHECKING:
    from attnviewer.ui.views.step.how.measures import Measures

_DECIMALS = 3
_ROUNDING = 1e-4
_FONT, _SMALLEST = 22.0, 11.0
_LARGE = 120.0
"""Beside larger cells, the sum is larger, too."""
_APPEAR, _ADD = 0.2, 0.7
"""Shares of a cell's time after which its products appear and are added."""


def products(
    subject: Subject, cross: Cross, room: QRectF, cell: float
) -> Iterator[Shape]:
    """Yield the sum behind the selected cell.

    Parameters
    ----------
    subject : Subject
        What the picture is about.
    cross : Cross
        The matrices.
    room : QRectF
        The place above the factor on the left.
    cell : float
        The side of a cell.
    """
    left = cross.left.values[cross.row]  # (inner,)
    above = (
        cross.above.values[cross.column]
        if cross.transposed
        else cross.above.values[:, cross.column]
    )  # (inner,)
    total = float(cross.result.values[cross.row, cross.column])
    bias = 0.0 if cross.bias is None else float(cross.bias.values[0, cross.column])
    with np.errstate(all="ignore"):
        added = float(left @ above) + bias
    # Additive scores, and numbers out of range, are not the sum of these products.
    if math.isfinite(total) and abs(added - total) <= _ROUNDING * abs(total):
        yield from _Sum(subject, cross, left, above, total, cell).shapes(room)


class _Sum:
    """The parts of a sum, as large as they fit."""

    def __init__(
        self,
        subject: Subject,
        cross: Cross,
        left: Array,
        above: Array,
        total: float,
        cell: float,
    ) -> None:
        self._subject, self._cross = subject, cross
        self._measures: Measures = subject.measures
        self._largest = self._measures(_FONT) * max(1.0, cell / self._measures(_LARGE))
        self._left, self._above, self._total = left, above, total
        with np.errstate(all="ignore"):
            self._products = left * above  # (inner,)
        self._hues: tuple[Hue, Hue] = (
            _factor_hue(cross.left.step, "query"),
            _factor_hue(cross.above.step, "key"),
        )

    def shapes(self, room: QRectF) -> Iterator[Shape]:
        """Yield the shapes in a rectangle; nothing if they do not fit."""
        measures = self._measures
        line = measures(22)
        yield from self._heading(QRectF(room.left(), room.top(), room.width(), line))
        below = room.adjusted(0, line + measures(4), -measures(36), -measures(8))
        for limit in (self._products.size, 6, 4, 3, 2, 1):
            if limit > self._products.size:
                continue
            kept, omitted, rest = largest_terms(self._products, limit)
            size = self._size(list(kept), omitted, rest, below)
            if size >= measures(_SMALLEST):
                yield from self._written(list(kept), omitted, rest, size, below)
                return

    def _heading(self, rect: QRectF) -> Iterator[Text]:
        measures, cross = self._measures, self._cross
        row = cross.result.row_labels[cross.row]
        column = cross.result.column_labels[cross.column]
        text = f"{cross.result.step}[{row}, {column}]"
        yield Text(text, rect, measures(LABEL), "muted", "left")

    def _columns(
        self, kept: list[int], omitted: int, rest: float
    ) -> list[tuple[str, str, str, str]]:
        """Return factors, product and name of each term."""
        names = self._cross.left.column_labels
        columns = [
            (
                _number(self._left[k]),
                _number(self._above[k]),
                _number(self._products[k]),
                f"d = {names[k]}",
            )
            for k in kept
        ]
        if omitted:
            columns.append(("", "", _number(rest), f"{omitted} more"))
        if self._cross.bias is not None:
            bias = float(self._cross.bias.values[0, self._cross.column])
            columns.append(("", "", _number(bias), self._cross.bias.step))
        return columns

    def _size(self, kept: list[int], omitted: int, rest: float, room: QRectF) -> float:
        """Return the largest height of the font with which the sum fits; 0 if none."""
        measures = self._measures
        letters = sum(
            max(len(a) + len(b) + 1, len(product)) + 3
            for a, b, product, _ in self._columns(kept, omitted, rest)
        )
        unit = measures.width("0" * 10, 100.0, "number") / 1000
        wide = room.width() / (max(1, letters - 2) * unit)
        high = room.height() / 5.6
        return float(min(self._largest, wide, high))

    def _written(
        self, kept: list[int], omitted: int, rest: float, size: float, room: QRectF
    ) -> Iterator[Shape]:
        measures = self._measures
        share = self._share
        columns = self._columns(kept, omitted, rest)
        unit = measures.width("0" * 10, size, "number") / 10
        line, x = 1.35 * size, room.left()
        top = room.top() + max(0.0, (room.height() - 5.2 * size) / 2)
        shown = len(columns)
        if share < 1.0:
            passed = (share - _APPEAR) / (_ADD - _APPEAR)
            shown = max(0, min(shown, int(passed * shown + 1)))
        for number, (a, b, product, name) in enumerate(columns):
            width = (max(len(a) + len(b) + 1, len(product)) + 0.4) * unit
            if number < shown:
                if number:
                    plus = QRectF(x - 2.2 * unit, top, 1.6 * unit, line)
                    yield _digits("+", plus, size, "muted")
                    yield _digits("+", plus.translated(0, line * 1.6), size, "muted")
                yield from self._factors(a, b, QRectF(x, top, width, line), size, unit)
                under = QRectF(x - unit, top + line, width + 2 * unit, line * 0.6)
                yield Text(name, under, min(measures(SMALL), 0.7 * size), "muted")
                yield _digits(
                    product, QRectF(x, top + 1.6 * line, width, line), size, "text"
                )
            x += width + 2.6 * unit
        right = x - 2.6 * unit
        if share < _ADD:
            return
        bottom = top + 2.75 * line
        yield Rule(QPointF(room.left(), bottom), QPointF(right, bottom), "text", 1.5)
        result = QRectF(
            room.left(), bottom + 0.1 * line, right - room.left(), 1.3 * line
        )
        yield _digits(
            f"= {_number(self._total)}", result, 1.15 * size, "text", bold=True
        )

    def _factors(
        self, a: str, b: str, rect: QRectF, size: float, unit: float
    ) -> Iterator[Text]:
        if not a:
            return
        width = (len(a) + len(b) + 1) * unit
        x = rect.left() + (rect.width() - width) / 2
        dot: tuple[str, Hue] = "·", "muted"
        for text, hue in ((a, self._hues[0]), dot, (b, self._hues[1])):
            wide = len(text) * unit
            place = QRectF(x - 2, rect.top(), wide + 4, rect.height())
            yield _digits(text, place, size, hue, bold=text != "·")
            x += wide

    @property
    def _share(self) -> float:
        """How far the sum has been played; 1 if it is not."""
        progress, subject = self._subject.progress, self._subject
        if progress is None or self._cross.result.step != subject.step:
            return 1.0
        return progress.share


def _factor_hue(step: str, otherwise: Hue) -> Hue:
    hue = hue_of(step)
    return otherwise if hue == "text" else hue


def _number(value: float) -> str:
    return rounded(float(value), _DECIMALS)


def _digits(
    text: str, rect: QRectF, size: float, hue: Hue, *, bold: bool = False
) -> Text:
    weight: Weight = "bold" if bold else "normal"
    return Text(text, rect, size, hue, "center", weight, "number")
