"""The sum of products behind a cell, as on paper: factors, products, sum."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from attnviewer.compute.formula import largest_terms
from attnviewer.compute.number_text import MINUS, rounded, with_exponent
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.drawing import Align, Hue, Rule, Shape, Text, Weight
from attnviewer.ui.views.step.how.factors import Cross
from attnviewer.ui.views.step.how.sheets import LABEL, SMALL, hue_of
from attnviewer.ui.views.step.how.subject import Subject

_tr = translate_in("How")

if TYPE_CHECKING:
    from attnviewer.ui.views.step.how.measures import Measures

_DECIMALS, _CHARACTERS = 3, 5
"""The most decimals and characters of a number."""
_BRACKETS, _EQUALS = 2, 2
_FACTORS = 2 * _CHARACTERS + 1 + _BRACKETS
_LETTERS = _FACTORS + _EQUALS + _CHARACTERS
"""Characters of the brackets around a negative factor, of the sign before a product, of
two factors, and of a line with their product."""
_LINE, _TOTAL = 1.35, 1.6
"""The height of a line, in heights of its font, and of the total, in lines."""
_ROUNDING = 1e-4
_FONT, _SMALLEST, _WITH_NAMES = 22.0, 11.0, 14.0
"""The largest and smallest font, and the smallest one beside names of the terms."""
_NAMES_OF_ROWS = 36.0
"""The room for the names of the rows of the factor above, on its left."""
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
    total = float(cross.result.values[cross.row, cross.column])
    bias = 0.0 if cross.bias is None else float(cross.bias.values[0, cross.column])
    with np.errstate(all="ignore"):
        added = float(np.prod(cross.factors, axis=0).sum()) + cross.rest + bias
    # Numbers out of range, and mistaken ones, are not the sum of these products.
    if math.isfinite(total) and abs(added - total) <= _ROUNDING * abs(total):
        yield from _Sum(subject, cross, total, cell).shapes(room)


class _Sum:
    """The parts of a sum, as large as they fit."""

    def __init__(
        self, subject: Subject, cross: Cross, total: float, cell: float
    ) -> None:
        self._subject, self._cross = subject, cross
        self._measures: Measures = subject.measures
        self._largest = self._measures(_FONT) * max(1.0, cell / self._measures(_LARGE))
        self._factors, self._total = cross.factors, total
        with np.errstate(all="ignore"):
            self._products = np.prod(self._factors, axis=0)  # (inner,)
        self._hues: tuple[Hue, Hue] = "text", "text"
        if cross.comparison is None or cross.comparison.slope is not None:
            self._hues = (
                _factor_hue(cross.left.step, "query" if cross.transposed else "text"),
                _factor_hue(cross.above.step, "key" if cross.transposed else "text"),
            )

    def shapes(self, room: QRectF) -> Iterator[Shape]:
        """Yield the shapes in a rectangle; only the sum if they do not fit."""
        measures = self._measures
        line = measures(22)
        usual = measures.down_to_usual[-1]
        room = room.adjusted(0, 0, -measures(_NAMES_OF_ROWS), 0)
        heading = QRectF(room.left(), room.top(), room.width(), line)
        below = room.adjusted(0, line + measures(4), 0, -measures(8))
        for limit in (self._products.size, 6, 4, 3, 2, 1):
            if limit > self._products.size:
                continue
            lines = self._lines(limit)
            for names, letters, least in (
                (self._names_width(lines), _LETTERS, _WITH_NAMES),
                (0.0, _LETTERS, _SMALLEST),
                (0.0, _FACTORS, _SMALLEST),
            ):
                size = self._size(len(lines), names, letters, below)
                if size >= usual(least):  # rather than without a term
                    yield from self._heading(heading)
                    yield from self._written(lines, size, names, letters, below)
                    return
        yield from self._heading(heading)
        total = heading.translated(0, line)
        if self._share >= _ADD and total.bottom() <= room.bottom():
            size = measures(LABEL)
            yield _digits(self._written_total, total, size, "text", "left", bold=True)

    def _heading(self, rect: QRectF) -> Iterator[Text]:
        measures, cross = self._measures, self._cross
        row = cross.result.row_labels[cross.row]
        column = cross.result.column_labels[cross.column]
        text = f"{cross.result.step}[{row}, {column}]"
        size = measures(LABEL)
        fitting = size * rect.width() / measures.width(text, size)
        size = max(measures.down_to_usual[-1](_SMALLEST), min(size, fitting))
        yield Text(text, rect, size, "muted", "left")

    @property
    def _written_total(self) -> str:
        return f"= {rounded(self._total, _DECIMALS)}"

    def _lines(self, limit: int) -> list[tuple[str, str, str, str]]:
        """Return name, factors and product of the largest terms, and the others."""
        kept, omitted, rest = largest_terms(self._products, limit)
        omitted, rest = omitted + self._cross.omitted, rest + self._cross.rest
        names = [f"d = {self._cross.left.column_labels[k]}" for k in kept]
        added = [float(self._products[k]) for k in kept]
        if omitted:
            names.append(_tr("{count} more").format(count=omitted))
            added.append(rest)
        if self._cross.bias is not None:
            names.append(self._cross.bias.step)
            added.append(float(self._cross.bias.values[0, self._cross.column]))
        left, right = [""] * len(names), [""] * len(names)
        if len(self._factors) > 1:  # not those of a sum without products
            before, after = (_numbers(f[list(kept)].tolist()) for f in self._factors)
            left[: len(kept)] = before
            right[: len(kept)] = [f"({b})" if b.startswith(MINUS) else b for b in after]
        return list(zip(names, left, right, _numbers(added), strict=True))

    def _names_width(self, lines: list[tuple[str, str, str, str]]) -> float:
        measures = self._measures
        names = tuple(name for name, *_ in lines)
        return measures.widest(names, measures(SMALL)) + measures(8)

    def _size(self, lines: int, names: float, letters: int, room: QRectF) -> float:
        """Return the largest height of the font with which the sum fits.

        It depends on how many terms there are, but not on their digits, so that nothing
        moves while a number changes.
        """
        unit = self._measures.width("0" * 10, 100.0, "number") / 1000
        wide = (room.width() - names) / (letters * unit)
        high = room.height() / (_LINE * (lines + _TOTAL))
        return float(min(self._largest, wide, high))

    def _written(
        self,
        lines: list[tuple[str, str, str, str]],
        size: float,
        names: float,
        letters: int,
        room: QRectF,
    ) -> Iterator[Shape]:
        measures, share = self._measures, self._share
        unit = measures.width("0" * 10, size, "number") / 10
        line, left = _LINE * size, room.left() + names
        height = line * (len(lines) + _TOTAL)
        top = room.top() + max(0.0, (room.height() - height) / 2)
        shown = len(lines)
        if share < 1.0:
            passed = (share - _APPEAR) / (_ADD - _APPEAR)
            shown = max(0, min(shown, int(passed * shown + 1)))
        width = letters * unit
        longest = max(len(product) for *_, product in lines)
        for number, (name, a, b, product) in enumerate(lines[:shown]):
            row = QRectF(left, top + number * line, width, line)
            # A term without factors needs its name.
            if names or not a:
                beside = QRectF(room.left(), row.top(), max(names, width / 2), line)
                yield Text(name, beside, min(measures(SMALL), size), "muted", "left")
            if a:
                yield from self._pair(a, b, row, size, unit)
            if a and letters > _FACTORS and longest < _CHARACTERS + _EQUALS:
                # Products with a large exponent take some of its room, or all.
                wide = (_EQUALS - max(0, longest - _CHARACTERS)) * unit
                equals = QRectF(left + _FACTORS * unit, row.top(), wide, line)
                yield _digits("=", equals, size, "muted", "center")
            if not a or letters > _FACTORS:
                yield _digits(product, row, size, "text", "right")
        if share < _ADD:
            return
        bottom = top + (len(lines) + 0.1) * line
        yield Rule(QPointF(left, bottom), QPointF(left + width, bottom), "text", 1.5)
        result = QRectF(left, bottom + 0.1 * line, width, 1.3 * line)
        total = self._written_total
        yield _digits(total, result, 1.15 * size, "text", "right", bold=True)

    def _pair(
        self, a: str, b: str, place: QRectF, size: float, unit: float
    ) -> Iterator[Text]:
        """Yield two factors with the dot between them, aligned at the dot."""
        wide = _CHARACTERS * unit
        first = QRectF(place.left(), place.top(), wide, place.height())
        dot = QRectF(first.right(), place.top(), unit, place.height())
        second = first.translated(wide + unit, 0)
        # Large exponents take a character or two more, and so do brackets.
        first.adjust(-2 * unit, 0, 0, 0)
        longer = second.adjusted(0, 0, _BRACKETS * unit, 0)
        yield _digits(a, first, size, self._hues[0], "right", bold=True)
        yield _digits("·", dot, size, "muted", "center")
        yield _digits(b, longer, size, self._hues[1], "left", bold=True)

    @property
    def _share(self) -> float:
        """The progress of the sum during playback, otherwise 1."""
        progress, subject = self._subject.progress, self._subject
        if progress is None or self._cross.result.step != subject.step:
            return 1.0
        return progress.share


def _factor_hue(step: str, otherwise: Hue) -> Hue:
    hue = hue_of(step)
    return otherwise if hue == "text" else hue


def _numbers(values: list[float]) -> list[str]:
    """Return the numbers of a column with as many decimals as fit.

    Where one has a sign, those without leave its room: decimals end alike.
    """
    signed = any(value < 0 for value in values)
    return [_number(value, decimals_less=signed and value >= 0) for value in values]


def _number(value: float, *, decimals_less: bool) -> str:
    texts = (rounded(value, decimals) for decimals in range(_DECIMALS, -1, -1))
    fitting = (
        text
        for text in texts
        if len(text) <= _CHARACTERS - (decimals_less and "." in text)
    )
    return next(fitting, with_exponent(value, 0))


def _digits(
    text: str,
    rect: QRectF,
    size: float,
    hue: Hue,
    align: Align,
    *,
    bold: bool = False,
) -> Text:
    weight: Weight = "bold" if bold else "normal"
    return Text(text, rect, size, hue, align, weight, "number")
