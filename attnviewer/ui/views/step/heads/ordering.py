"""The order of heads by what is known of them."""

from collections.abc import Callable, Sequence
from typing import Literal

from attnviewer.compute import Array, HeadLocation, HeadSurvey
from attnviewer.compute.similarity import order_of, order_of_likes
from attnviewer.ui.views.step.heads.statistics import CELL, values_of

Sorting = Literal["number", "largest", "smallest", "alike"]


def ordered(
    locations: Sequence[HeadLocation],
    sorting: Sorting,
    statistic: str,
    survey: HeadSurvey | None,
    reference: int,
    in_cell: Callable[[], Array],
) -> tuple[HeadLocation, ...] | None:
    """Sort heads.

    Parameters
    ----------
    locations : sequence of HeadLocation
        The heads, by layer and number.
    sorting : Sorting
        How they are sorted.
    statistic : str
        The number that they are sorted by, one of `statistics_of`.
    survey : HeadSurvey or None
        What is known of them, in the order of `locations`.
    reference : int
        The place of the head that others are compared with.
    in_cell : callable
        Returns what each has in the selected cell, shape (n,).

    Returns
    -------
    tuple of HeadLocation or None
        None while that is not known.
    """
    if sorting == "number":
        return tuple(locations)
    largest_first = sorting == "largest"
    if sorting != "alike" and statistic == CELL:
        order = order_of(in_cell(), largest_first=largest_first)
    elif survey is None or not survey.done:
        return None
    elif sorting == "alike":
        order = order_of_likes(survey.similarity())
    else:
        values = values_of(survey, statistic, reference)
        order = order_of(values, largest_first=largest_first)
    return tuple(locations[k] for k in order)
