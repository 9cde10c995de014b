"""Statistics of each head, and how they are written."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from attnviewer.compute import Array, HeadSurvey, Windowed
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.head_statistics import CONTEXT, STATISTICS, in_words, with_unit
from attnviewer.ui.text.numbers import (
    fitted_number,
    rounded_or_dash,
    significant_number,
)

RANGE, SIMILARITY, CELL = "range", "similarity", "cell"
DECIMALS, ROOM = 4, 8
"""How numbers of any size are written: digits after the point, at most characters."""


@dataclass(frozen=True, slots=True)
class Caption:
    """The caption of a card.

    Parameters
    ----------
    long, short : str
        The number that was asked for, and the same where there is less room.
    every : str
        All numbers about the head, a line each.
    """

    long: str = ""
    short: str = ""
    every: str = ""

    @property
    def lines(self) -> list[str]:
        """All that is known of the head."""
        lines = self.every.splitlines()
        return lines if self.long in lines else [self.long, *lines]


UNKNOWN = Caption("…", "…")
"""Stands for a number that is not there yet."""


def statistics_of(*, weights: bool) -> dict[str, str]:
    """Return the statistics of the heads of a step, with titles."""
    titles = {RANGE: QCoreApplication.translate(CONTEXT, "Range of the numbers")}
    if weights:
        titles = {
            name: QCoreApplication.translate(CONTEXT, str(statistic.title))
            for name, statistic in STATISTICS.items()
        }
    alike = QCoreApplication.translate(CONTEXT, "Similarity to chosen")
    cell = QCoreApplication.translate(CONTEXT, "Selected cell")
    return {**titles, CELL: cell, SIMILARITY: alike}


def values_of(survey: HeadSurvey, name: str, reference: int) -> Array:
    """Return the number about each head, shape (n,).

    Parameters
    ----------
    survey : HeadSurvey
        What is known of the heads.
    name : str
        One of `statistics_of` but `CELL`. A range counts by its width.
    reference : int
        The place of the head that others are compared with.
    """
    values: Array
    if name == SIMILARITY:
        values = survey.similarity()[reference]
    elif name == RANGE:
        widths = [math.nan if x is None else x[1] - x[0] for x in survey.limits()]
        values = np.array(widths)
    else:
        values = getattr(survey.statistics(), name)
    return values


def captions_of(
    survey: HeadSurvey, name: str, reference: int, head: str
) -> list[Caption]:
    """Write the number about each head as its card shows it.

    Parameters
    ----------
    survey : HeadSurvey
        What is known of the heads.
    name : str
        One of `statistics_of` but `CELL`.
    reference : int
        The place of the head that others are compared with.
    head : str
        What that head is called.
    """
    if name == RANGE:
        return [_range(limits) for limits in survey.limits()]
    values = values_of(survey, name, reference).tolist()
    if name == SIMILARITY:
        words = QCoreApplication.translate(CONTEXT, "{number} like {head}")
        numbers = [rounded_or_dash(value, 2) for value in values]
        return [Caption(words.format(number=n, head=head), n) for n in numbers]
    shorts = [with_unit(name, value) for value in values]
    return [Caption(in_words(name, short), short) for short in shorts]


def cell_values(matrices: Sequence[Windowed], cell: Position | None) -> Array:
    """Return what each head has in a cell, shape (n,); NaN without one."""
    values = np.full(len(matrices), math.nan)
    for k, matrix in enumerate(matrices):
        if cell is not None and cell[0] < matrix.shape[0] and cell[1] < matrix.shape[1]:
            row, column = (slice(location, location + 1) for location in cell)
            values[k] = matrix.window(row, column)[0, 0]
    return values


def cell_captions(values: Array) -> list[Caption]:
    """Write what each head has in the selected cell as its card shows it."""
    words = QCoreApplication.translate(CONTEXT, "selected cell {number}")
    return [Caption(words.format(number=n), n) for n in in_short(values)]


def in_short(values: Array) -> list[str]:
    """Write numbers of any size as they fit on a card."""
    return [
        "—" if math.isnan(value) else fitted_number(value, DECIMALS, ROOM)
        for value in values.tolist()
    ]


def all_statistics(survey: HeadSurvey) -> list[str]:
    """Write all means of each head over its queries, a line each."""
    columns = [captions_of(survey, name, 0, "") for name in STATISTICS]
    heads = zip(*columns, strict=True)
    return ["\n".join(caption.long for caption in head) for head in heads]


def _range(limits: tuple[float, float] | None) -> Caption:
    if limits is None:
        return Caption()
    low, high = (significant_number(limit, 3) for limit in limits)
    text = QCoreApplication.translate(CONTEXT, "{low} to {high}")
    return Caption(text.format(low=low, high=high), f"≤ {high}")
