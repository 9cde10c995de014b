"""Means over the queries of a head, and their formatting."""

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.numbers import rounded_or_dash
from attnviewer.ui.text.translation import translate_in

CONTEXT = "HeadStatistics"
_tr = translate_in(CONTEXT)


@dataclass(frozen=True, slots=True)
class Statistic:
    """A mean over the queries of a head, and its formatting.

    Parameters
    ----------
    title : object
        Its title in the list of choices.
    words : object
        The text before the number if there is room.
    unit : object
        The number with its unit.
    percent : bool
        Whether it is a share, written in percent.
    """

    title: object
    words: object
    unit: object = "{}"
    percent: bool = False


STATISTICS = {
    "entropy": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "Entropy"),
        QT_TRANSLATE_NOOP("HeadStatistics", "entropy {}"),
        QT_TRANSLATE_NOOP("HeadStatistics", "{} bit"),
    ),
    "effective_keys": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "Effective keys"),
        QT_TRANSLATE_NOOP("HeadStatistics", "spreads over {} keys"),
        QT_TRANSLATE_NOOP("HeadStatistics", "{}"),  # shortened to fit on a card
    ),
    "distance": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "Distance to keys"),
        QT_TRANSLATE_NOOP("HeadStatistics", "distance {}"),
    ),
    "first_share": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "First key (sink)"),
        QT_TRANSLATE_NOOP("HeadStatistics", "first key {}"),
        QT_TRANSLATE_NOOP("HeadStatistics", "{} %"),
        percent=True,
    ),
    "previous_share": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "Previous token"),
        QT_TRANSLATE_NOOP("HeadStatistics", "previous {}"),
        QT_TRANSLATE_NOOP("HeadStatistics", "{} %"),
        percent=True,
    ),
    "diagonal_share": Statistic(
        QT_TRANSLATE_NOOP("HeadStatistics", "Token itself (diagonal)"),
        QT_TRANSLATE_NOOP("HeadStatistics", "itself {}"),
        QT_TRANSLATE_NOOP("HeadStatistics", "{} %"),
        percent=True,
    ),
}
"""The means over the queries, by their names in `HeadStatistics`."""


def number_of(name: str, value: float) -> str:
    """Format one of the means without its unit; a dash if there is none."""
    factor, decimals = (100, 0) if STATISTICS[name].percent else (1, 2)
    return rounded_or_dash(factor * value, decimals)


def with_unit(name: str, value: float) -> str:
    """Format one of the means with its unit."""
    return _tr(str(STATISTICS[name].unit)).format(number_of(name, value))


def in_words(name: str, number: str) -> str:
    """Return the name of one of the means with its number."""
    return _tr(str(STATISTICS[name].words)).format(number)
