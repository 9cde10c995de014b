"""The legend of the widths and colours of lines."""

import math
from collections.abc import Iterator, Sequence

from attnviewer.ui.figures.elements import Element, Stroke, Text
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import LABEL, SMALLER
from attnviewer.ui.figures.weighted_line import weighted_line
from attnviewer.ui.text.numbers import significant_number

PITCH = 1.3 * LABEL
"""The height of a row of a legend."""
_SAMPLES = (0.25, 0.5, 1.0)
_SAMPLE, _SWATCH = 12.0, 2.0
"""Length of lines in legends, and width of those that stand for a head."""
_BESIDE = 2.5
"""Distance of a name from its line."""


def legend_of_weights(
    threshold: float, y: float, ink: str, room: Room, *, negative: bool
) -> Iterator[Element]:
    """Yield what widths mean, and which weights have no line.

    Parameters
    ----------
    threshold : float
        The least size of a weight that has a line.
    y : float
        The upper edge.
    ink : str
        The colour of weight 1.
    room : Room
        The width and the fonts.
    negative : bool
        Whether lines of negative weights are among them.
    """
    face, size = room.face, SMALLER
    base = y + face.rise("0", size)
    words = "Sizes of weights" if negative else "Weights"
    if threshold:
        words += f" ≥ {significant_number(threshold, 3)}"
    if negative:
        words += ", negative ones dashed"
    texts = [f"{weight:g}" for weight in _SAMPLES]
    widths = [_SAMPLE + _BESIDE + face.width(text, size) for text in texts]
    whole = face.width(words, size) + sum(width + 3 * _BESIDE for width in widths)
    x = (room.width - whole) / 2
    yield Text(x, base, words, size)
    x += face.width(words, size) + 3 * _BESIDE
    middle = base - face.rise("0", size) / 2
    for weight, text, width in zip(_SAMPLES, texts, widths, strict=True):
        yield weighted_line(
            ((x, middle), (x + _SAMPLE, middle)), weight, ink, room.theme
        )
        yield Text(x + _SAMPLE + _BESIDE, base, text, size)
        x += width + 3 * _BESIDE


def legend_of_heads(
    heads: Sequence[int], inks: Sequence[str], y: float, room: Room
) -> tuple[list[Element], float]:
    """Return heads with the colours of their lines, in columns, and their height."""
    face, size = room.face, SMALLER
    names = [f"Head {head}" for head in heads]
    column = _SAMPLE + 4 * _BESIDE + max(face.width(name, size) for name in names)
    in_a_row = min(max(1, int(room.width / column)), len(names))
    n_rows = math.ceil(len(names) / in_a_row)
    in_a_row = math.ceil(len(names) / n_rows)  # rows of the same length
    left = (room.width - in_a_row * column + 3 * _BESIDE) / 2
    elements: list[Element] = []
    for place, (name, ink) in enumerate(zip(names, inks, strict=True)):
        row, k = divmod(place, in_a_row)
        x, base = left + k * column, y + row * PITCH + face.rise("0", size)
        middle = base - face.rise("0", size) / 2
        elements.append(Stroke(((x, middle), (x + _SAMPLE, middle)), _SWATCH, ink))
        elements.append(Text(x + _SAMPLE + _BESIDE, base, name, size))
    return elements, n_rows * PITCH
