"""The order of heads by what is known of them."""

from collections.abc import Sequence
from typing import Literal

from attnviewer.compute import HeadLocation
from attnviewer.compute.similarity import order_of, order_of_likes
from attnviewer.ui.views.step.heads.numbers import HeadNumbers

Sorting = Literal["number", "largest", "smallest", "alike"]


def ordered(
    locations: Sequence[HeadLocation],
    sorting: Sorting,
    statistic: str,
    numbers: HeadNumbers,
) -> tuple[HeadLocation, ...] | None:
    """Sort heads.

    Parameters
    ----------
    locations : sequence of HeadLocation
        The heads, by layer and number.
    sorting : Sorting
        How they are sorted.
    statistic : str
        The number that they are sorted by, see `HeadNumbers.values`.
    numbers : HeadNumbers
        What is known of them, in the order of `locations`.

    Returns
    -------
    tuple of HeadLocation or None
        None while that is not known.
    """
    if sorting == "number":
        return tuple(locations)
    if sorting == "alike":
        survey = numbers.survey
        if survey is None or not survey.done:
            return None
        order = order_of_likes(survey.similarity())
    else:
        values = numbers.values(statistic)
        if values is None:
            return None
        order = order_of(values, largest_first=sorting == "largest")
    return tuple(locations[k] for k in order)
