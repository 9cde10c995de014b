"""Colour scales: numbers normalised to the range of a colour map."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.statistics import Limits, ends
from attnviewer.paths import resource
from attnviewer.ui.paint.colormaps import BLENDS, DIVERGING, SEQUENTIAL

Rgb = NDArray[np.uint8]
Kinds = NDArray[np.uint8]
Scaling = Literal["linear", "log", "symlog"]

PLAIN, NAN, INFINITE, MINUS_INFINITE, OVER, UNDER = range(6)
"""The kind of a cell: in range, or one with its own colour."""

ROUNDING = 1e-5
"""Share of the scale by which rounding may exceed its ends, as in 1 + 1e−16."""
DECADES = 6
"""Decades of a logarithmic scale whose low end is not positive."""
LINEAR_PART = 1e-4
"""Share of a symlog scale around zero that is nearly linear."""
MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class ColorScale:
    """A colour map with its limits.

    Parameters
    ----------
    name : str
        Name of a colour map, one of those in `colormaps`.
    low, high : float
        The numbers at its ends; both positive if `scaling` is ``log``.
    scaling : str
        ``linear``; ``log``, with zero and negative numbers below the low end;
        ``symlog``, logarithmic in the distance from zero.
    from_zero : bool
        Whether the low end of a logarithmic scale stands for all numbers from 0 on.
    """

    name: str
    low: float
    high: float
    scaling: Scaling = "linear"
    from_zero: bool = False

    def table(self) -> Rgb:
        """Return the map's colours from low to high, shape (256, 3)."""
        return _table(self.name)

    def pixels(self) -> NDArray[np.uint32]:
        """Return the colours as packed opaque RGBA words, shape (256,)."""
        return _pixels(self.name)

    def shares(self, values: Array) -> Array:
        """Return numbers normalised to the scale: 0 at its low end, 1 at its high end.

        Always a new array; ±inf and NaN are kept.
        """
        low, high = self.low, self.high
        largest = max(abs(low), abs(high))
        # A single-precision copy of such limits would be 0 or infinite.
        smallest = low if self.scaling == "log" else largest
        wide = not (smallest > 1e-30 and largest < 1e30)
        exact = np.float64 if wide else np.promote_types(values.dtype, np.float32)
        with np.errstate(all="ignore"):
            if self.scaling == "linear":
                # Halved, as high − low may overflow. In place, as this dominates the
                # painting of a large heatmap.
                half = 0.5 if largest > 1 else 1.0
                shares: Array = np.multiply(values, half, dtype=exact)
                start, length = low * half, high * half - low * half
                # Of a scale from 0 to 1, they are the numbers themselves.
                if start != 0:
                    shares -= start
                if length != 1:
                    shares /= length
                return shares
            shares = self._bent(np.asarray(values, exact))
            start, stop = self._bent(np.array([low, high])).tolist()
            shares -= start
            shares /= stop - start
        return shares

    def number_at(self, share: float) -> float:
        """Return the number at a share of the scale, the inverse of `shares`."""
        low, high = self.low, self.high
        if self.scaling == "linear":
            return low * (1 - share) + high * share
        if self.scaling == "log":
            return math.exp(math.log(low) * (1 - share) + math.log(high) * share)
        start, stop = self._bent(np.array([low, high])).tolist()
        return math.sinh(start + share * (stop - start)) * self._linear()

    def kinds(self, values: Array, known: Limits | None = None) -> Kinds | None:
        """Return the kind of each cell; None if all are `PLAIN`.

        Parameters
        ----------
        values : ndarray
            The numbers of the cells.
        known : tuple of two float, optional
            Their `ends`, where these are known.
        """
        if values.size == 0:
            return None
        both = np.array(known or ends(values), values.dtype)
        if self.kinds_of_shares(both, self.shares(both)) is None:
            return None
        return self.kinds_of_shares(values, self.shares(values))

    def kinds_of_shares(self, values: Array, shares: Array) -> Kinds | None:
        """Do the same as `kinds` where the shares are already known."""
        if shares.size == 0:
            return None
        # NaN compares false, and any NaN makes the minimum NaN.
        starts = values.min() >= 0 if self.from_zero else shares.min() >= -ROUNDING
        if starts and shares.max() <= 1 + ROUNDING:
            return None
        kinds = np.zeros(values.shape, np.uint8)
        kinds[shares > 1 + ROUNDING] = OVER
        if self.from_zero:
            kinds[values < 0] = UNDER
        else:
            kinds[shares < -ROUNDING] = UNDER
            if self.scaling == "log":
                kinds[values <= 0] = UNDER
        kinds[np.isnan(values)] = NAN
        kinds[np.isposinf(values)] = INFINITE
        kinds[np.isneginf(values)] = MINUS_INFINITE
        return kinds

    def ticks(self) -> list[tuple[float, float]]:
        """Return the ticks: their shares of the scale, and the numbers there."""
        if self.scaling == "linear":
            middle = self.low / 2 + self.high / 2
            return [(0.0, self.low), (0.5, middle), (1.0, self.high)]
        inner = [x for x in self._decades() if self.low < x < self.high]
        every = -(-len(inner) // MOST_TICKS) or 1
        # Counted from the high end, which matters most.
        numbers = [self.low, *inner[::-1][::every][::-1], self.high]
        shares = self.shares(np.array(numbers)).tolist()
        return list(zip(shares, numbers, strict=True))

    def _decades(self) -> list[float]:
        largest = max(abs(self.low), abs(self.high))
        smallest = self.low if self.scaling == "log" else self._linear()
        first, last = (math.floor(math.log10(x)) for x in (smallest, largest))
        # Above 1e308 and below 1e−323 there is no power of ten.
        powers = [10.0**p for p in range(max(first, -323), last + 1)]
        if self.scaling == "log":
            return powers
        return [*(-x for x in reversed(powers)), 0.0, *powers]

    def _bent(self, values: Array) -> Array:
        if self.scaling == "log":
            return np.log(values)
        bent: Array = np.arcsinh(values / self._linear())
        return bent

    def _linear(self) -> float:
        return max(abs(self.low), abs(self.high)) * LINEAR_PART or 5e-324


def make_scale(name: str, low: float, high: float, *, log: bool) -> ColorScale:
    """Make a scale from any finite limits, equal ones included.

    Parameters
    ----------
    name : str
        Name of a colour map, one of those in `maps`.
    low, high : float
        The smallest and the largest number; if equal, the scale runs from zero to that
        number. A logarithmic scale from 0 shows six decades.
    log : bool
        Whether the scale is logarithmic; symlog if `low` is negative.
    """
    if low == high:
        low, high = min(low, 0.0), max(high, 0.0) or (0.0 if low else 1.0)
    if not log:
        return ColorScale(name, low, high)
    if low < 0:
        return ColorScale(name, low, high, "symlog")
    floor = low if low > 0 else high * 10.0**-DECADES or 5e-324
    if floor == high:
        high = 1.0
    return ColorScale(name, floor, high, "log", from_zero=low == 0)


def _table(name: str) -> Rgb:
    if name in BLENDS:
        return _blended(BLENDS[name])
    table: Rgb = _tables()[(*SEQUENTIAL, *DIVERGING).index(name)]
    return table


@cache
def _blended(colors: tuple[str, ...]) -> Rgb:
    """Return straight lines between colours, shape (256, 3)."""
    stops = np.array([list(bytes.fromhex(color[1:])) for color in colors])  # (n, 3)
    places = np.linspace(0, len(stops) - 1, 256)  # (256,)
    lines = [np.interp(places, range(len(stops)), part) for part in stops.T]
    table: Rgb = np.stack(lines, axis=1).round().astype(np.uint8)
    return table


@cache
def _pixels(name: str) -> NDArray[np.uint32]:
    colors = np.full((256, 4), 255, np.uint8)
    colors[:, :3] = _table(name)
    return colors.view(np.uint32)[:, 0]


@cache
def _tables() -> NDArray[np.uint8]:
    # Mostly pyqtgraph's, stored: importing it takes longer than the whole window.
    path = resource("colors", "maps.npy")
    tables: NDArray[np.uint8] = np.load(path, allow_pickle=False)  # (maps, 256, 3)
    return tables
