"""Names such as W_Q and d_k, set as in print."""

from collections.abc import Iterator
from dataclasses import replace

from attnviewer.ui.figures.elements import Text
from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.text.subscripts import LOWERED, SMALLER, parts_of

_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def subscripted(text: Text, face: Typeface) -> Iterator[Text]:
    """Yield a level line in parts: letters after a name's underscore are lowered."""
    parts = parts_of(text.text)
    if len(parts) == 1:
        yield text
        return
    sizes = [text.size * (SMALLER if odd % 2 else 1.0) for odd in range(len(parts))]
    widths = [
        face.width(part, size, bold=text.bold)
        for part, size in zip(parts, sizes, strict=True)
    ]
    x = text.x - _SHARE[text.anchor] * sum(widths)
    for number, (part, size, width) in enumerate(
        zip(parts, sizes, widths, strict=True)
    ):
        if part:
            y = text.y + (LOWERED * text.size if number % 2 else 0.0)
            yield replace(text, x=x, y=y, text=part, size=size, anchor="start")
        x += width
