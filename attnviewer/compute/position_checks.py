"""Checks of the positions of queries and keys."""

from attnviewer.compute.arrays import Shape
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages.offsets import PerItem

FURTHEST = 2**53
"""The furthest position: later ones cannot be distinguished in float64."""


def check_position(name: str, position: int) -> None:
    """Check that a position is exact in float64.

    Raises
    ------
    ValueError
        If it is too far.
    """
    if abs(position) > FURTHEST:
        raise ValueError(
            f"The '{name}' parameter must be at most 2^53. Got {position} instead."
        )


def check_position_limits(spec: Spec, batch: Shape) -> None:
    """Check that positions and distances of a variant are exact in float64.

    Raises
    ------
    ValueError
        If one is too far, or there is not one for each batch item.
    """
    for name in ("query_offset", "key_lengths"):
        value = getattr(spec, name)
        for number in () if value is None else _per_item(name, value, batch):
            check_position(name, number)
    for side in spec.window or ():
        check_position("window", side or 0)
    check_position("chunk", spec.chunk or 0)
    if spec.length_scale is not None:
        check_position("floor", spec.length_scale.floor)


def check_among_keys(
    query_offset: PerItem, batch: Shape, n_queries: int, n_keys: int
) -> None:
    """Check that queries are among the keys, whose positions along axes they have.

    Raises
    ------
    ValueError
        If the first or the last of a batch item is not.
    """
    for first in _per_item("query_offset", query_offset, batch):
        if not 0 <= first <= n_keys - n_queries:
            raise ValueError(
                f"The queries must be among the {n_keys} keys, whose positions "
                f"along several axes they share. Got {n_queries} queries from "
                f"{first} on instead."
            )


def _per_item(name: str, value: PerItem, batch: Shape) -> list[int]:
    """Return the numbers of all batch items."""
    if isinstance(value, int):
        return [value]
    if not batch or len(value) != batch[0]:
        items = f", or one for each of {batch} batch items" if batch else ""
        raise ValueError(
            f"The '{name}' must be a whole number{items}. Got {value} instead."
        )
    return [n for item in value for n in _per_item(name, item, batch[1:])]
