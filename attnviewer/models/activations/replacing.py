"""Arrays and functions that replace activations, checked and turned into pins."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import Array, Pin
from attnviewer.compute.arguments import real_array
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.pins.pin import MOST_CELLS
from attnviewer.models.activations.reading import activation, shape_of, step_of
from attnviewer.models.activations.site import KINDS, Site

if TYPE_CHECKING:
    from attnviewer.models.trace import ModelTrace

NewValues: TypeAlias = ArrayLike | Callable[[Array], ArrayLike]
"""The replacement of an activation: an array of its shape, or a function of it."""

_ALL = slice(None)


def in_order(sites: Iterable[Site]) -> list[Site]:
    """Return sites in the order in which a model computes them.

    Raises
    ------
    TypeError
        If one of them is no site.
    """
    given = list(sites)
    for site in given:
        if not isinstance(site, Site):
            raise TypeError(
                "The activations must be given by their sites, such as "
                f"Site('heads', layer=1, head=2). Got {site!r} instead."
            )
    return sorted(given, key=lambda site: (site.layer, KINDS.index(site.kind)))


def check_aligned(run: "ModelTrace", other: "ModelTrace") -> None:
    """Check that two runs have the same number of tokens.

    Raises
    ------
    ValueError
        If they have not.
    """
    if len(run.ids) != len(other.ids):
        raise ValueError(
            "The two sentences must have the same number of tokens, one for each of "
            f"the other's. Got {len(run.ids)} and {len(other.ids)} instead."
        )


def new_values(run: "ModelTrace", site: Site, given: NewValues) -> Array:
    """Return what an activation of a run is replaced by, as a new array in float32.

    Parameters
    ----------
    run : ModelTrace
        The run. Nothing of it is computed unless a function is given.
    site : Site
        The activation.
    given : array_like or callable
        The array, or a function that returns it, given a copy of the run's.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If the shape or a number does not fit, or the function raises an error.
    TypeError
        If it holds something other than real numbers.
    """
    shape, called = shape_of(run, site), f"activation of {site.name}"
    if callable(given):
        own = np.array(activation(run, site))
        try:
            given = given(own)
        except Exception as error:
            raise ValueError(
                f"The function for the {called} must return an array of shape {shape}. "
                f"It raised {type(error).__name__}: {error}"
            ) from error
    array = real_array(called, given)
    if array.shape != shape:
        raise ValueError(
            f"The {called} must have shape {shape}. Got {array.shape} instead."
        )
    with np.errstate(over="ignore"):  # out of range, numbers become infinite
        values = np.array(array, np.float32)
    check_numbers(called, values, infinite=site.kind == "scores")
    return values


def pins_at(
    run: "ModelTrace", site: Site, values: Array, positions: Sequence[int]
) -> list[Pin]:
    """Return the pins that set rows of a step of the attention.

    Parameters
    ----------
    run : ModelTrace
        The run.
    site : Site
        The step.
    values : ndarray, shape (rows, columns) or (h, rows, columns)
        The whole step, or that of one head.
    positions : sequence of int
        Its rows that are set.
    """
    step = step_of(run, site)
    if values.ndim == 2:
        return list(_pins(step, values, positions, site.head))
    return [
        pin
        for head, own in enumerate(values)
        for pin in _pins(step, own, positions, head)
    ]


def _pins(
    step: str, values: Array, positions: Sequence[int], head: int | None
) -> Iterator[Pin]:
    n_rows, n_columns = values.shape
    at_once = max(1, MOST_CELLS // n_columns)
    for first in range(0, len(positions), at_once):
        some = positions[first : first + at_once]
        block = values[list(some)]  # (some, columns)
        rows = _ALL if len(some) == n_rows else some
        number = block[0, 0]
        same = bool((block == number).all())
        yield Pin(step, rows, _ALL, float(number) if same else block, head=head)
