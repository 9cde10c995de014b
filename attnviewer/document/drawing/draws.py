"""Random draws into matrices, remembered by the document."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.drawing.recipe import Draw, Recipe, overwritten
from attnviewer.document.edits import Edit, EditError, Replace, SetCells
from attnviewer.document.matrices import MASK
from attnviewer.document.region import Region

MOST_DRAWN = 16 * 2**20
"""Maximum count of numbers that one recipe may draw."""
MOST_REDRAWN = 2**16
"""Maximum count of numbers that are drawn again after every edit."""


def draw_edit(
    document: Document, stream: Recipe, draws: Sequence[Draw], label: str
) -> Edit:
    """Return the edit that draws blocks of matrices, one after the other.

    Parameters
    ----------
    document : Document
        The document to edit.
    stream : Recipe
        The stream to draw from: an empty recipe for a new seed, or the document's last
        recipe, which is then continued.
    draws : sequence of Draw
        The draws, each into a matrix of the document.
    label : str
        The edit's name in the undo history.

    Returns
    -------
    SetCells or Replace
        One draw writes cells; several replace their matrices at once. Both remember
        the stream among the document's recipes.

    Raises
    ------
    EditError
        If they cannot be drawn, with the reason.
    """
    recipe = stream.followed_by(draws)
    if any(draw.matrix == MASK for draw in draws):
        raise EditError(
            "The 'mask' must not be drawn at random: it holds True and False."
        )
    if recipe.cells > MOST_DRAWN:
        raise EditError(
            f"The numbers drawn after one seed must be at most {MOST_DRAWN:,}. "
            f"Got {recipe.cells:,} instead."
        )
    try:
        new = islice(recipe.draw(), len(stream.draws), None)
        numbers = [drawn for _, drawn in new]
    except ValueError as error:
        raise EditError(str(error)) from None
    recipes = _with(document.recipes, stream, draws)
    if len(draws) == 1:
        (draw,) = draws
        assert draw.matrix is not None
        return SetCells(label, draw.matrix, draw.row, draw.column, numbers[0], recipes)
    matrices: dict[str, Array | None] = {}
    for draw, drawn in zip(draws, numbers, strict=True):
        assert draw.matrix is not None
        matrix = matrices.get(draw.matrix)
        if matrix is None:
            matrix = matrices[draw.matrix] = document.matrix(draw.matrix).copy()
        matrix[draw.region.rows, draw.region.columns] = drawn
    return Replace(label, matrices=matrices, recipes=recipes)


def _with(
    recipes: tuple[Recipe, ...], stream: Recipe, draws: Sequence[Draw]
) -> tuple[Recipe, ...]:
    continued = recipes[-1:] == (stream,)
    earlier = recipes[:-1] if continued else recipes
    for draw in draws:
        assert draw.matrix is not None
        earlier = overwritten(earlier, draw.matrix, draw.region)
        stream = stream.without(draw.matrix, draw.region).followed_by([draw])
    return (*earlier, stream)


def last_draw(document: Document, matrix: str) -> tuple[Recipe, Draw] | None:
    """Return the last draw into a matrix, and the recipe it belongs to."""
    return next(
        (
            (recipe, draw)
            for recipe in reversed(document.recipes)
            for draw in reversed(recipe.draws)
            if draw.matrix == matrix
        ),
        None,
    )


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """The draw that gave a cell its number.

    Parameters
    ----------
    recipe : Recipe
        The seed and the draws that followed it.
    draw : Draw
        The last draw into the cell.
    kept : bool
        Whether the cell still holds the number that was drawn.
    """

    recipe: Recipe
    draw: Draw
    kept: bool


def drawn_cell(
    document: Document, matrix: str, row: int, column: int
) -> DrawnCell | None:
    """Return how a cell was drawn, and whether it still holds that number.

    Returns
    -------
    DrawnCell or None
        None if the cell was not drawn, or if its recipe is too large to draw again.
    """
    cell = Region(row, column, 1, 1)
    for recipe in reversed(document.recipes):
        into = [d for d in recipe.draws if d.matrix == matrix]
        last = next((d for d in reversed(into) if d.region.contains(cell)), None)
        if last is None:
            continue
        if recipe.cells > MOST_REDRAWN:
            return None
        # Equal draws may occur twice, each with other numbers.
        numbers = [drawn for draw, drawn in _drawn(recipe) if draw == last][-1]
        number = numbers[row - last.row, column - last.column]
        kept = bool(document.matrix(matrix)[row, column] == number)
        return DrawnCell(recipe, last, kept)
    return None


def is_edited(document: Document, matrix: str) -> bool | None:
    """Return whether a matrix differs from what was drawn into it.

    Returns
    -------
    bool or None
        None if it, or its recipe, is too large to compare after every edit.
    """
    present = document.matrix(matrix)
    recipes = [
        recipe
        for recipe in document.recipes
        if any(draw.matrix == matrix for draw in recipe.draws)
    ]
    if max(present.size, *(recipe.cells for recipe in recipes), 0) > MOST_REDRAWN:
        return None
    drawn = present.copy()
    whole = Region(0, 0, *present.shape)
    for recipe in recipes:
        for draw, numbers in _drawn(recipe):
            if draw.matrix != matrix:
                continue
            if not whole.contains(draw.region):
                return True
            drawn[draw.region.rows, draw.region.columns] = numbers
    return not np.array_equal(drawn, present)


# Every edit needs the same numbers again, and an orthogonal draw is slow.
@lru_cache(maxsize=8)
def _drawn(recipe: Recipe) -> tuple[tuple[Draw, Array], ...]:
    return tuple(recipe.draw())
