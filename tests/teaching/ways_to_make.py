"""How the tasks of bundled lessons to change a document are done, edit by edit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from attnviewer import tasks, train
from attnviewer.document import Document, Replace, SetCells
from attnviewer.document.masks import MaskPreset, mask_edit, paint_cells
from attnviewer.goal_seek import Target, seek

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


def trained(document: Document) -> None:
    """Train as the panel does, as many steps as the last hint says."""
    task = tasks.copy_previous()
    document.apply(train(document, task, free=("W_Q", "W_K"), steps=40).edit(40))


def along_the_query(document: Document) -> None:
    """Type a multiple of the second query into the first row of the keys."""
    key = 20 * document.matrix("Q")[1:2]
    document.apply(SetCells("Type", "K", 0, 0, key))


def sought(document: Document) -> None:
    """Apply what Goal Seek proposes for the weight of "it" on "street"."""
    target = Target("weights", 10, 8, ">=", 0.5)
    proposal = seek(document, target, ["W_Q"])
    assert proposal.edit is not None
    document.apply(proposal.edit)


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
    "positions/look-back": cells("W_Q", 0, 0, 0, -4),
    "normalizers/choose": option(normalizer="sparsemax"),
    "numerics/mend": cells("bias", 0, 1, -np.inf),
    "real-head/hide": painted((10, 2)),
    "real-head/seek": sought,
    "gradients/train": trained,
    "gradients/by-hand": several(
        cells("W_Q", 1, 0, 8), cells("W_Q", 2, 1, 8), cells("W_Q", 3, 2, 8)
    ),
    "gradients/e2-key": along_the_query,
    "gradients/e3-back": several(
        cells("W_K", 0, 0, 10, 0, 0),
        cells("W_K", 1, 0, 0, 10, 0),
        cells("W_K", 2, 0, 0, 0, 10),
        cells("W_Q", 1, 0, 10, 0, 0),
        cells("W_Q", 2, 0, 0, 10, 0),
    ),
}
"""By lesson and task; what the last hint of the task says, where it says numbers."""

OTHER_WAYS: dict[str, Way] = {
    "numerics/mend": cells("bias", 0, 1, -20000),
    "masks/padding": painted(*[(row, key) for row in range(4) for key in (2, 3)]),
    "masks/causal": painted((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
}
"""Ways that the tasks accept as well."""
