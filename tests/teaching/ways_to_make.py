"""How the tasks of bundled lessons to change a document are done, edit by edit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from attnviewer.document import Document, Replace, SetCells
from attnviewer.document.masks import MaskPreset, mask_edit, paint_cells

Way = Callable[[Document], None]


def cells(name: str, row: int, column: int, *numbers: float) -> Way:
    """Return the typing of numbers into a row of a matrix."""
    values = np.array([numbers], dtype=np.float64)

    def typed(document: Document) -> None:
        document.apply(SetCells("Type", name, row, column, values))

    return typed


def several(*ways: Way) -> Way:
    """Return one way after the other."""

    def done(document: Document) -> None:
        for way in ways:
            way(document)

    return done


def option(**options: object) -> Way:
    """Return the choice of options of the spec."""

    def chosen(document: Document) -> None:
        document.apply(Replace("Choose", spec=replace(document.spec, **options)))

    return chosen


def preset(kind: str, *numbers: int) -> Way:
    """Return the choice of a mask by name."""

    def chosen(document: Document) -> None:
        document.apply(mask_edit(document, MaskPreset(kind, numbers), "Choose"))

    return chosen


def painted(*hidden: tuple[int, int]) -> Way:
    """Return the painting of cells of the mask."""

    def brush(document: Document) -> None:
        edit = paint_cells(document, hidden, False, "Paint")
        assert edit is not None
        document.apply(edit)

    return brush


WAYS: dict[str, Way] = {
    "four-words/turn": cells("W_Q", 1, 0, -2, -4),
    "one-query/look": several(cells("W_K", 0, 1, -2), cells("W_Q", 0, 1, 3)),
    "simplified/choose-softmax": option(normalizer="softmax"),
    "simplified/train": cells("W_Q", 0, 0, 3),
    "fixed-query/longer": cells("X", 1, 0, 1, 1, 1),
    "masks/causal": preset("causal"),
    "masks/padding": preset("padding", 2),
    "masks/paint": painted((3, 0), (3, 2)),
    "masks/e2-make": painted((1, 0)),
    "heads/wake": cells("W_Q", 3, 4, 3),
}
"""By lesson and task; what the last hint of the task says, where it says numbers."""

OTHER_WAYS: dict[str, Way] = {
    "masks/padding": painted(*[(row, key) for row in range(4) for key in (2, 3)]),
    "masks/causal": painted((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
}
"""Ways that the tasks accept as well."""
