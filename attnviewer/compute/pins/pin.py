"""A pin: what some cells of a step shall be."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import (
    check_name,
    flag,
    real_array,
    real_number,
    whole_number,
)

How: TypeAlias = Literal["set", "add", "scale"]
"""The operation of a pin on the computed number."""
Rest: TypeAlias = Literal["leave", "share"]
"""The treatment of the other weights of a row."""
Positions: TypeAlias = range | tuple[int, ...]
"""Rows or columns; a range to `ENDLESS` ends with the step."""
Numbers: TypeAlias = float | tuple[tuple[float, ...], ...]
"""One number for all cells of a pin, or a block with one for each."""

ENDLESS = 2**53
"""The end of a range that ends with the step."""
MOST_CELLS = 2**18
"""The most numbers of a block, as many as a step of 512 × 512 has."""


_SIGNS: dict[How, str] = {"set": "=", "add": "+=", "scale": "×="}


@dataclass(frozen=True)
class Pin:
    """Some cells of a computed step that are set, added to or scaled.

    A pin acts on the step before the next one reads it. Pins of a step act in their
    order.

    Parameters
    ----------
    step : str
        The step, from ``Q`` to ``output``.
    rows, columns : int, slice or sequence of int
        The cells: those where the rows cross the columns, counted from zero.
    value : float or array_like, shape (rows, columns)
        The number, or one for each cell. Minus infinity, which hides a key, can be
        set where scores are still to be normalised.
    head : int, optional
        The head of the step, counted from zero; all by default.
    how : str
        ``set`` replaces the computed number, ``add`` adds to it, ``scale`` multiplies
        it; both leave the score of a hidden key hidden.
    rest : str
        Of weights: ``share`` multiplies those of a row that are not pinned, so that
        the row has the sum of 1 again; ``leave`` leaves them as they are.
    enabled : bool
        Whether it acts.

    Raises
    ------
    ValueError, TypeError
        If a position is negative, a number is not finite, or a word is unknown.

    Examples
    --------
    >>> from attnviewer import attention
    >>> q = [[1.0, 0.0], [0.0, 1.0]]
    >>> trace = attention(q, q, q, pins=[Pin("weights", 0, 1, 0.9, rest="share")])
    >>> trace["weights"][0]
    array([0.1, 0.9])
    """

    step: str
    rows: Positions
    columns: Positions
    value: Numbers
    _: KW_ONLY
    head: int | None = None
    how: How = "set"
    rest: Rest = "leave"
    enabled: bool = True

    def __init__(
        self,
        step: str,
        rows: int | slice | Sequence[int] | Positions,
        columns: int | slice | Sequence[int] | Positions,
        value: ArrayLike,
        *,
        head: int | None = None,
        how: How = "set",
        rest: Rest = "leave",
        enabled: bool = True,
    ) -> None:
        if not isinstance(step, str):
            raise TypeError(
                f"The 'step' parameter must be a name. Got {step!r} instead."
            )
        check_name("how", how, get_args(How))
        check_name("rest", rest, get_args(Rest))
        fields: dict[str, Any] = {
            "step": step,
            "rows": _positions("rows", rows),
            "columns": _positions("columns", columns),
            "value": _numbers(value, how),
            "head": None if head is None else whole_number("head", head, 0),
            "how": how,
            "rest": rest,
            "enabled": flag("enabled", enabled),
        }
        for name, field in fields.items():
            object.__setattr__(self, name, field)

    def __str__(self) -> str:
        head = "" if self.head is None else f", head {self.head}"
        cells = f"{self.step}[{_written(self.rows)}, {_written(self.columns)}]"
        off = "" if self.enabled else " (off)"
        return f"{cells}{head} {self.effect}{off}"

    @property
    def effect(self) -> str:
        """Its operation on the cells, such as ``= 5``."""
        value = f"{self.value:.6g}" if isinstance(self.value, float) else "a block"
        rest = ", others share the rest" if self.rest == "share" else ""
        return f"{_SIGNS[self.how]} {value}{rest}"

    def array(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """Return the numbers as an array, shape (rows, columns) or (1, 1)."""
        return np.atleast_2d(np.array(self.value, dtype=np.float64))


def _positions(name: str, given: object) -> Positions:
    if isinstance(given, slice):
        start = 0 if given.start is None else whole_number(name, given.start, 0)
        stop = ENDLESS if given.stop is None else whole_number(name, given.stop, 0)
        step = 1 if given.step is None else whole_number(name, given.step, 1)
        return _some(name, range(start, stop, step))
    if isinstance(given, range):
        if given.start < 0 or given.step < 1:
            raise ValueError(
                f"The '{name}' parameter must go upwards from 0. Got {given} instead."
            )
        return _some(name, given)
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
        position = whole_number(name, given, 0)
        return range(position, position + 1)
    found = tuple(whole_number(name, position, 0) for position in given)
    if len(set(found)) < len(found):
        raise ValueError(
            f"The '{name}' parameter must hold each position once. Got {given} instead."
        )
    _some(name, found)
    run = range(found[0], found[0] + len(found))
    return run if found == tuple(run) else found


def _some(name: str, found: Positions) -> Positions:
    if not found:
        raise ValueError(
            f"The '{name}' parameter must hold at least one position. Got none instead."
        )
    return found


def _numbers(value: ArrayLike, how: How) -> Numbers:
    block = real_array("'value' parameter", value)
    if block.ndim == 0:
        return _number(real_number("value", block.item()), how)
    if block.ndim != 2 or not 0 < block.size <= MOST_CELLS:
        raise ValueError(
            "The 'value' parameter must be a number, or a block (rows, columns) of at "
            f"most {MOST_CELLS} numbers. Got shape {block.shape} instead."
        )
    return tuple(tuple(_number(n, how) for n in row) for row in block.tolist())


def _number(number: float, how: How) -> float:
    if math.isfinite(number) or (number == -math.inf and how == "set"):
        return float(number)
    raise ValueError(
        "The 'value' of a pin must be finite, or minus infinity to be set. "
        f"Got {number} instead."
    )


def _written(positions: Positions) -> str:
    if not isinstance(positions, range):
        return str(list(positions)) if len(positions) > 1 else str(positions[0])
    if positions.stop == positions.start + 1:
        return str(positions.start)
    stop = "" if positions.stop >= ENDLESS else positions.stop
    step = "" if positions.step == 1 else f":{positions.step}"
    return f"{positions.start or ''}:{stop}{step}"
