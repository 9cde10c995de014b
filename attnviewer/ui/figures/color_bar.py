"""The colour bar, with its title and numbers."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from attnviewer.ui.figures.elements import Block, Cells, Element, Stroke, Text, frame
from attnviewer.ui.figures.matrix import Matrix
from attnviewer.ui.figures.numbers import MatrixNumbers, nice_ticks
from attnviewer.ui.figures.style import TICK, TITLE
from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.text.numbers import MINUS, significant_number, superscript

THICK = 6.0
LENGTH = 110.0
"""The longest bar."""
SHORTEST = 36.0
TICK_LENGTH, GAP = 2.0, 1.5
END = 10.0
"""The room that the numbers at both ends of a level bar need beyond it."""
_LINE = 1.2
_LENGTHS = (0.0, 45.0, 60.0, 80.0, 100.0, 200.0)
"""Lengths of upright bars at which they get other numbers."""
_SPACE = 14.0
"""The least distance between two numbers beside a bar."""


def bar_title(matrix: Matrix) -> str:
    """Return the title of a matrix's bar: what the numbers are, and their factor.

    It says if numbers beyond its ends have the colours of these.
    """
    factor = _numbers_of(matrix.scale).factor
    title = f"{matrix.quantity} ({factor})" if factor else matrix.quantity
    return f"{title}, clipped" if matrix.is_clipped else title


def shareable_bar(matrix: Matrix) -> tuple[str, ColorScale] | None:
    """Return the title and colours of a bar; None if numbers are beyond its ends."""
    return None if matrix.is_clipped else (bar_title(matrix), matrix.scale)


def beside(matrix: Matrix, height: float, face: Typeface, title: str) -> Block:
    """Return an upright bar, its numbers and its title on the right."""
    length = max(height, SHORTEST)
    ticks = bar_ticks(matrix.scale, max(2, int(length / _SPACE)))
    table = matrix.scale.table()[::-1]
    elements: list[Element] = [
        Cells(0.0, 0.0, THICK, length, table[:, np.newaxis]),
        frame(0.0, 0.0, THICK, length),
    ]
    middle = face.rise("0", TICK) / 2
    right = THICK + TICK_LENGTH + GAP
    for share, text in ticks:
        y = length * (1 - share)
        elements.append(Stroke(((THICK, y), (THICK + TICK_LENGTH, y))))
        elements.append(Text(right, y + middle, text, TICK))
    right += max(face.width(text, TICK) for _, text in ticks) + 2 * GAP
    base = right + face.rise("A", TITLE)
    elements.append(Text(base, length / 2, title, TITLE, "middle", -90.0))
    return Block(tuple(elements), base + face.drop("g", TITLE), length)


def widest_beside(matrix: Matrix, face: Typeface, title: str) -> float:
    """Return the most that an upright bar needs: its numbers vary by length."""
    return max(beside(matrix, length, face, title).width for length in _LENGTHS)


def beneath(matrix: Matrix, width: float, face: Typeface, title: str) -> Block:
    """Return a level bar, its numbers and its title below."""
    length = min(max(width, SHORTEST), LENGTH)
    scale = matrix.scale
    most = max(2, int(length / (2 * _SPACE)) + 1)
    ticks = bar_ticks(scale, most)
    while most > 2 and _crowded(ticks, length, face):
        most -= 1
        ticks = bar_ticks(scale, most)
    elements: list[Element] = [
        Cells(0.0, 0.0, length, THICK, scale.table()[np.newaxis]),
        frame(0.0, 0.0, length, THICK),
    ]
    base = THICK + TICK_LENGTH + GAP + face.rise("0", TICK)
    for share, text in ticks:
        x = length * share
        elements.append(Stroke(((x, THICK), (x, THICK + TICK_LENGTH))))
        elements.append(Text(x, base, text, TICK, "middle"))
    if title:
        base += TITLE * _LINE
        elements.append(Text(length / 2, base, title, TITLE, "middle"))
    return Block(tuple(elements), length, base + face.drop("g", TITLE))


def bar_ticks(scale: ColorScale, most: int) -> list[tuple[float, str]]:
    """Return where a bar has numbers, as shares of it, and the numbers."""
    if scale.scaling == "linear":
        numbers = _numbers_of(scale)
        factor = 10.0**numbers.exponent if abs(numbers.exponent) < 300 else 1.0
        places = [
            tick * factor
            for tick in nice_ticks(
                scale.low / factor, scale.high / factor, min(most, 6)
            )
        ]
        decimals = _decimals([place / factor for place in places])
        numbers = MatrixNumbers(decimals, numbers.exponent)
        shares = scale.shares(np.array(places, np.float64)).tolist()
        return [
            (share, numbers.write(place))
            for share, place in zip(shares, places, strict=True)
        ]
    ticks = scale.ticks()
    every = max(1, -(-len(ticks) // most))
    kept = ticks[::-1][::every][::-1]
    plain = all(number == 0 or 0.01 <= abs(number) <= 1000 for _, number in kept)
    return [(share, _power(number, plain=plain)) for share, number in kept]


def _decimals(numbers: Sequence[float]) -> int:
    return next(
        (
            d
            for d in range(4)
            if all(math.isclose(round(x, d), x, abs_tol=1e-9) for x in numbers)
        ),
        4,
    )


def _power(number: float, *, plain: bool) -> str:
    """Return a number of a logarithmic bar; powers of ten as such, unless plain."""
    exponent = math.log10(abs(number)) if number else 0.0
    if plain or not number or not math.isclose(exponent, round(exponent)):
        return significant_number(number, 2)
    return f"{MINUS if number < 0 else ''}10{superscript(round(exponent))}"


def _numbers_of(scale: ColorScale) -> MatrixNumbers:
    if scale.scaling != "linear":
        return MatrixNumbers(0)
    return MatrixNumbers.of(np.array([scale.low, scale.high]))


def _crowded(ticks: list[tuple[float, str]], length: float, face: Typeface) -> bool:
    ends = [
        (share * length, face.width(text, TICK) / 2 + GAP / 2) for share, text in ticks
    ]
    return any(
        left + half > right - other
        for (left, half), (right, other) in itertools.pairwise(ends)
    )
